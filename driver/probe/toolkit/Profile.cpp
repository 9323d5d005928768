// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/Profile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace cudacc::probe {

namespace {
/// Longer values are cut off, so that a profile which doubles a variable on every line stays
/// bounded.
constexpr size_t longest = 16 << 10;
using Variables = std::map<std::string, std::string>;
} // namespace

static std::string expand(llvm::StringRef text, const Variables &variables) {
  std::string result;
  while (!text.empty() && result.size() < longest) {
    size_t at = text.find("$(");
    result += text.take_front(at);
    if (at == llvm::StringRef::npos)
      break;
    auto [name, rest] = text.drop_front(at + 2).split(')');
    auto it = variables.find(name.trim().str());
    if (it != variables.end())
      result += it->second;
    text = rest;
  }
  return result.substr(0, longest);
}

static void assign(llvm::StringRef line, Variables &variables) {
  llvm::StringRef name = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  llvm::StringRef rest = line.drop_front(name.size()).ltrim(" \t");
  if (name.empty())
    return;
  bool conditional = rest.consume_front("?="), prepend = !conditional && rest.consume_front("+="),
       append = !conditional && !prepend && rest.consume_front("=+");
  if (!conditional && !prepend && !append && !rest.consume_front("="))
    return;
  std::string value = expand(rest.trim(" \t\r"), variables);
  std::string &variable = variables[name.str()];
  if (prepend)
    variable = value + variable;
  else if (append)
    variable += value;
  else if (!conditional || variable.empty())
    variable = std::move(value);
  variable.resize(std::min(variable.size(), longest));
}

/// Splits words as nvcc's shell does; double quotes group.
static std::vector<std::string> words(llvm::StringRef text) {
  std::vector<std::string> result;
  bool quoted = false, open = false;
  for (char c : text) {
    if (c == '"') {
      quoted = !quoted;
      if (!std::exchange(open, true))
        result.emplace_back();
    } else if (!quoted && llvm::isSpace(c)) {
      open = false;
    } else {
      if (!std::exchange(open, true))
        result.emplace_back();
      result.back() += c;
    }
  }
  return result;
}

static std::vector<std::string> folders(llvm::StringRef text, llvm::StringRef option) {
  std::vector<std::string> result;
  bool next = false;
  for (const std::string &word : words(text)) {
    llvm::StringRef value = word;
    if (std::exchange(next, false))
      result.push_back(word);
    else if (value.consume_front(option)) {
      if (value.empty())
        next = true;
      else
        result.push_back(value.str());
    }
  }
  return result;
}

Profile parseProfile(llvm::StringRef text, llvm::StringRef here, llvm::StringRef targetDir) {
  Variables variables = {{"_HERE_", here.str()},
                         {"_SPACE_", " "},
                         {"_TARGET_DIR_", targetDir.str()},
                         {"_TARGET_SIZE_", targetDir.empty() ? "64" : ""}};
  std::string line;
  while (!text.empty()) {
    auto [head, rest] = text.split('\n');
    text = rest;
    line += head.rtrim("\r");
    if (llvm::StringRef(line).ends_with("\\") && !text.empty()) {
      line.back() = ' ';
      continue;
    }
    assign(llvm::StringRef(line).ltrim(" \t"), variables);
    line.clear();
  }

  Profile profile;
  profile.includes = folders(variables["INCLUDES"], "-I");
  profile.systemIncludes = folders(variables["SYSTEM_INCLUDES"], "-isystem");
  profile.libraries = folders(variables["LIBRARIES"], "-L");
  profile.ciccPath = variables["CICC_PATH"];
  llvm::SmallVector<llvm::StringRef, 4> parts;
  llvm::StringRef(variables["PATH"]).split(parts, ':', -1, false);
  for (llvm::StringRef part : parts)
    profile.path.push_back(part.trim().str());
  return profile;
}

} // namespace cudacc::probe
