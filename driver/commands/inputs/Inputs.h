// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/archive/Wheel.h"
#include "driver/core/BinaryFacts.h"
#include "driver/core/Diagnostic.h"
#include "driver/pipeline/System.h"
#include "driver/probe/python/Metadata.h"
#include <memory>
#include <optional>

namespace cudacc::commands {

/// A wheel, opened once for all its members.
struct OpenedWheel {
  std::string path;
  std::unique_ptr<core::ReadableFile> file;
  std::vector<binary::WheelEntry> entries;
  probe::DistributionMetadata metadata;
};

/// A file that may be judged; its type is known once it is read.
struct Input {
  /// As printed: `ext.so`, `dist/x.whl!pkg/ext.so`.
  std::string name;
  /// On disk; empty for a member of a wheel.
  std::string path;
  /// For a member of a wheel: indices into Inputs::wheels and its entries.
  size_t wheel = 0, entry = 0;
  bool member = false;
  /// Named by the user, so it is always reported. Other files are judged only if they are shared
  /// objects or programs.
  bool named = false;
  /// Identity of a file on disk.
  uint64_t device = 0, inode = 0;
  /// Index of the argument it came from.
  size_t argument = 0;
  /// Absolute site-packages folder that contains it; empty if none does, or for a member of a
  /// wheel.
  std::string sitePackages;
  /// Paths relative to site-packages where it lies or will be installed, likeliest first. Empty if
  /// that is not known, or among the headers of a wheel.
  std::vector<std::string> places;
  /// Directory on disk whose contents will be installed with it, and its path in site-packages for
  /// each of `places`: `build/pkg` becomes `pkg`, or the root. Empty if nothing is known to go with
  /// it.
  std::string root;
  std::vector<std::string> rootPlaces;
};

/// The files that the arguments of `check` and `inspect` name.
struct Inputs {
  std::vector<Input> files;
  std::vector<OpenedWheel> wheels;
  /// Arguments, and files and directories below them, that could not be read, with the name to
  /// print.
  std::vector<std::pair<std::string, core::Finding>> problems;

  /// Files with the same number are installed together: a wheel, or what one argument names.
  size_t packageOf(const Input &input) const {
    return input.member ? input.wheel : wheels.size() + input.argument;
  }
};

/// Expands directories to all files below them, each file once per argument whatever links lead to
/// it (PF-A6), and wheels to their members. Members that cannot be unpacked are one problem of
/// their wheel. \p installDir: where a file outside of site-packages will be installed; if unset,
/// one folder deep, else directly in site-packages (F18).
Inputs findInputs(pipeline::System &system, llvm::ArrayRef<std::string> words,
                  const std::optional<std::string> &installDir);

/// Opens the file. A member of a wheel is inflated as it is read, and is returned in \p member,
/// too.
llvm::Expected<std::unique_ptr<core::ReadableFile>> open(pipeline::System &system,
                                                         const Inputs &inputs, const Input &input,
                                                         binary::MemberFile **member = nullptr);

/// Path of a wheel's member relative to site-packages (PEP 427): `x-1.0.data/purelib/a` is `a`,
/// `x-1.0.data/scripts/a` is `../../../bin/a`. std::nullopt for headers.
std::optional<std::string> placeOfMember(llvm::StringRef name);

} // namespace cudacc::commands
