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

/// What a requirement of a declaration is about: which runtime, or which machines.
enum class RequirementKind { Cuda, Torch, Framework, Environment, Lock, Gpus, Driver };

/// One requirement, understood as far as its text goes.
struct DeclaredRequirement {
  RequirementKind kind = RequirementKind::Cuda;
  versions::SpecifierSet specifiers;
  /// Framework: under which name, with which extras.
  tables::FrameworkName framework;
  const core::Setting<std::string> *setting = nullptr;
  /// Rows beside the tables (F16), the same for every requirement of a declaration; null: none.
  const tables::UserTables *more = nullptr;
  /// Of `env:PATH`, empty: the active one; of `lock:PATH`.
  std::string path;
  /// Gpus: as listed, or the one from which on (`sm>=80`).
  std::vector<versions::Arch> archs;
  bool andNewer = false;
  /// Driver: as written, `535.104`.
  std::string driver;

  /// It says which runtime, not only on what machine.
  bool isRuntime() const {
    return kind != RequirementKind::Gpus && kind != RequirementKind::Driver;
  }
  bool isFramework() const {
    return kind == RequirementKind::Torch || kind == RequirementKind::Framework;
  }
  /// What it says stands in files, and not in the tables.
  bool isPlace() const {
    return kind == RequirementKind::Environment || kind == RequirementKind::Lock;
  }
  /// `torch==2.5.1 in pyproject.toml:14`.
  std::string describe() const;
  /// As it was written, without the blanks around it.
  std::string text() const { return llvm::StringRef(setting->value).trim().str(); }
};

/// Code::BadRequirement for text that is no requirement, a form that this version does not
/// understand, and one without a version (but for a framework whose name says its CUDA major, as
/// `cupy-cuda12x`); Code::DriverRelease for a driver that is no release.
llvm::Expected<DeclaredRequirement> parseRequirement(const core::Setting<std::string> &setting);

/// A finding with the origin of the first of the requirements, and each of them as a fact.
core::Finding findingAbout(core::Code code, std::string message,
                           llvm::ArrayRef<DeclaredRequirement> requirements,
                           llvm::StringRef label = "declared");

} // namespace cudacc::resolve
