// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/LibraryFloor.h"
#include "driver/policy/advice/TorchThatServes.h"
#include "driver/policy/wheel/Needs.h"
#include "driver/tables/lookup/UserTables.h"
#include "driver/versions/Requirement.h"
#include "driver/versions/TorchRange.h"
#include <map>

namespace cudacc::policy {

/// What brings CUDA's libraries where a wheel is installed: NVIDIA's wheels, named one by one; the
/// wheels that torch requires; nothing that the metadata names.
enum class RequiresMode : uint8_t { Nvidia, Torch, None };

/// `nvidia`, `torch`, `none`.
std::optional<RequiresMode> parseRequiresMode(llvm::StringRef text);
llvm::StringRef str(RequiresMode mode);

/// What the files of a wheel need that are loaded together.
struct WheelLine {
  /// `cu12`, `cu126`: the extra that requires it. Empty if it is required in any case, as the only
  /// line of a wheel is by default.
  std::string extra;
  /// CUDA major of the files.
  unsigned major = 0;
  std::vector<core::LibraryFloor> floors;
};

/// A wheel, as far as its requirements depend on it.
struct WheelCase {
  std::vector<WheelLine> lines;
  /// NEEDED names of files whose CUDA major nothing determines, with what brings them in each of
  /// the majors that are left.
  std::map<std::string, std::vector<std::string>> open;
  /// The releases of torch that export what the files import; not known() if they import nothing.
  versions::TorchRange torch;
  /// The files NEED torch's libraries.
  bool needsTorch = false;
  /// Local label (`cu130`) of the builds of torch that the wheel is for, which PyTorch's own index
  /// for that CUDA has. Empty for those of PyPI.
  std::string torchTag;
  /// What METADATA requires on Linux without extras, as probe::parseMetadata returns it.
  std::vector<versions::Requirement> declared;
  /// The same for each extra that METADATA has (Provides-Extra), when it is installed.
  std::map<std::string, std::vector<versions::Requirement>> declaredByExtra;
  /// As the user chose; std::nullopt for the default.
  std::optional<RequiresMode> mode;
};

struct WheelRequirements {
  RequiresMode mode = RequiresMode::None;
  /// Values of Requires-Dist to add, those of torch last.
  std::vector<std::string> added;
  /// Requirements that METADATA states already, or stricter ones.
  std::vector<std::string> stated;
  /// Values of Provides-Extra to add: those that METADATA does not have.
  std::vector<std::string> extras;
  /// What METADATA requires and the files exclude (CC4216), and libraries that no wheel is known
  /// to bring (CC2026). If there are errors, nothing is to be written.
  std::vector<core::Finding> findings;
};

/// WheelCase::mode, or its default: torch if the files NEED its libraries or METADATA requires it,
/// else NVIDIA's wheels.
RequiresMode modeOf(const WheelCase &wheel);

/// The requirements that let an installer choose wheels on which the files load, by
/// modeOf(). What torch does not bring is then required by name. Files of several CUDA lines cannot
/// be required together, since nobody can install two majors of one library for one file: each line
/// is an extra.
WheelRequirements requirementsOf(const WheelCase &wheel, const tables::UserTables *more = nullptr);

/// The bounds on torch in METADATA that are above the oldest release that torchThatServes() is sure
/// of. None for a wheel of several CUDA lines.
std::vector<HigherBound> higherTorchBounds(const WheelCase &wheel,
                                           const tables::UserTables *more = nullptr);

/// WheelCase::torchTag of a wheel of this \p version: as METADATA requires torch
/// (`torch==2.9.0+cu130`), else as the wheel's own label says (`1.0+cu130`), else as the runtimes
/// that it is made for (\p torches, `2.9.0+cu130`), if they are one build that is not PyPI's.
std::string torchTagOf(llvm::StringRef version, llvm::ArrayRef<versions::Requirement> declared,
                       llvm::ArrayRef<std::string> torches = {},
                       const tables::UserTables *more = nullptr);

} // namespace cudacc::policy
