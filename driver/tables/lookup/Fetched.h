// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <tuple>
#include <vector>

/// What a toolkit is made of that is fetched, for `cuda-cc toolchain --fetch` alone.
namespace cudacc::tables {

/// A part of a toolkit: `nvcc`, `cublas` (toolkit_parts.json).
struct ToolkitPart {
  llvm::StringRef name;
  /// Components of NVIDIA's archives, by one of which a release names it: `libcublas`. Empty if
  /// there is none.
  llvm::SmallVector<llvm::StringRef, 2> archives;
  /// Distribution of wheels by CUDA major, of those that have one.
  llvm::SmallVector<std::pair<unsigned, llvm::StringRef>, 3> dists;
  /// Every toolkit has it; the others are asked for by name.
  bool always = false;
  /// For the machine on which nvcc runs; the others for the one that it compiles for.
  bool isTool = false;

  static constexpr auto columns =
      std::tuple(&ToolkitPart::name, &ToolkitPart::archives, &ToolkitPart::always,
                 &ToolkitPart::isTool, &ToolkitPart::dists);

  /// Empty for other majors.
  llvm::StringRef distFor(unsigned major) const {
    for (const auto &[each, dist] : dists)
      if (each == major)
        return dist;
    return "";
  }
};

/// In the order of the data file.
const std::vector<ToolkitPart> &toolkitParts();

/// The part with the library that `-lNAME` names in that CUDA major. Empty if it is none that is
/// asked for by name.
llvm::StringRef partOfLibrary(llvm::StringRef linkName, unsigned major);

/// Whether the wheels of a CUDA major have nvcc itself.
bool wheelsHaveNvcc(unsigned major);

/// A file as its publisher describes it.
struct PublishedFile {
  /// The toolkit release, empty for a wheel. `machine`: x86_64, aarch64, sbsa.
  llvm::StringRef release, name, version, machine, sha256;
  /// Of the file, and on disk when unpacked; 0: not known.
  uint64_t bytes = 0, unpacked = 0;

  static constexpr auto columns =
      std::tuple(&PublishedFile::release, &PublishedFile::name, &PublishedFile::version,
                 &PublishedFile::machine, &PublishedFile::sha256, &PublishedFile::bytes,
                 &PublishedFile::unpacked);
};

/// The wheel of a distribution for a machine (`x86_64`, `aarch64`); std::nullopt if the tables do
/// not have it: they have those with which a toolkit is made.
std::optional<PublishedFile> publishedWheel(llvm::StringRef dist, llvm::StringRef version,
                                            llvm::StringRef machine);

/// The release of a line of which archives are known (`12.4.1`). Empty if there is none.
llvm::StringRef archivedRelease(versions::CudaVersion line);

/// The archive of a component of that release for a platform (`linux-x86_64`, `linux-sbsa`).
std::optional<PublishedFile> publishedArchive(llvm::StringRef release, llvm::StringRef component,
                                              llvm::StringRef platform);

} // namespace cudacc::tables
