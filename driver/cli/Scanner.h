// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cli/Expansion.h"
#include "driver/cli/Options.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Invocation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <bitset>

namespace cudacc::cli {

/// Scans a compiler's words once and fills the Invocation.
class Scanner {
public:
  Scanner(core::Invocation &call, core::Files &files);

  /// \p line: for nvcc, options files are not opened yet; for a host compiler they are expanded.
  llvm::Error scan(std::vector<core::Word> line, Expansion &expansion);
  /// Classifies the inputs and determines the kind of call, after all words were scanned.
  void finish();

private:
  /// Options forwarded to another program, whose value may follow in a later word (`-Xlinker -rpath
  /// -Xlinker X`). `pending` is the option that waits for its value.
  struct Stream {
    const OptionTable &table;
    const OptionRow *pending = nullptr;
    unsigned values = 0;
  };

  llvm::Error scanLine(std::vector<core::Word> line, Expansion &expansion);
  llvm::Error scanWords(llvm::ArrayRef<core::Word> words, Expansion &expansion, unsigned depth);
  uint32_t addWord(const core::Word &word);
  void takeOption(const Match &found, llvm::StringRef value, uint32_t word);
  void takeNvcc(Action action, llvm::StringRef value, uint32_t word);
  void takeHost(Action action, llvm::StringRef value, uint32_t word);
  void takeShared(Action action, llvm::StringRef value, uint32_t word, bool partOfWord);
  void takeForwarded(llvm::StringRef option, uint32_t word);
  void takeStream(Stream &stream, llvm::StringRef text, uint32_t word);
  void takeNested(Stream &stream, llvm::StringRef text, uint32_t word);
  void takeWords(Stream &stream, llvm::ArrayRef<core::Word> words, llvm::Error error,
                 uint32_t word);
  void takeConfig(llvm::StringRef path, uint32_t word);
  void takeStreamValue(Stream &stream, Action action, llvm::StringRef value, uint32_t word);
  void takeRpath(llvm::StringRef value);
  void addLibrary(llvm::StringRef name, uint32_t word, bool shared);
  void addFile(llvm::StringRef file, uint32_t word);
  bool takeSource(llvm::StringRef file);
  llvm::Error openOptionsFiles(llvm::StringRef list, llvm::ArrayRef<core::Word> spelled,
                               Expansion &expansion, unsigned depth);
  bool seen(Action action) const { return actions[size_t(action)]; }
  void see(Action action) { actions.set(size_t(action)); }
  core::CallKind nvccKind() const;
  core::CallKind hostKind() const;
  bool onlyCmakesProbe() const;
  bool mayTakeRecord() const;

  core::Invocation &call;
  /// nvcc's host compiler writes a depfile of its own; with targets for what it lists.
  bool hostDepfile = false, hostPhonyTargets = false;
  core::Files &files;
  const OptionTable &table;
  Stream host, linker;
  /// Reads files that the compiler passes on unread: the linker's, `-Wl,@FILE`, and those of nvcc's
  /// host compiler, `-Xcompiler @FILE`.
  Expansion nestedFiles;
  std::optional<core::Finding> nestedProblem;
  llvm::StringRef language;
  /// The words are already in the Invocation, because no options file can add any.
  bool inPlace = false;
  uint32_t wordCount = 0;
  std::bitset<64> actions;
  /// The line has a word that makes the linker, or nvcc's host compiler, print something and stop.
  bool nestedProbe = false;
  bool onlyInputs = false;
  /// The kinds of input on the line.
  bool hasBarred = false, hasRecordable = false, hasHeader = false;
};

} // namespace cudacc::cli
