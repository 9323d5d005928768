// SPDX-License-Identifier: Apache-2.0
// One program has all targets: the name that it is called by, `fuzz_TARGET`, chooses.
#include "Input.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace cudacc;

static std::vector<const fuzz::Target *> &targets() {
  static std::vector<const fuzz::Target *> all;
  return all;
}

static const fuzz::Target *chosen;

fuzz::Target::Target(llvm::StringRef name, Run run, Mutate mutate)
    : name(name), run(run), mutate(mutate) {
  targets().push_back(this);
}

/// LLVM's allocator poisons the memory that it has not handed out. LLVM itself was built without
/// the sanitizer, so what its YAML parser and its reader of clang's configuration files allocate
/// stays poisoned. Called before anything is set up.
// The sanitizer's name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }

int LLVMFuzzerInitialize(int *, char ***arguments) {
  llvm::StringRef name = llvm::sys::path::filename((*arguments)[0]);
  name.consume_front("fuzz_");
  auto found = llvm::find_if(targets(), [&](const auto *each) { return each->name == name; });
  if (found == targets().end()) {
    llvm::errs() << "call this by the name fuzz_TARGET, not " << (*arguments)[0] << "\n";
    exit(2);
  }
  chosen = *found;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  chosen->run({reinterpret_cast<const char *>(data), size});
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return chosen->mutate ? chosen->mutate(data, size, most, seed)
                        : LLVMFuzzerMutate(data, size, most);
}
