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

/// A wheel that was opened once for all its members.
struct OpenedWheel {
  std::string path;
  std::unique_ptr<core::ReadableFile> file;
  std::vector<binary::WheelEntry> entries;
  probe::DistributionMetadata metadata;
};

/// A file that may be judged; what it is shows when it is read.
struct Input {
  /// As printed: `ext.so`, `dist/x.whl!pkg/ext.so`.
  std::string name;
  /// On disk; empty: a member of a wheel.
  std::string path;
  /// Member of a wheel: indices into Inputs::wheels and its entries.
  size_t wheel = 0, entry = 0;
  bool member = false;
  /// Named by the user itself: whatever it is, something is said about it. Others are only looked
  /// at when they are shared objects or programs.
  bool named = false;
  /// Of a file on disk.
  uint64_t device = 0, inode = 0;
  /// Which argument it came from.
  size_t argument = 0;
  /// Absolute site-packages folder that it lies in; empty: none, or a member of a wheel.
  std::string sitePackages;
  /// Where it lies relative to site-packages, or will lie, likeliest first. Empty: outside of it
  /// (scripts, headers, data of a wheel).
  std::vector<std::string> places;
  /// Directory on disk whose contents will lie beside it, and where that is in each of `places`:
  /// `build/pkg` is `pkg`, or the root. Empty: nothing is known to go with it.
  std::string root;
  std::vector<std::string> rootPlaces;
};

/// What the arguments of `check` and `inspect` stand for.
struct Inputs {
  std::vector<Input> files;
  std::vector<OpenedWheel> wheels;
  /// Arguments, and files and directories below them, that could not be looked into, with the name
  /// to print.
  std::vector<std::pair<std::string, core::Finding>> problems;

  /// What goes into one installation has one number: a wheel, or what one argument names.
  size_t packageOf(const Input &input) const {
    return input.member ? input.wheel : wheels.size() + input.argument;
  }
};

/// Files stand for themselves, directories for everything below them, each file once whatever links
/// lead to it from one argument (PF-A6), wheels for their members. Members that cannot be unpacked
/// are one problem of their wheel, if by their names they may be ELF. \p installDir is where a file
/// that lies in no site-packages will lie; not set: one folder deep, then directly in it (F18).
Inputs findInputs(pipeline::System &system, llvm::ArrayRef<std::string> words,
                  const std::optional<std::string> &installDir);

/// Opens it; a member of a wheel is inflated as far as it is read, and is \p member, too.
llvm::Expected<std::unique_ptr<core::ReadableFile>> open(pipeline::System &system,
                                                         const Inputs &inputs, const Input &input,
                                                         binary::MemberFile **member = nullptr);

/// Where a wheel's member goes, relative to site-packages: `x-1.0.data/purelib/a` is `a`, its
/// scripts, headers and data lie elsewhere (PEP 427): nothing.
std::optional<std::string> placeOfMember(llvm::StringRef name);

} // namespace cudacc::commands
