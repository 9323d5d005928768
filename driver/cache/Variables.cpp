// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/Variables.h"
#include "driver/support/Paths.h"
#include "driver/support/ReadWhole.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::cache {

using namespace core;
using llvm::StringRef;

/// Of host compilers (gcc's manual, "Environment Variables"), and of the dynamic loader; PWD is the
/// folder in debug information.
static constexpr llvm::StringLiteral readBySteps[] = {"CPATH",
                                                      "C_INCLUDE_PATH",
                                                      "CPLUS_INCLUDE_PATH",
                                                      "COMPILER_PATH",
                                                      "GCC_EXEC_PREFIX",
                                                      "GCC_COMPARE_DEBUG",
                                                      "GCC_COLORS",
                                                      "GCC_EXTRA_DIAGNOSTIC_OUTPUT",
                                                      "LANG",
                                                      "LANGUAGE",
                                                      "PWD",
                                                      "SOURCE_DATE_EPOCH",
                                                      "LD_PRELOAD",
                                                      "LD_AUDIT",
                                                      "LD_LIBRARY_PATH",
                                                      "CCC_OVERRIDE_OPTIONS"};
static constexpr llvm::StringLiteral prefixesReadBySteps[] = {"LC_", "CLANG_", "NVVM",
                                                              "CUDA_CC_USER_"};

/// Those that nvcc's profile appends to, and that decide about programs and temporary files.
static constexpr llvm::StringLiteral readByNvcc[] = {
    "PATH",      "TMPDIR",       "INCLUDES",          "SYSTEM_INCLUDES",
    "LIBRARIES", "CUDAFE_FLAGS", "PTXAS_FLAGS",       "OPENCC_FLAGS",
    "TOP",       "CICC_PATH",    "NVVMIR_LIBRARY_DIR"};
static constexpr llvm::StringLiteral prefixesReadByNvcc[] = {"NVCC_", "CUDA_", "_"};

/// Those that another shell, or another job of make, has otherwise.
static constexpr llvm::StringLiteral readByNone[] = {
    "_", "SHLVL", "OLDPWD", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKE_TERMOUT", "MAKE_TERMERR"};

/// The programs whose variables these are, besides compilers of GCC and clang.
static constexpr llvm::StringLiteral knownPrograms[] = {
    "nvcc", "cicc", "ptxas", "fatbinary", "cudafe++", "cc1", "cc1plus", "as", "sh", "dash", "bash"};
static constexpr llvm::StringLiteral knownCompilers[] = {"gcc", "g++",   "cc",
                                                         "c++", "clang", "clang++"};

static std::string variables(const Environment &environment,
                             llvm::function_ref<bool(StringRef)> isRead) {
  std::string text;
  for (StringRef entry : environment.entries)
    if (isRead(entry.take_until([](char c) { return c == '='; }))) {
      text += entry;
      text += '\0';
    }
  return text;
}

static bool startsWithOne(StringRef name, llvm::ArrayRef<llvm::StringLiteral> prefixes) {
  return llvm::any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

static bool isReadBySteps(StringRef name) {
  return llvm::is_contained(readBySteps, name) || startsWithOne(name, prefixesReadBySteps);
}

/// Of cuda-cc itself: what they decide is in the command, but for the user's compilers.
static bool isOwn(StringRef name) {
  return name.starts_with("CUDA_CC_") && !name.starts_with("CUDA_CC_USER_");
}

std::string variablesOfSteps(const Environment &environment) {
  return variables(environment, isReadBySteps);
}

std::string variablesOfNvcc(const Environment &environment) {
  return variables(environment, [](StringRef name) {
    bool isRead = llvm::is_contained(readByNvcc, name) || startsWithOne(name, prefixesReadByNvcc) ||
                  isReadBySteps(name);
    return isRead && name != "_" && !isOwn(name);
  });
}

std::string allVariables(const Environment &environment) {
  return variables(environment, [](StringRef name) {
    return !llvm::is_contained(readByNone, name) && !isOwn(name);
  });
}

bool readsKnownVariables(Files &files, StringRef program) {
  StringRef name = support::nameOf(program);
  // x86_64-linux-gnu-g++-12
  StringRef compiler = name.take_front(name.find_last_not_of("0123456789.") + 1);
  compiler.consume_back("-");
  compiler = compiler.substr(compiler.rfind('-') + 1);
  if (!llvm::is_contained(knownPrograms, name) && !llvm::is_contained(knownCompilers, compiler))
    return false;
  return llvm::expectedToOptional(support::readStart(files, program, 4)) == "\177ELF";
}

} // namespace cudacc::cache
