// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/AddedFacts.h"
#include "driver/pipeline/System.h"
#include "driver/policy/rules/TorchImports.h"
#include "driver/probe/toolkit/TorchTable.h"

namespace cudacc::pipeline {

/// The table of torch's exported names, of a facts package or the installed one; opened once, at
/// the first use. Thread-safe.
class TorchTables {
public:
  /// \p facts: the setting.
  TorchTables(System &system, core::Setting<std::string> facts)
      : system(system), facts(std::move(facts)), file(system.self, system.files) {}
  /// Where no declaration is read.
  explicit TorchTables(System &system) : TorchTables(system, factsVariable(system)) {}
  const policy::TorchTable &operator()();

private:
  System &system;
  core::Setting<std::string> facts;
  probe::TorchTable file;
  std::once_flag once;
  policy::TorchTable table;
};

} // namespace cudacc::pipeline
