// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/lock/LockReader.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

namespace cudacc::probe {

using llvm::StringRef;
namespace yaml = llvm::yaml;

namespace {

/// Converts LLVM's lazily parsed nodes: each collection once, from the outside inwards, until its
/// end or an error. So the parser never has to skip unread nodes, which it does with unbounded
/// recursion.
class Walker {
public:
  Walker(StringRef text, StringRef shown) : text(text), shown(shown) {
    sources.setDiagHandler([](const llvm::SMDiagnostic &diagnostic,
                              void *walker) { static_cast<Walker *>(walker)->note(diagnostic); },
                           this);
  }

  llvm::Expected<Value> walk() {
    yaml::Stream stream(text, sources, /*ShowColors=*/false);
    auto document = stream.begin();
    yaml::Node *root = document == stream.end() ? nullptr : document->getRoot();
    Value value;
    if (root)
      value = convert(*root, 0);
    if (why.empty() && (!root || stream.failed()))
      stop(1, "it has no text");
    if (!why.empty())
      return brokenLock(shown, errorLine, what, why);
    return value;
  }

private:
  StringRef text, shown;
  llvm::SourceMgr sources;
  StringRef what = "is not valid YAML";
  std::string why;
  unsigned errorLine = 0, left = mostLockValues;
  /// Nodes arrive in text order, except that a key arrives after its mapping.
  size_t countedTo = 0;
  unsigned countedLine = 1;

  void note(const llvm::SMDiagnostic &diagnostic) {
    stop(std::max(diagnostic.getLineNo(), 1), diagnostic.getMessage());
  }
  void stop(unsigned line, StringRef because) {
    if (!why.empty())
      return;
    errorLine = line;
    why = because.str();
  }
  unsigned lineOf(const yaml::Node &node) {
    const char *at = node.getSourceRange().Start.getPointer();
    if (at < text.begin() || at > text.end())
      return countedLine;
    size_t offset = at - text.begin();
    if (offset < countedTo)
      return countedLine - text.slice(offset, countedTo).count('\n');
    countedLine += text.slice(countedTo, offset).count('\n');
    countedTo = offset;
    return countedLine;
  }

  Value convert(yaml::Node &node, unsigned depth) {
    Value value;
    value.line = lineOf(node);
    if (depth > deepestLock)
      stop(value.line, fmt::format("nested more than {} deep", deepestLock));
    if (left == 0) {
      what = "is not a lock file that can be read";
      stop(1, fmt::format("it has more than {} values", mostLockValues));
    }
    if (!why.empty())
      return value;
    --left;
    llvm::SmallString<64> storage;
    if (auto *scalar = llvm::dyn_cast<yaml::ScalarNode>(&node)) {
      value.kind = Value::Kind::Text;
      value.text = scalar->getValue(storage).str();
    } else if (auto *block = llvm::dyn_cast<yaml::BlockScalarNode>(&node)) {
      value.kind = Value::Kind::Text;
      value.text = block->getValue().str();
    } else if (auto *list = llvm::dyn_cast<yaml::SequenceNode>(&node)) {
      value.kind = Value::Kind::List;
      for (yaml::Node &item : *list) {
        value.items.push_back(convert(item, depth + 1));
        if (!why.empty())
          break;
      }
    } else if (auto *mapping = llvm::dyn_cast<yaml::MappingNode>(&node)) {
      convertMapping(*mapping, value, depth);
    }
    return value;
  }

  void convertMapping(yaml::MappingNode &mapping, Value &value, unsigned depth) {
    value.kind = Value::Kind::Table;
    for (yaml::KeyValueNode &entry : mapping) {
      auto *key = llvm::dyn_cast_or_null<yaml::ScalarNode>(entry.getKey());
      if (!key) {
        stop(entry.getKey() ? lineOf(*entry.getKey()) : countedLine, "a key is not a string");
        return;
      }
      llvm::SmallString<64> storage;
      unsigned line = lineOf(*key);
      std::string name = key->getValue(storage).str();
      yaml::Node *item = entry.getValue();
      Value below;
      if (item)
        below = convert(*item, depth + 1);
      if (!why.empty())
        return;
      below.line = line;
      value.keys.push_back(std::move(name));
      value.items.push_back(std::move(below));
    }
  }
};

} // namespace

llvm::Expected<Value> parseYamlLock(StringRef text, StringRef shown) {
  return Walker(text, shown).walk();
}

} // namespace cudacc::probe
