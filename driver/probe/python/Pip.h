// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace cudacc::probe {

/// The command that installs packages into the environment at \p prefix, whichever is active:
/// `/w/.venv/bin/python -m pip install`, `uv pip install --python /w/.venv/bin/python`,
/// `uv pip install --target=/w/packages` for a directory without Python.
std::string pipInstall(llvm::StringRef prefix, llvm::ArrayRef<std::string> sitePackages,
                       core::Files &files);

/// A line that leaves the distributions \p names with one of them, \p kept (`x==1.0`), where they
/// overwrote each other's files: all are removed, with the files that another one wrote, and then
/// one is installed. A name that is installed twice is removed twice.
std::string pipReplace(llvm::StringRef prefix, llvm::ArrayRef<std::string> sitePackages,
                       llvm::ArrayRef<std::string> names, llvm::StringRef kept, core::Files &files);

/// The same as pipInstall() for an environment of which only the folder of its packages is known.
std::string pipInstallBeside(llvm::StringRef sitePackages, core::Files &files);

} // namespace cudacc::probe
