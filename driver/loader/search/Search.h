// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/loader/search/Expansion.h"
#include "driver/loader/search/Search.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::loader {

/// An object in the process.
struct Object {
  /// As the loader spells it; empty for the program, as in LoadStep::askedBy.
  std::string path;
  /// Null if unknown; the object then has no SONAME and no search path.
  const core::BinaryFacts *facts = nullptr;
  /// Index of the first object that NEEDED it; std::nullopt for dlopen.
  std::optional<size_t> loader;
  /// Split and expanded on first use.
  std::optional<std::vector<Directory>> rpath, runpath;
};

/// The objects of one process in load order, found by name or by file. The program is the first,
/// the loader the second; those of Situation::present follow.
class Objects {
public:
  static constexpr size_t Program = 0, FirstPresent = 2;

  explicit Objects(const Situation &situation);

  size_t size() const { return list.size(); }
  Object &operator[](size_t index) { return list[index]; }
  /// LS-0a: by SONAME, by a name it was requested by, or by path.
  std::optional<size_t> byName(llvm::StringRef name) const;
  /// LS-22. Unknown inodes never match.
  std::optional<size_t> byFile(uint64_t device, uint64_t inode) const;
  void addName(size_t index, llvm::StringRef name);
  size_t add(Object object, llvm::StringRef requested, uint64_t device, uint64_t inode);

private:
  std::vector<Object> list;
  llvm::StringMap<size_t> names;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, size_t> files;
};

/// The outcome of one request.
struct Answer {
  enum class Kind {
    /// `candidate` is the file at `step.path`.
    Found,
    Failed,
    /// Not searched to the end; LoadResult::unknown has the reason.
    GivenUp,
  };
  Kind kind = Kind::Failed;
  Candidate candidate;
  core::LoadStep step;
  /// Failed: glibc's message.
  std::string failure;
  /// For a file that was found but cannot be loaded, as in LoadResult; its path is `step.path`.
  bool endsProcess = false;
  std::string detail, package;
  std::vector<std::string> searched;
};

/// Searches for one file after another in one process (LS-0a to LS-0e).
class Search {
public:
  Search(const Situation &situation, Objects &objects, Tree &tree,
         std::vector<std::string> &unknown)
      : situation(situation), objects(objects), tree(tree), unknown(unknown) {}

  /// \p asker is the object that has the NEEDED entry or calls dlopen.
  Answer find(llvm::StringRef name, size_t asker);
  /// Expands the tokens in \p text for the object \p index; empty if the text cannot be used.
  std::string expanded(llvm::StringRef text, size_t index);

private:
  /// std::nullopt: not found here, the search goes on. Otherwise the search has ended.
  using SearchEnd = std::optional<Answer::Kind>;

  SearchEnd slashed(llvm::StringRef name, size_t asker);
  SearchEnd lists(llvm::StringRef name, size_t asker);
  SearchEnd rpaths(llvm::StringRef name, size_t asker);
  SearchEnd cached(llvm::StringRef name, bool noDefaults);
  SearchEnd list(llvm::StringRef name, llvm::ArrayRef<Directory> list, core::LoadedBy by,
                 llvm::StringRef owner);
  /// Tries one path. Clears \p goOn if the rest of the list must not be searched.
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
  Tree &tree;
  std::vector<std::string> &unknown;
  std::optional<std::vector<Directory>> libraryPath;
  std::vector<Directory> defaults;
  uint64_t attempts = 0;
  /// The answer to the current request.
  Answer answer;
  bool otherClass = false;
  /// errno as text. Kept between requests: one that opens no file (NODEFLIB, no lists) reports the
  /// errno that the last file left, which is success if that file was loaded.
  std::string lastError = "No such file or directory";
};

} // namespace cudacc::loader
