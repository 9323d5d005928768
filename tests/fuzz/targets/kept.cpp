// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/StoreCodec.h"
#include "driver/config/DirectoryCodec.h"
#include "driver/ninja/BuildFolder.h"
#include "driver/pipeline/Nested.h"
#include "driver/plan/toolchain/DirectoryCodec.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

/// What is read of a text is written and read as the same.
template <typename Read, typename Write>
static void reread(llvm::StringRef text, Read read, Write write) {
  auto value = read(text);
  if (!value)
    return;
  std::string once = write(*value);
  auto again = read(once);
  fuzz::expect(again && write(*again) == once);
}

/// Files that cuda-cc keeps for itself, and that may be damaged or of another version.
static void reread(llvm::StringRef text) {
  auto write = [](const auto &value) { return cache::serialise(value); };
  reread(text, cache::parseToolkit, write);
  reread(text, cache::parseHostCompiler, write);
  reread(text, cache::parseEnvironment, write);
  reread(text, cache::parseTarget, write);
  reread(text, config::readToolchainDirectory,
         [](const core::ToolchainDirectory &directory) { return plan::serialise(directory); });
  reread(text, ninja::readStep, ninja::stepText);
  reread(text, ninja::readRecord, ninja::recordText);
  std::string variable = (pipeline::Nested::variable + "=" + text).str();
  core::Environment environment{{variable}};
  core::Command command;
  pipeline::Nested::read(environment).pass(command);
}

static const fuzz::Target target("kept", reread);
