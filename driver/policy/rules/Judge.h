// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LinkedLibrary.h"
#include "driver/core/Target.h"
#include "driver/core/Toolkit.h"
#include "driver/core/Verdict.h"
#include "driver/policy/advice/LookAround.h"
#include "driver/tables/lookup/UserTables.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::policy {

/// nvcc, its parts, and the CUDA headers that this call finds, against the target: TG-1 to TG-4,
/// one finding per broken rule, an incoherent set first (TG-2). \p toolkit is null in a host call.
/// Nothing for an undeclared target and `enforce = "off"`.
std::vector<core::Finding> judgeCompile(const core::Target &target, const core::Toolkit *toolkit,
                                        llvm::ArrayRef<core::FoundHeader> headers,
                                        LookAround lookAround);

/// NVIDIA's libraries on a link line: file, version and toolkit against the target's rows.
std::vector<core::Finding> judgeLibraries(const core::Target &target,
                                          llvm::ArrayRef<core::LinkedLibrary> libraries,
                                          LookAround lookAround);

/// A link of NVIDIA's libraries for another \p machine (ELF e_machine; 0: not known) than the
/// runtime's are for.
std::vector<core::Finding> judgeMachine(const core::Target &target, uint16_t machine,
                                        llvm::ArrayRef<core::LinkedLibrary> libraries);

/// What is for \p machine cannot be used with that runtime. \p subject: "the file".
core::Finding otherMachine(const core::Target &target, uint16_t machine, llvm::StringRef subject);
/// Both are known, and they differ.
bool isOtherMachine(const core::Target &target, uint16_t machine);

/// Whether PyPI's wheels of a declared torch have CUDA for \p machine: a warning where one that is
/// declared without a label has not, since the table's lines are of other wheels then.
std::optional<core::Finding> judgeTorch(const core::Declaration &declaration,
                                        llvm::StringRef machine, const tables::UserTables *more);

/// The caller's search path elements: one that begins with `/..` had an $ORIGIN in front, which the
/// shell between nvcc and the host compiler expanded to nothing (R34).
std::vector<core::Finding> judgeSearchPath(const core::Target &target,
                                           llvm::ArrayRef<std::string> elements);

} // namespace cudacc::policy
