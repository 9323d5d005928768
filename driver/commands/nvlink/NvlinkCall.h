// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Arch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::commands {

/// An nvlink command line.
struct NvlinkCall {
  versions::Arch arch;
  std::string output = "a.out";
  /// File that lists the modules that the host registers; empty if none is asked for.
  std::string registerFile;
  /// Objects, archives and libraries by path, and the names of `-l`, each in order.
  std::vector<std::string> files, libraries;
  std::vector<std::string> folders;
  bool lto = false, emitPtx = false;
  bool hidesWarnings = false, hidesInfos = false, hidesArchWarning = false;
  /// Device code that host code does not refer to is kept, too.
  bool ignoresReferences = false;
  /// Options that nvJitLink takes in the same sense, as it spells them.
  std::vector<std::string> options;
  /// `--help`, `--version`, or a linker script for the host is written: nvlink itself does that.
  bool linksNothing = false;
};

/// Reads nvlink's arguments, without its own name. \p readFile returns the content of an option
/// file. Errors: Usage, for an option that nvlink does not have or nvJitLink has no counterpart of;
/// those of \p readFile.
llvm::Expected<NvlinkCall>
readNvlinkCall(llvm::ArrayRef<llvm::StringRef> arguments,
               llvm::function_ref<llvm::Expected<std::string>(llvm::StringRef path)> readFile);

/// The content of the file that `--register-link-binaries` names. The host code that nvcc compiles
/// it into registers the linked device code once every one of \p modules has been registered.
std::string registerText(llvm::ArrayRef<std::string> modules);

} // namespace cudacc::commands
