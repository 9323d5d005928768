// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/PythonEnvironment.h"

namespace cudacc::probe {

/// A directory that Python searches for packages.
struct SiteDirectory {
  std::string path;
  /// Its entries, sorted.
  std::vector<std::string> names;
};

/// Metadata files of wheels and conda packages larger than this are not read. CCCL's RECORD, the
/// longest of NVIDIA's, has 400 KB.
inline constexpr uint64_t largestMetadata = 4 << 20;

/// Returns the site directories of the environment at `environment.prefix`, in Python's order: its
/// own site-packages, those of the base installation if pyvenv.cfg includes them, and after each
/// the directories that plain paths in its .pth files add (editable installs). Adds the files it
/// depends on to `environment.inputs`. The user's own site directory (~/.local) is not part of an
/// environment. Errors: as readEnvironment.
llvm::Expected<std::vector<SiteDirectory>> siteDirectories(core::PythonEnvironment &environment,
                                                           core::Files &files);

/// Stats \p path and adds its identity, or its absence, to `environment.inputs`.
core::FileStatus look(llvm::StringRef path, core::PythonEnvironment &environment,
                      core::Files &files);

/// Returns the entries of a directory and adds it to the inputs; std::nullopt if it does not exist.
/// Errors: it exists but cannot be read, so the contents of the environment are unknown.
llvm::Expected<std::optional<std::vector<std::string>>>
listDirectory(llvm::StringRef path, core::PythonEnvironment &environment, core::Files &files);

/// The reference is valid until the next call.
core::Finding &addProblem(core::PythonEnvironment &environment, core::Code code,
                          core::Severity severity, std::string message);

} // namespace cudacc::probe
