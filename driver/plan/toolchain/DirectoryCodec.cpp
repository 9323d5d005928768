// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/toolchain/DirectoryCodec.h"
#include "driver/core/Settings.h"
#include "driver/support/Fields.h"
#include "driver/support/ShellWord.h"

namespace cudacc::plan {

using namespace core;
using namespace support;

static std::string kindText(Origin::Kind kind) { return std::to_string(int(kind)); }

/// A declaration file that was only touched keeps the identity; its digest shows changes.
static bool isIdentity(const ToolchainDirectory::Input &input) {
  using Kind = ToolchainDirectory::Input::Kind;
  return input.kind == Kind::Compiler || input.kind == Kind::Toolkit;
}

static void writeInput(FieldWriter &out, const ToolchainDirectory::Input &input) {
  const FileId &id = input.id;
  out.line({"input", ToolchainDirectory::Input::kinds[size_t(input.kind)], id.path,
            std::to_string(id.device), std::to_string(id.inode), std::to_string(id.size),
            std::to_string(id.mtime)});
}

std::string identity(const ToolchainDirectory &directory) {
  FieldWriter out;
  out.line({ToolchainDirectory::magic, ToolchainDirectory::form,
            directory.anonymous ? "anonymous" : "named"});
  for (const KeyInfo &row : allKeys())
    for (const Setting<std::string> &each : valuesOf(row.key, directory.declaration))
      // `require = false` is no setting that a call could contradict.
      if (each.origin && (row.key != Key::Require || directory.declaration.require.value))
        out.line({row.name, kindText(each.origin.kind), each.origin.name,
                  std::to_string(each.origin.line), each.value});
  out.line({"declaration-file", directory.declarationFile});
  out.line({"nvcc", directory.nvcc});
  for (const auto &[ours, real] : directory.compilers)
    out.line({"compiler", ours, real});
  if (directory.linker) {
    const ToolchainDirectory::DeviceLinker &linker = *directory.linker;
    out.line({"device-linker-program", linker.nvlink, linker.library, linker.version.str(),
              linker.origin, linker.helper});
  }
  if (!directory.driver.empty())
    out.line({"driver", directory.driver});
  if (!directory.machine.empty())
    out.line({"machine", directory.machine});
  if (!directory.program.empty())
    out.line({"program", directory.program});
  if (!directory.declarationDigest.empty())
    out.line({"declaration-digest", directory.declarationDigest});
  for (const std::string &word : directory.madeWith)
    out.line({"made-with", word});
  for (const ToolchainDirectory::Input &input : directory.inputs)
    if (isIdentity(input))
      writeInput(out, input);
  return out.take();
}

std::string serialise(const ToolchainDirectory &directory) {
  FieldWriter out;
  if (!directory.fingerprint.empty())
    out.line({"fingerprint", directory.fingerprint});
  if (!directory.madeAt.empty())
    out.line({"made-at", directory.madeAt});
  for (const ToolchainDirectory::Input &input : directory.inputs)
    if (!isIdentity(input))
      writeInput(out, input);
  return identity(directory) + out.take();
}

std::string remake(const ToolchainDirectory &directory) {
  std::string command = "cuda-cc toolchain " + shellWord(directory.path);
  for (const std::string &option : directory.madeWith)
    command += " " + shellWord(option);
  return command;
}

} // namespace cudacc::plan
