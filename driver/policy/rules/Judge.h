// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LinkedLibrary.h"
#include "driver/core/Target.h"
#include "driver/core/Toolkit.h"
#include "driver/core/Verdict.h"
#include "driver/policy/advice/LookAround.h"
#include "driver/policy/advice/RuntimeSubstitute.h"
#include "driver/tables/lookup/UserTables.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::policy {

/// Compares nvcc, its components, and the CUDA headers that this call finds with the target: TG-1
/// to TG-4, one finding per broken rule, an incoherent toolkit first (TG-2). \p toolkit is null for
/// a host compiler. Empty for an undeclared target and `enforce = "off"`.
std::vector<core::Finding> judgeCompile(const core::Target &target, const core::Toolkit *toolkit,
                                        llvm::ArrayRef<core::FoundHeader> headers,
                                        LookAround lookAround);

/// Compares NVIDIA's libraries on a link line with the target's rows: file, version and toolkit.
std::vector<core::Finding> judgeLibraries(const core::Target &target,
                                          llvm::ArrayRef<core::LinkedLibrary> libraries,
                                          LookAround lookAround);

/// Compares the release \p cuda of one library of a link with the runtime's. \p where: the fact
/// that says which file it is.
std::optional<core::Finding> judgeRelease(const core::Target &target, llvm::StringRef soname,
                                          versions::CudaVersion cuda, core::Fact where,
                                          LookAround lookAround, Accepts accepts);

/// Reports a link of NVIDIA's libraries for a \p machine (ELF e_machine; 0: not known) other than
/// the runtime's.
std::vector<core::Finding> judgeMachine(const core::Target &target, uint16_t machine,
                                        llvm::ArrayRef<core::LinkedLibrary> libraries);

/// The finding that a file for \p machine cannot be used with that runtime. \p subject: "the file".
core::Finding otherMachine(const core::Target &target, uint16_t machine, llvm::StringRef subject);
/// Whether the target's machine and \p machine are known and differ.
bool isOtherMachine(const core::Target &target, uint16_t machine);
/// A loaded file that the tags of its wheel, in the wheel's file name, install on other machines
/// alone.
std::optional<core::Finding> judgeWheelName(llvm::StringRef wheel, const core::BinaryFacts &file);

/// Whether PyPI's wheels of a declared torch have CUDA for \p machine: a warning if torch was
/// declared without a local label and they have not, since the CUDA line in the tables is that of
/// other wheels.
std::optional<core::Finding> judgeTorch(const core::Declaration &declaration,
                                        llvm::StringRef machine, const tables::UserTables *more);

/// Checks the caller's search path elements. One that begins with `/..` began with $ORIGIN, which
/// the shell between nvcc and the host compiler expanded to nothing (R34).
std::vector<core::Finding> judgeSearchPath(const core::Target &target,
                                           llvm::ArrayRef<std::string> elements);

} // namespace cudacc::policy
