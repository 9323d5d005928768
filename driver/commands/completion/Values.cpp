// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/completion/Values.h"
#include "driver/commands/Declaration.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/help/Help.h"
#include "driver/pipeline/Declared.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/tables/lookup/UserTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// Terms begin in column 2 of the page's list of options, meanings in column 24 or behind a gap.
std::string meaningOf(StringRef tool, StringRef option) {
  constexpr llvm::StringLiteral meaningIndent = "                        ";
  std::string meaning;
  bool found = false;
  for (StringRef line : llvm::split(helpPage(tool).split("\noptions").second, '\n')) {
    if (found && !line.consume_front(meaningIndent))
      break;
    if (!found) {
      found = line.consume_front("  ") && line.consume_front(option) &&
              (line.empty() || line.find_first_of(" =") == 0);
      if (!found)
        continue;
      line = line.substr(line.find("  "));
    }
    if (line = line.trim(); !line.empty())
      meaning += fmt::format("{}{}", meaning.empty() ? "" : " ", line);
  }
  return meaning;
}

void Values::put(StringRef before, StringRef value, StringRef meaning) {
  out.candidates.push_back({fmt::format("{}{}", before, value), meaning.str()});
}

void Values::add(StringRef kinds, StringRef before, StringRef word) {
  for (StringRef item : llvm::split(kinds, ' ')) {
    item = item.trim('\'');
    auto isUpper = [](StringRef text) { return text == text.upper() && !text.empty(); };
    auto [front, kind] = item.rsplit(':');
    if (isUpper(item)) {
      addKind(item, before, word);
    } else if (!isUpper(kind)) {
      if (!item.empty())
        put(before, item);
    } else if (word.starts_with(item.drop_back(kind.size()))) {
      std::string all = fmt::format("{}{}:", before, front);
      addKind(kind, all, word.drop_front(front.size() + 1));
    } else {
      put(before, item.drop_back(kind.size()));
    }
  }
}

bool Values::addNames(StringRef kind, size_t offset) {
  using Kind = ShellNames::Kind;
  auto names =
      llvm::StringSwitch<std::optional<ShellNames>>(kind)
          .Cases("FILE", "PATH", ShellNames{Kind::Files, offset, ""})
          .Case("HTML", ShellNames{Kind::Files, offset, "html"})
          .Case("BINARY", ShellNames{Kind::Files, offset, "so whl a o fatbin cubin ptx ltoir"})
          .Case("DIR", ShellNames{Kind::Directories, offset, ""})
          .Case("PROGRAM", ShellNames{Kind::Programs, offset, ""})
          .Default(std::nullopt);
  if (names)
    out.names.push_back(*names);
  return names.has_value();
}

void Values::addKind(StringRef kind, StringRef before, StringRef word) {
  if (addNames(kind, before.size()))
    return;
  if (kind == "REQ")
    return addRequirements(before, word);
  if (kind == "SM")
    for (versions::Arch arch : tables::knownArchs())
      put(before, arch.str());
  if (kind == "LIB")
    for (StringRef name : tables::linkNames())
      put(before, name);
  if (kind == "SUBCOMMAND")
    for (const Subcommand &each : subcommands())
      put(before, each.name, titleOf(each.name));
  if (kind == "CODE" || (kind == "CODE=SEVERITY" && !word.contains('=')))
    for (const CodeInfo &row : allCodes())
      put(before, fmt::format("{}{}", str(row.code), kind == "CODE" ? "" : "="), row.title);
  if (kind == "CODE=SEVERITY" && word.contains('='))
    for (Severity severity : {Severity::Error, Severity::Warning, Severity::Remark})
      put(before, fmt::format("{}={}", word.split('=').first, str(severity)));
}

/// Names first, then the releases of one: all at once are hundreds.
void Values::addRequirements(StringRef before, StringRef word) {
  if (size_t equals = word.find("=="); equals != StringRef::npos)
    return addReleases(before, word.take_front(equals));
  put(before, "torch==", "a release of PyTorch");
  put(before, "cuda==", "a line of the toolkit");
  for (const tables::FrameworkName &each : tables::frameworkNames())
    put(before, fmt::format("{}{}", each.str(), each.fixesMajor() ? "" : "=="));
  add("env env:DIR lock:FILE", before, word);
}

void Values::addReleases(StringRef before, StringRef name) {
  auto declaration = llvm::expectedToOptional(readDeclaration(system, arguments));
  auto added = declaration
                   ? llvm::expectedToOptional(pipeline::readUserTables(system, *declaration))
                   : std::nullopt;
  const tables::UserTables *more = added && *added ? &**added : nullptr;
  auto release = [&](StringRef number, StringRef meaning = "") {
    put(before, fmt::format("{}=={}", name, number), meaning);
  };
  if (name == "torch")
    for (const tables::TorchRelease &each : tables::torchReleases(more))
      release(each.str(), fmt::format("CUDA {}", each.defaultLine));
  if (name == "cuda")
    for (versions::CudaVersion line : tables::toolkitLines(more))
      release(line.str());
  for (const tables::FrameworkName &each : tables::frameworkNames()) {
    std::set<StringRef> seen;
    if (each.str() == name)
      for (const tables::FrameworkRun &run : tables::frameworkRuns(each, more))
        for (StringRef number : run.read)
          if (seen.insert(number).second)
            release(number);
  }
}

} // namespace cudacc::commands
