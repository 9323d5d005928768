// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/PythonEnvironment.h"

namespace cudacc::probe {

/// One directory that Python searches for packages.
struct SiteDirectory {
  std::string path;
  /// Its entries, sorted.
  std::vector<std::string> names;
};

/// A wheel's or package's own metadata file larger than this is not read (RECORD of CCCL, the
/// longest of NVIDIA's, has 400 KB).
inline constexpr uint64_t largestMetadata = 4 << 20;

/// The directories of the environment at `environment.prefix`, in Python's order: its own
/// site-packages, those of the base installation where pyvenv.cfg includes them, and behind each
/// what plain paths in .pth files add (editable installs). Notes what was looked at in
/// `environment.inputs`. Error as readEnvironment.
///
/// The user's own site directory (~/.local) is no part of an environment.
llvm::Expected<std::vector<SiteDirectory>> siteDirectories(core::PythonEnvironment &environment,
                                                           core::Files &files);

/// Looks at \p path and remembers its identity, or that it is not there, in the inputs.
core::FileStatus look(llvm::StringRef path, core::PythonEnvironment &environment,
                      core::Files &files);

/// What lies in a directory that was looked at; nothing where there is none. Error: it is there and
/// cannot be read, so nobody knows what the environment has.
llvm::Expected<std::optional<std::vector<std::string>>>
listDirectory(llvm::StringRef path, core::PythonEnvironment &environment, core::Files &files);

/// Valid until the next.
core::Finding &addProblem(core::PythonEnvironment &environment, core::Code code,
                          core::Severity severity, std::string message);

} // namespace cudacc::probe
