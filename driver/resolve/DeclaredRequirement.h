// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/versions/Arch.h"
#include "driver/versions/Version.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::resolve {

/// What a requirement is about: the runtime or the machines.
enum class RequirementKind { Cuda, Torch, Framework, Environment, Lock, Gpus, Driver };

/// One parsed requirement; files that it names were not read.
struct DeclaredRequirement {
  RequirementKind kind = RequirementKind::Cuda;
  versions::SpecifierSet specifiers;
  /// For Framework: the name and the extras.
  tables::FrameworkName framework;
  const core::Setting<std::string> *setting = nullptr;
  /// The user's own table rows (F16), the same for every requirement of a declaration; null if
  /// there are none.
  const tables::UserTables *more = nullptr;
  /// PATH of `env:PATH` or `lock:PATH`; empty for the active environment.
  std::string path;
  /// For Gpus: the architectures listed, or the oldest one (`sm>=80`).
  std::vector<versions::Arch> archs;
  bool andNewer = false;
  /// For Driver: as written, `535.104`.
  std::string driver;

  /// It declares the runtime, not only the machines.
  bool isRuntime() const {
    return kind != RequirementKind::Gpus && kind != RequirementKind::Driver;
  }
  bool isFramework() const {
    return kind == RequirementKind::Torch || kind == RequirementKind::Framework;
  }
  /// The runtime is read from an environment or a lock file instead of the tables.
  bool isPlace() const {
    return kind == RequirementKind::Environment || kind == RequirementKind::Lock;
  }
  /// `torch==2.5.1 in pyproject.toml:14`.
  std::string describe() const;
  /// The text as written, without surrounding blanks.
  std::string text() const { return llvm::StringRef(setting->value).trim().str(); }
};

/// Parses one requirement. Errors: Code::BadRequirement for text that is no requirement, for a form
/// that this version does not support, and for one without a version (except frameworks whose name
/// contains the CUDA major, such as `cupy-cuda12x`); Code::DriverRelease for a driver that is no
/// release.
llvm::Expected<DeclaredRequirement> parseRequirement(const core::Setting<std::string> &setting);

/// A finding with the origin of the first requirement, and one fact per requirement.
core::Finding findingAbout(core::Code code, std::string message,
                           llvm::ArrayRef<DeclaredRequirement> requirements,
                           llvm::StringRef label = "declared");

} // namespace cudacc::resolve
