// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Installer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

static constexpr StringRef bare = "pip install ";

/// Where a bare command stands at \p from or behind it: alone, after a colon or after "and".
static size_t findBare(StringRef fix, size_t from) {
  for (size_t at = fix.find(bare, from); at != StringRef::npos; at = fix.find(bare, at + 1)) {
    StringRef before = fix.take_front(at), words = fix.substr(at + bare.size());
    bool isCommand = before.empty() || before.ends_with(": ") || before.ends_with("and ");
    if (isCommand && !words.starts_with("--platform"))
      return at;
  }
  return StringRef::npos;
}

bool namesInstaller(llvm::ArrayRef<Finding> findings) {
  return llvm::any_of(findings, [](const Finding &finding) {
    return llvm::any_of(finding.fixes,
                        [](const std::string &fix) { return findBare(fix, 0) != StringRef::npos; });
  });
}

void nameInstaller(StringRef command, llvm::MutableArrayRef<Finding> findings) {
  if (command.empty())
    return;
  for (Finding &finding : findings) {
    std::vector<std::string> fixes = std::move(finding.fixes);
    finding.fixes.clear();
    for (std::string &fix : fixes) {
      for (size_t at = findBare(fix, 0); at != StringRef::npos;
           at = findBare(fix, at + command.size()))
        fix.replace(at, bare.size() - 1, command.str());
      // Another rule may have named the command in full.
      if (!llvm::is_contained(finding.fixes, fix))
        finding.addFix(std::move(fix));
    }
  }
}

} // namespace cudacc::policy
