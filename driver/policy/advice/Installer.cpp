// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Installer.h"
#include "driver/support/PipCommand.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

static constexpr StringRef bareInstall = "pip install ", bareUninstall = "pip uninstall -y ";

/// Where the \p bare command stands at \p from or behind it: alone, after a colon, "and" or "&&".
static size_t findBare(StringRef fix, StringRef bare, size_t from) {
  for (size_t at = fix.find(bare, from); at != StringRef::npos; at = fix.find(bare, at + 1)) {
    StringRef before = fix.take_front(at), words = fix.substr(at + bare.size());
    bool isCommand = before.empty() || before.ends_with(": ") || before.ends_with("and ") ||
                     before.ends_with("&& ");
    if (isCommand && !words.starts_with("--platform"))
      return at;
  }
  return StringRef::npos;
}

bool namesInstaller(llvm::ArrayRef<Finding> findings) {
  return llvm::any_of(findings, [](const Finding &finding) {
    return llvm::any_of(finding.fixes, [](const std::string &fix) {
      return findBare(fix, bareInstall, 0) != StringRef::npos ||
             findBare(fix, bareUninstall, 0) != StringRef::npos;
    });
  });
}

static void replaceBare(std::string &fix, StringRef bare, StringRef command) {
  for (size_t at = findBare(fix, bare, 0); at != StringRef::npos;
       at = findBare(fix, bare, at + command.size()))
    fix.replace(at, bare.size() - 1, command.str());
}

void nameInstaller(StringRef command, std::vector<std::string> &fixes) {
  if (command.empty())
    return;
  std::vector<std::string> named;
  for (std::string &fix : fixes) {
    replaceBare(fix, bareInstall, command);
    replaceBare(fix, bareUninstall, support::uninstallCommand(command));
    // Another rule may have named the command in full.
    if (!llvm::is_contained(named, fix))
      named.push_back(std::move(fix));
  }
  fixes = std::move(named);
}

void nameInstaller(StringRef command, llvm::MutableArrayRef<Finding> findings) {
  for (Finding &finding : findings)
    nameInstaller(command, finding.fixes);
}

} // namespace cudacc::policy
