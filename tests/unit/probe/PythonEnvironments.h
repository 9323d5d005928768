// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/probe/python/Environment.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

namespace cudacc::test {

using namespace core;

/// An environment of packages as pip and conda install them.
struct PythonEnvironments : testing::Test {
  MemoryFiles files;
  static constexpr const char *site = "/venv/lib/python3.11/site-packages";

  /// A wheel with one library of \p size bytes.
  void wheel(const std::string &dist, const std::string &version, const std::string &library,
             size_t size = 4, const std::string &where = site) {
    std::string file = where + "/" + library;
    if (!files.node(file))
      files.file(file, std::string(size, 'x'));
    std::string info = dist + "-" + version + ".dist-info";
    files.file(where + "/" + info + "/METADATA", "Name: x\nVersion: 0\n\n");
    files.file(where + "/" + info + "/RECORD", library + ",sha256=abc," + std::to_string(size) +
                                                   "\n" + info + "/METADATA,sha256=d,20\n" + info +
                                                   "/RECORD,,\n");
  }
  void venv() {
    files.file("/venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.2\n");
    files.directory(site);
  }
  void torch(const std::string &version, const std::string &cuda, const std::string &where = site) {
    files.file(where + "/torch/version.py",
               "from typing import Optional\n\n__all__ = ['__version__']\n__version__ = '" +
                   version + "'\ndebug = False\ncuda: Optional[str] = " + cuda +
                   "\ngit_version = 'a'\nhip: Optional[str] = None\n");
  }
  PythonEnvironment read(llvm::StringRef prefix = "/venv") {
    auto environment = probe::readEnvironment(prefix, files);
    if (environment)
      return std::move(*environment);
    ADD_FAILURE() << toFinding(environment.takeError()).message;
    return {};
  }
  Finding refusal(llvm::StringRef prefix = "/venv") {
    auto environment = probe::readEnvironment(prefix, files);
    if (!environment)
      return toFinding(environment.takeError());
    ADD_FAILURE() << "was read";
    return {};
  }
  /// `libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127`.
  static std::vector<std::string> libraries(const PythonEnvironment &environment) {
    std::vector<std::string> all;
    for (const InstalledLibrary &each : environment.libraries)
      all.push_back(each.soname + " " + each.dist + " " + each.version);
    return all;
  }
  static std::vector<std::string> problems(const PythonEnvironment &environment) {
    std::vector<std::string> all;
    for (const Finding &each : environment.problems)
      all.push_back((each.severity == Severity::Error ? "error: " : "warning: ") + each.message);
    return all;
  }
};

} // namespace cudacc::test
