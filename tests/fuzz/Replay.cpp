// SPDX-License-Identifier: Apache-2.0
#include "Input.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <vector>

/// Copies the bytes into an allocation of exactly that size, so that the sanitizer detects every
/// read beyond it.
static void once(llvm::StringRef bytes) {
  auto exact = std::make_unique<uint8_t[]>(bytes.size());
  std::memcpy(exact.get(), bytes.data(), bytes.size());
  LLVMFuzzerTestOneInput(exact.get(), bytes.size());
}

/// The file, the file truncated at every fourth byte, and with each aligned word overwritten. For a
/// large file, the number of places is that of a small one.
static void replay(llvm::StringRef bytes) {
  once(bytes);
  size_t step = std::max<size_t>(4, bytes.size() / 1024 / 4 * 4);
  std::string changed = bytes.str();
  for (size_t at = 0; at + 4 <= bytes.size(); at += step) {
    once(bytes.take_front(at));
    for (char value : {'\0', '\x7f', '\xff'}) {
      changed.replace(at, 4, 4, value);
      once(changed);
    }
    changed.replace(at, 4, bytes.substr(at, 4).str());
  }
}

/// libFuzzer's, which changes nothing here.
size_t LLVMFuzzerMutate(uint8_t *, size_t size, size_t) { return size; }

/// Replaces libFuzzer's main: replays the given files, and changes made of them.
int main(int count, char **arguments) {
  LLVMFuzzerInitialize(&count, &arguments);
  for (int i = 1; i < count; ++i) {
    auto buffer = llvm::MemoryBuffer::getFile(arguments[i], false, false);
    if (!buffer) {
      llvm::errs() << "cannot read " << arguments[i] << "\n";
      return 1;
    }
    llvm::StringRef bytes = (*buffer)->getBuffer();
    replay(bytes);
    // Each change is made of the file, so that a seed alone decides what it is.
    static constexpr unsigned changes = 64;
    for (unsigned seed = 0; seed < changes; ++seed) {
      std::vector<uint8_t> changed(bytes.begin(), bytes.end());
      changed.resize(bytes.size() + 4096);
      size_t size = LLVMFuzzerCustomMutator(changed.data(), bytes.size(), changed.size(), seed);
      once({reinterpret_cast<const char *>(changed.data()), size});
    }
  }
  return 0;
}
