// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/config/Config.h"
#include "driver/core/Diagnostic.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

namespace cudacc::test {

using namespace core;

/// A declaration from options, variables, files and a toolchain directory.
struct Config : testing::Test {
  MemoryFiles files;
  OwnOptions own;
  std::vector<std::string> variables;
  std::optional<Declaration> baked;
  unsigned uid = 1000;

  Config() { files.directory("/project/a/b"); }

  llvm::Expected<Declaration> read() {
    Environment env;
    for (const std::string &entry : variables)
      env.entries.push_back(entry);
    return config::readDeclaration(own, env, files, baked ? &*baked : nullptr, uid);
  }
  Declaration good() {
    auto declaration = read();
    if (!declaration) {
      ADD_FAILURE() << text(toFinding(declaration.takeError()));
      return {};
    }
    return *declaration;
  }
  Finding bad() {
    auto declaration = read();
    if (declaration) {
      ADD_FAILURE() << "was accepted";
      return {};
    }
    return toFinding(declaration.takeError());
  }
  static std::string text(const Finding &finding) {
    std::string all = str(finding.code) + " " + finding.message;
    for (const Fact &fact : finding.facts)
      all += "\n" + fact.label + ": " + fact.text;
    for (const std::string &fix : finding.fixes)
      all += "\nfix: " + fix;
    return all;
  }
  static std::vector<std::string> runtimes(const Declaration &declaration) {
    return listed(declaration.runtime);
  }
  static std::vector<std::string> launchers(const Declaration &declaration) {
    return listed(declaration.launcher);
  }
  static std::vector<std::string> listed(const std::vector<Setting<std::string>> &settings) {
    std::vector<std::string> all;
    for (const auto &each : settings)
      all.push_back(each.value + " (" + each.origin.str() + ")");
    return all;
  }
};

} // namespace cudacc::test
