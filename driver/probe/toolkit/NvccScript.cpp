// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/NvccScript.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/support/ReadWhole.h"
#include "llvm/ADT/SmallVector.h"

namespace cudacc::probe {

using namespace core;
using namespace support;

static constexpr uint64_t largestScript = 64 << 10;
static constexpr unsigned mostHops = 8;

std::optional<std::string> nvccCalledBy(llvm::StringRef script) {
  std::optional<std::string> called;
  llvm::SmallVector<llvm::StringRef, 32> lines;
  script.split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (line.starts_with("#") || (!line.contains("$@") && !line.contains("$*")))
      continue;
    llvm::SmallVector<llvm::StringRef, 8> words;
    line.split(words, ' ', -1, false);
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "-a") {
        ++i;
        continue;
      }
      llvm::StringRef word = words[i].trim("\"'");
      if (!word.starts_with("/") || !nameOf(word).starts_with("nvcc") || word.contains('$'))
        continue;
      if (called && *called != word)
        return std::nullopt;
      called = word.str();
      break;
    }
  }
  return called;
}

/// Returns the text of a script, or an empty string for a binary.
static llvm::Expected<std::string> readScript(llvm::StringRef path, Files &files) {
  auto text = readStart(files, path, largestScript);
  if (text && !llvm::StringRef(*text).starts_with("#!"))
    text->clear();
  return text;
}

llvm::Expected<FollowedNvcc> followNvcc(llvm::StringRef path, Files &files) {
  FollowedNvcc followed;
  std::string at = path.str();
  for (unsigned hop = 0; hop < mostHops; ++hop) {
    if (files.stat(at).kind != FileStatus::Kind::Regular) {
      std::vector<Fact> facts = {{"searched", at}};
      if (at != path)
        facts.push_back({"called by", path.str()});
      return makeError(Code::NoToolkit, "there is no nvcc at its place", std::move(facts));
    }
    auto script = readScript(at, files);
    if (!script)
      return script.takeError();
    if (!script->empty()) {
      followed.scripts.push_back(at);
      if (auto next = nvccCalledBy(*script)) {
        at = *next;
        continue;
      }
      break;
    }
    if (files.stat(joinPath(parentOf(at), "nvcc.profile")).exists())
      break;
    auto target = files.readLink(at);
    if (!target)
      break;
    at = normalizePath(joinPath(parentOf(at), *target), files);
  }
  followed.driver = at;
  followed.nvcc = followed.scripts.empty() ? at : followed.scripts.front();
  return followed;
}

} // namespace cudacc::probe
