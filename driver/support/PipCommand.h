// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::support {

/// The command that removes packages without asking from where \p install puts them:
/// `/w/.venv/bin/python -m pip uninstall -y` for `/w/.venv/bin/python -m pip install`,
/// `uv pip uninstall --python P` for `uv pip install --python P`.
std::string uninstallCommand(llvm::StringRef install);

} // namespace cudacc::support
