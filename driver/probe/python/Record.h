// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::probe {

/// That of the largest distributions (tensorflow, 30,000 files) has 4 MB. A larger one is not read.
constexpr uint64_t largestRecord = 32 << 20;

/// Splits a line of RECORD (CSV, PEP 376: path, hash, size) into path and size. A path that
/// contains a comma or a quote is quoted. The size is std::nullopt if the line has none.
std::pair<std::string, std::optional<uint64_t>> splitRecordLine(llvm::StringRef line);

/// Whether a line of \p record is for the file at \p path.
bool recordHas(llvm::StringRef record, llvm::StringRef path);

/// A file as an installer recorded it.
struct RecordedFile {
  /// The distribution's name, normalised, and its version.
  std::string dist, version;
  /// The folder that has it installed: site-packages.
  std::string site;
  /// In bytes; std::nullopt if not recorded.
  std::optional<uint64_t> size;

  /// `nvidia-cublas-cu12==12.4.5.8`, the form that pip accepts.
  std::string package() const;
};

/// What installers recorded; conda's packages are not considered. It is asked only about files that
/// are damaged or rejected, since the first of them has every RECORD of its site-packages read.
/// Thread-safe.
class InstallerRecords {
public:
  /// \p files must outlive this.
  explicit InstallerRecords(core::Files &files);
  ~InstallerRecords();

  /// Returns the distribution whose RECORD lists the file at the absolute \p path, searching the
  /// nearest parent directory that has distributions; std::nullopt if there is none.
  std::optional<RecordedFile> find(llvm::StringRef path);
  /// The same in these folders alone.
  std::optional<RecordedFile> findIn(llvm::ArrayRef<std::string> sitePackages,
                                     llvm::StringRef path);

private:
  struct Site;

  core::Files &files;
  std::mutex mutex;
  /// By path; null for a folder without distributions.
  llvm::StringMap<std::unique_ptr<Site>> folders;

  std::unique_ptr<Site> read(llvm::StringRef folder);
  const Site *at(llvm::StringRef folder);
};

/// Returns the files called \p name in sibling directories of \p folder whose names end in `.libs`,
/// as auditwheel creates them.
std::vector<std::string> besides(llvm::StringRef folder, llvm::StringRef name, core::Files &files);

} // namespace cudacc::probe
