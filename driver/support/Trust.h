// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::support {

/// Why what lies somewhere may be another person's word.
struct Doubt {
  /// The file or directory as it was named, and what it is behind its links.
  std::string path, real;
  /// "alice (uid 1000)", and likewise who asks.
  std::string owner, user;
  /// A clause about `real`: "others can write to it (mode 0666)".
  std::string because;
  /// The directory that has to be trusted.
  std::string directory;
  /// A command that takes the reason away; empty: only trust does.
  std::string mend;
  /// What CUDA_CC_TRUST would have to be.
  std::string variable;
  /// What was meant as trust and does not count.
  std::vector<core::Fact> notes;

  /// Code::UntrustedDeclaration. \p refused: what stands there that only a trusted file may say.
  core::Finding finding(llvm::StringRef message, std::vector<core::Fact> refused) const;
};

/// Whose word counts (F12). A file or directory is the user's own where it and the directory that
/// it lies in belong to the user or to root, and nobody else can write to either; a link counts as
/// what it leads to, too. Directories further up are not asked: who replaces what lies below them
/// owns what is put there. The user's private group, and root's, are nobody else. What is not the
/// user's own counts where the user said so: CUDA_CC_TRUST=PATH[:PATH], and the list that `cuda-cc
/// trust` keeps. Access control lists are not looked at beyond what they show in the mode.
class Trust {
public:
  Trust(core::Files &files, const core::Environment &environment, unsigned uid)
      : files(files), environment(environment), uid(uid) {}

  /// \p status is that of \p path, which is absolute, links followed. Nothing: it may be believed.
  std::optional<Doubt> doubt(llvm::StringRef path, const core::FileStatus &status);
  std::optional<Doubt> doubt(llvm::StringRef path) { return doubt(path, files.stat(path)); }

  /// A directory as /tmp: everybody can write to it, and nobody can replace what others put there.
  static bool isShared(const core::FileStatus &directory) {
    constexpr unsigned stickyForAll = 01002;
    return (directory.mode & stickyForAll) == stickyForAll;
  }
  /// CUDA_CC_TRUST or the list has \p path, or a directory above it.
  bool isListed(llvm::StringRef path);

  /// ${XDG_CONFIG_HOME:-~/.config}/cuda-cc/trust; empty: there is no place for it.
  std::string listPath() const;
  /// Why the list does not count: somebody else, root included, could have written it, or its
  /// directory. Empty: it does, or is not there.
  std::string listProblem();
  /// The lines of the list that are paths; none, and \p problem is set, where it does not count.
  std::vector<std::string> readList(std::string &problem);
  /// What CUDA_CC_TRUST names; \p relative: the first path that counts for nothing, as it is not
  /// absolute.
  std::vector<std::string> readVariable(std::string &relative) const;
  /// Where \p path lies behind links to its directory.
  std::string place(llvm::StringRef path) const;
  /// \p trusted is \p path or a directory above it.
  static bool covers(llvm::StringRef trusted, llvm::StringRef path);

private:
  struct Writers {
    std::string because, mode;
  };
  /// Who else can write to what has that status; empty: nobody. \p onlyOwn: root is somebody else.
  std::optional<Writers> writers(const core::FileStatus &status, llvm::StringRef what,
                                 bool onlyOwn = false);
  bool isPrivate(unsigned group);
  bool hasNobodyElse(unsigned group);
  std::string account(unsigned id);
  std::string group(unsigned id);

  core::Files &files;
  const core::Environment &environment;
  unsigned uid;
  /// Read once something is not the user's own.
  std::optional<std::vector<std::string>> listed;
  std::vector<core::Fact> notes;
  /// A file and its directory mostly have the same group.
  std::optional<std::pair<unsigned, bool>> lastGroup;
};

} // namespace cudacc::support
