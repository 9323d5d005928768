// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace cudacc::tables {

enum class LibraryOrigin : uint8_t {
  /// A part of the CUDA toolkit.
  Toolkit,
  /// Installed with the driver: libcuda.so.1, libnvidia-ml.so.1.
  Driver,
  /// NVIDIA's, released apart: cuDNN, NCCL, cuTENSOR.
  Other,
};

/// A library of NVIDIA's by the name between `lib` and `.so` or `.a`.
struct KnownLibrary {
  /// `cublasLt`, `cudart_static`.
  llvm::StringRef name;
  bool archive = false;
  LibraryOrigin origin = LibraryOrigin::Other;
};

/// What `-lNAME` means; nothing: no library of NVIDIA's. Case counts.
std::optional<KnownLibrary> libraryByLinkName(llvm::StringRef name);
/// Every NAME of that kind, in the order of the text.
std::vector<llvm::StringRef> linkNames();

/// Whether a name begins as those of the interface of `-lNAME` do (`cudaMalloc` of cudart): a
/// capital follows what all of them have in common. False too where the tables show no such thing.
bool isInFashionOf(llvm::StringRef linkName, llvm::StringRef symbol);

/// A header that proves that those of a library are there (`cusolverDn.h`), and the folder of a
/// full toolkit that holds it (`include`); empty: not known.
struct HeaderProbe {
  llvm::StringRef file, toolkitFolder;
};
HeaderProbe headerOf(llvm::StringRef linkName);
/// By the last part of a path: `libcusparse.so`, `libcusparse.so.12`, `libcusparse.so.12.5.1.3`,
/// `libcudart_static.a`; a soname is such a name too.
std::optional<KnownLibrary> libraryByFileName(llvm::StringRef file);
/// By its file name one that is installed with the driver.
inline bool isDriverLibrary(llvm::StringRef file) {
  auto known = libraryByFileName(file);
  return known && known->origin == LibraryOrigin::Driver;
}

/// CUDA majors whose toolkit or wheels have a library of that soname, ascending: 12 and 13 for
/// libcusparse.so.12, 12 alone for libcudart.so.12. Empty: the soname is not known.
llvm::SmallVector<unsigned, 3> majorsOf(llvm::StringRef soname);
/// Sonames that `-lNAME` stands for in a CUDA major, in the order of the text: libcusolver.so.11
/// for `cusolver` in CUDA 12. Several where the soname changed inside the major.
llvm::SmallVector<llvm::StringRef, 2> sonamesOf(llvm::StringRef linkName, unsigned major);
/// The distribution that brings a soname in a CUDA major; empty: no wheel does.
llvm::StringRef distOf(llvm::StringRef soname, unsigned major);
/// Sonames in that version of the distribution, in the order of the text.
llvm::SmallVector<llvm::StringRef, 12> sonamesOf(llvm::StringRef dist,
                                                 const versions::Version &version);
/// Where that version of the distribution puts the library, relative to site-packages
/// (`nvidia/cublas/lib`); empty: not known. A version behind the last one that was opened counts as
/// that one.
llvm::StringRef folderOf(llvm::StringRef soname, llvm::StringRef dist,
                         const versions::Version &version);

} // namespace cudacc::tables
