// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cli/Expansion.h"
#include "driver/cli/Options.h"
#include "driver/core/Invocation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <bitset>

namespace cudacc::cli {

/// Walks over a compiler's words once and fills the Invocation.
class Scanner {
public:
  Scanner(core::Invocation &call, core::Files &files);

  /// \p line: nvcc's options files are still to be opened; a host compiler's are expanded already.
  llvm::Error scan(std::vector<core::Word> line, Expansion &expansion);
  /// Sorts the inputs and decides the kind, once all words have been seen.
  void finish();

private:
  /// An option of a stream whose words are spread over several of the line
  /// (`-Xlinker -rpath -Xlinker X`), waiting for its value.
  struct Stream {
    const OptionTable &table;
    const OptionRow *pending = nullptr;
    unsigned values = 0;
  };

  llvm::Error scanWords(llvm::ArrayRef<core::Word> words, Expansion &expansion, unsigned depth);
  uint32_t addWord(const core::Word &word);
  void takeOption(const Match &found, llvm::StringRef value, uint32_t word);
  void takeNvcc(Action action, llvm::StringRef value, uint32_t word);
  void takeHost(Action action, llvm::StringRef value, uint32_t word);
  void takeShared(Action action, llvm::StringRef value, uint32_t word, bool partOfWord);
  void takeForwarded(llvm::StringRef option, uint32_t word);
  void takeStream(Stream &stream, llvm::StringRef text, uint32_t word);
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
  core::Files &files;
  const OptionTable &table;
  Stream host, linker;
  llvm::StringRef language;
  /// The words are in the Invocation already, since no options file can add to them.
  bool inPlace = false;
  uint32_t wordCount = 0;
  std::bitset<64> actions;
  /// A word for the linker that makes it print and stop, or one for nvcc's host compiler.
  bool nestedProbe = false;
  bool onlyInputs = false;
  /// Which kinds of input the line has.
  bool hasBarred = false, hasRecordable = false, hasHeader = false;
};

} // namespace cudacc::cli
