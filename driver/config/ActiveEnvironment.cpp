// SPDX-License-Identifier: Apache-2.0
#include "driver/config/ActiveEnvironment.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"

namespace cudacc::config {

using namespace core;

llvm::Expected<std::string> activeEnvironment(const Environment &environment, Files &files) {
  llvm::StringRef venv = environment.getOr("VIRTUAL_ENV");
  llvm::StringRef conda = environment.getOr("CONDA_PREFIX");
  if (venv.empty() && conda.empty())
    return makeError(Code::BadRequirement, "no Python environment is active",
                     {{"searched", "VIRTUAL_ENV, CONDA_PREFIX"}},
                     {"activate one", "name it: env:PATH"});
  auto real = [&](llvm::StringRef path) { return files.realPath(path).value_or(path.str()); };
  if (!venv.empty() && !conda.empty() && real(venv) != real(conda))
    return makeError(Code::TwoEnvironments, "two Python environments are active",
                     {{"VIRTUAL_ENV", venv.str()}, {"CONDA_PREFIX", conda.str()}},
                     {"deactivate one", fmt::format("name the right one: env:{}", venv)});
  return support::normalizePath(support::absolute(venv.empty() ? conda : venv, files), files);
}

} // namespace cudacc::config
