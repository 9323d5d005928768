// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/loader/search/Objects.h"

namespace cudacc::loader {

/// What one request came to.
struct Answer {
  enum class Kind {
    /// `candidate` lies at `step.path`.
    Found,
    Failed,
    /// Not followed to its end: LoadResult::unknown says why.
    GivenUp,
  };
  Kind kind = Kind::Failed;
  Candidate candidate;
  core::LoadStep step;
  /// Failed: glibc's words.
  std::string failure;
  /// Of a file that was found and cannot be loaded, as LoadResult has them; its path is
  /// `step.path`.
  bool endsProcess = false;
  std::string detail, package;
  std::vector<std::string> searched;
};

/// The search for one file after another, in one process (LS-0a to LS-0e).
class Search {
public:
  Search(const Situation &situation, Objects &objects, Open open, Cache cache,
         std::vector<std::string> &unknown)
      : situation(situation), objects(objects), open(open), cache(cache), unknown(unknown) {}

  /// \p asker is the object whose NEEDED it is, or which calls dlopen.
  Answer find(llvm::StringRef name, size_t asker);
  /// With $ORIGIN and its kind of the object \p index; empty: cannot be used.
  std::string expanded(llvm::StringRef text, size_t index);

private:
  /// Nothing: not here, go on. Otherwise the search is over.
  using SearchEnd = std::optional<Answer::Kind>;

  SearchEnd slashed(llvm::StringRef name, size_t asker);
  SearchEnd lists(llvm::StringRef name, size_t asker);
  SearchEnd rpaths(llvm::StringRef name, size_t asker);
  SearchEnd cached(llvm::StringRef name, bool noDefaults);
  SearchEnd list(llvm::StringRef name, llvm::ArrayRef<Directory> list, core::LoadedBy by,
                 llvm::StringRef owner);
  /// Tries one path. \p goOn is cleared when the rest of the list is not to be searched.
  SearchEnd attempt(std::string path, llvm::StringRef name, bool &goOn);
  llvm::ArrayRef<Directory> rpathOf(size_t index);
  llvm::ArrayRef<Directory> runpathOf(size_t index);
  std::vector<Directory> decompose(llvm::ArrayRef<std::string> elements, size_t index,
                                   const char *tag);
  std::string originOf(size_t index);
  Tokens tokensOf(size_t index, llvm::StringRef origin) const;
  llvm::StringRef describe(size_t index);
  void note(std::string clause);

  const Situation &situation;
  Objects &objects;
  Open open;
  Cache cache;
  std::vector<std::string> &unknown;
  std::optional<std::vector<Directory>> libraryPath;
  std::vector<Directory> defaults;
  uint64_t attempts = 0;
  /// Of the request in hand.
  Answer answer;
  bool otherClass = false;
  /// errno, in words. Not of the request: one that tries nothing (NODEFLIB, no lists) is told what
  /// the last file left behind, and that was success.
  std::string lastError = "No such file or directory";
};

} // namespace cudacc::loader
