// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::support {

/// Why a file or directory may be under another user's control.
struct Doubt {
  /// The path as given, and with links resolved.
  std::string path, real;
  /// "alice (uid 1000)", and the current user in the same form.
  std::string owner, user;
  /// A clause about `real`: "others can write to it (mode 0666)".
  std::string because;
  /// The directory that the user would have to trust.
  std::string directory;
  /// A command that removes the reason. Empty if only trusting the directory helps.
  std::string mend;
  /// The value that CUDA_CC_TRUST would need.
  std::string variable;
  /// Trust settings that were ignored, with the reason.
  std::vector<core::Fact> notes;

  /// Code::UntrustedDeclaration. \p refused: settings that only a trusted file may contain.
  core::Finding finding(llvm::StringRef message, std::vector<core::Fact> refused) const;
};

/// Decides which files may weaken checks (F12). A file or directory is the user's own if it and the
/// directory that contains it belong to the user or to root and nobody else can write to either;
/// for a link, its target must satisfy this, too. Directories further up are not checked: whoever
/// replaces something there owns the replacement. The user's private group and root's do not count
/// as somebody else. Anything else is accepted if the user trusts it: CUDA_CC_TRUST=PATH[:PATH], or
/// the list that `cuda-cc trust` keeps. Access control lists are considered only as far as the mode
/// shows them.
class Trust {
public:
  Trust(core::Files &files, const core::Environment &environment, unsigned uid)
      : files(files), environment(environment), uid(uid) {}

  /// \p status is that of \p path, which is absolute, with links followed. std::nullopt: trusted.
  std::optional<Doubt> doubt(llvm::StringRef path, const core::FileStatus &status);
  std::optional<Doubt> doubt(llvm::StringRef path) { return doubt(path, files.stat(path)); }

  /// A directory like /tmp: everybody can write to it, but only owners can replace files.
  static bool isShared(const core::FileStatus &directory) {
    constexpr unsigned stickyForAll = 01002;
    return (directory.mode & stickyForAll) == stickyForAll;
  }
  /// CUDA_CC_TRUST or the list contains \p path or a directory above it.
  bool isListed(llvm::StringRef path);

  /// ${XDG_CONFIG_HOME:-~/.config}/cuda-cc/trust. Empty if neither variable gives a location.
  std::string listPath() const;
  /// Why the list is ignored: somebody else, root included, could have written it or its directory.
  /// Empty if it is valid or does not exist.
  std::string listProblem();
  /// The paths in the list. Empty, with \p problem set, if the list is ignored.
  std::vector<std::string> readList(std::string &problem);
  /// The paths in CUDA_CC_TRUST. \p relative: the first one that is ignored because it is not
  /// absolute.
  std::vector<std::string> readVariable(std::string &relative) const;
  /// \p path with the links to its directory resolved.
  std::string place(llvm::StringRef path) const;
  /// \p trusted is \p path or a directory above it.
  static bool covers(llvm::StringRef trusted, llvm::StringRef path);

private:
  struct Writers {
    std::string because, mode;
  };
  /// Who else can write to a file with that status; std::nullopt if nobody can. With \p onlyOwn,
  /// root counts as somebody else.
  std::optional<Writers> writers(const core::FileStatus &status, llvm::StringRef what,
                                 bool onlyOwn = false);
  bool isPrivate(unsigned group);
  bool hasNobodyElse(unsigned group);
  std::string account(unsigned id);
  std::string group(unsigned id);

  core::Files &files;
  const core::Environment &environment;
  unsigned uid;
  /// Read when the first file is found that is not the user's own.
  std::optional<std::vector<std::string>> listed;
  std::vector<core::Fact> notes;
  /// Cached, because a file and its directory mostly have the same group.
  std::optional<std::pair<unsigned, bool>> lastGroup;
};

} // namespace cudacc::support
