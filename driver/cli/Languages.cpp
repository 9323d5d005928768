// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Languages.h"
#include "llvm/ADT/StringSwitch.h"

using cudacc::core::Dialect;
using llvm::StringRef;

namespace cudacc::cli {

static InputKind ofLanguage(Dialect dialect, StringRef language) {
  return llvm::StringSwitch<InputKind>(language)
      .Case("cu", dialect == Dialect::Nvcc ? InputKind::Cuda : InputKind::Barred)
      .Case("cuda", dialect == Dialect::Clang ? InputKind::Cuda : InputKind::Barred)
      .Cases("c", "c++", InputKind::Source)
      .Cases("cpp-output", "c++-cpp-output", "cuda-cpp-output", InputKind::Other)
      .Cases("assembler", "assembler-with-cpp", "ir", InputKind::Other)
      .Default(language.ends_with("-header") ? InputKind::Header : InputKind::Barred);
}

/// \p suffix has no dot. Suffixes are those of gcc 12's documentation, of clang 19's Types.def as
/// observed with -ccc-print-phases, and of nvcc 13.0's table of input files.
static InputKind ofSuffix(Dialect dialect, StringRef suffix) {
  if (dialect == Dialect::Nvcc)
    return llvm::StringSwitch<InputKind>(suffix)
        .Case("cu", InputKind::Cuda)
        .Cases("c", "cc", "cpp", "cxx", "C", "CC", "c++", InputKind::Source)
        .Cases("cup", "gpu", "ptx", "cubin", "fatbin", "ltoir", "i", "ii", InputKind::Other)
        .Default(InputKind::Link);
  if (dialect == Dialect::Clang) {
    auto ours = llvm::StringSwitch<std::optional<InputKind>>(suffix)
                    .Case("cu", InputKind::Cuda)
                    .Cases("cui", "ll", "bc", InputKind::Other)
                    .Cases("hip", "hipi", "cl", "ast", "pcm", InputKind::Barred)
                    .Cases("iim", "iih", InputKind::Barred)
                    .Default(std::nullopt);
    if (ours)
      return *ours;
  }
  return llvm::StringSwitch<InputKind>(suffix)
      .Cases("c", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "CC", InputKind::Source)
      .Cases("i", "ii", "s", "S", "sx", "asm", InputKind::Other)
      .Cases("h", "hh", "H", "hp", "hxx", "hpp", "HPP", "h++", "tcc", InputKind::Header)
      .Cases("cppm", "ccm", "cxxm", "c++m", "ixx", "mpp", InputKind::Barred)
      .Cases("m", "mi", "mm", "M", "mii", InputKind::Barred)
      .Cases("f", "for", "ftn", "F", "FOR", "fpp", "FPP", "FTN", InputKind::Barred)
      .Cases("f90", "f95", "f03", "f08", "F90", "F95", "F03", "F08", InputKind::Barred)
      .Cases("go", "d", "di", "dd", "ads", "adb", InputKind::Barred)
      .Default(InputKind::Link);
}

static StringRef suffixOf(StringRef file) {
  size_t dot = file.rfind('.');
  StringRef suffix = dot == StringRef::npos ? StringRef() : file.substr(dot + 1);
  return suffix.contains('/') ? StringRef() : suffix;
}

InputKind kindOf(Dialect dialect, StringRef file, StringRef language) {
  if (!language.empty() && language != "none")
    return ofLanguage(dialect, language);
  if (file == "-")
    return InputKind::Barred;
  StringRef suffix = suffixOf(file);
  return suffix == "o" ? InputKind::Link : ofSuffix(dialect, suffix);
}

bool hasInputSuffix(StringRef file) {
  return llvm::StringSwitch<bool>(suffixOf(file))
             .Cases("cu", "cup", "gpu", "ptx", "cubin", "fatbin", "ltoir", true)
             .Cases("c", "cc", "cpp", "cxx", "C", "CC", "c++", "i", "ii", true)
             .Cases("o", "obj", "a", "lib", "so", "res", true)
             .Default(false) ||
         file.contains(".so.");
}

} // namespace cudacc::cli
