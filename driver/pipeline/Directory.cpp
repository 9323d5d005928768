// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Directory.h"
#include "driver/config/Config.h"
#include "driver/config/DirectoryCodec.h"
#include "driver/plan/toolchain/DirectoryCodec.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/support/ReadWhole.h"
#include "driver/support/Trust.h"
#include "driver/versions/Format.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;
using Input = ToolchainDirectory::Input;

static constexpr uint64_t largest = 16 << 20;

llvm::Expected<std::optional<ToolchainDirectory>> directoryAt(Files &files, llvm::StringRef root,
                                                              FileStatus *status) {
  std::string path = fmt::format("{}/{}", root, ToolchainDirectory::factsName);
  FileStatus found = files.stat(path);
  if (!found.exists() && !found.unreachable)
    return std::nullopt;
  auto text = support::readWithStatus(files, path, largest, found);
  if (!text)
    return text.takeError();
  if (status)
    *status = found;
  auto directory = config::readToolchainDirectory(*text);
  if (!directory)
    return makeError(Code::UnreadableFile, path + " is damaged", {{"directory", root.str()}},
                     {"make the toolchain directory again"});
  directory->path = root.str();
  return directory;
}

std::optional<Finding> refuseDirectory(System &system, const ToolchainDirectory &directory,
                                       const FileStatus &status) {
  std::string path = fmt::format("{}/{}", directory.path, ToolchainDirectory::factsName);
  auto doubt = support::Trust(system.files, system.environment, system.uid).doubt(path, status);
  if (!doubt)
    return std::nullopt;
  std::vector<Fact> refused;
  if (!directory.nvcc.empty())
    refused.push_back({"refused", "nvcc = " + directory.nvcc});
  for (const auto &[name, real] : directory.compilers)
    refused.push_back({"refused", fmt::format("{} = {}", name, real)});
  return doubt->finding("a toolchain directory that others can write", std::move(refused));
}

/// Container images keep modification times in whole seconds.
static bool isSameTime(int64_t now, int64_t then) {
  constexpr int64_t second = 1'000'000'000;
  return now == then || (now % second == 0 && now / second == then / second);
}

bool isUnchanged(Files &files, const FileId &then) {
  // The path is empty for an input that could not be read back.
  if (then.path.empty())
    return false;
  FileId now = files.stat(then.path).id;
  bool isSameNode = then.inode == 0 || (now.device == then.device && now.inode == then.inode);
  return isSameNode && now.size == then.size && isSameTime(now.mtime, then.mtime);
}

/// What the file alone declares. Options and variables of this call are checked against the
/// directory, not against the file; only CUDA_CC_TRUST applies here too.
static llvm::Expected<Declaration> readFile(System &system, const std::string &file) {
  Environment environment;
  for (llvm::StringRef entry : system.environment.entries)
    if (!entry.starts_with("CUDA_CC_") || entry.starts_with("CUDA_CC_TRUST="))
      environment.entries.push_back(entry);
  return config::readDeclaration({}, environment, system.files, nullptr, system.uid,
                                 llvm::sys::path::parent_path(file));
}

static std::string digestOf(const Declaration &declaration) {
  return plan::digest(config::declarationText(declaration));
}

llvm::Expected<std::string> declarationDigest(System &system, const std::string &file) {
  if (file.empty())
    return "";
  auto now = readFile(system, file);
  if (!now)
    return now.takeError();
  return digestOf(*now);
}

std::optional<Finding> changedDeclaration(System &system, const ToolchainDirectory &directory) {
  auto now = readFile(system, directory.declarationFile);
  Finding finding =
      makeFinding(Code::DeclarationChanged, "the toolchain directory's declaration changed");
  finding.facts.push_back({"declaration", directory.declarationFile});
  if (!now) {
    Finding broken = toFinding(now.takeError());
    if (broken.code == Code::UntrustedDeclaration) {
      broken.facts.push_back({"directory", directory.path});
      return broken;
    }
    finding.facts.push_back({"because", broken.message});
  } else if (digestOf(*now) == directory.declarationDigest) {
    return std::nullopt;
  } else if (now->file != directory.declarationFile) {
    finding.facts.push_back(
        {"because", now->file.empty() ? "it is gone" : "now it is " + now->file});
  }
  finding.facts.push_back({"directory", directory.path});
  finding.fixes.push_back(plan::remake(directory));
  return finding;
}

Finding outdated(const ToolchainDirectory &directory, std::vector<Fact> facts) {
  Finding finding =
      makeFinding(Code::DirectoryOutdated, "what the toolchain directory was made from changed",
                  std::move(facts));
  finding.facts.push_back({"directory", directory.path});
  finding.fixes.push_back(plan::remake(directory));
  return finding;
}

llvm::Error checkDirectory(System &system, const ToolchainDirectory &directory) {
  for (const Input &input : directory.inputs) {
    bool asked = input.kind == Input::Kind::Declaration || input.kind == Input::Kind::Compiler;
    if (!asked || isUnchanged(system.files, input.id))
      continue;
    if (input.kind == Input::Kind::Declaration) {
      if (auto finding = changedDeclaration(system, directory))
        return makeError(std::move(*finding));
      continue;
    }
    bool gone = !system.files.stat(input.id.path).exists();
    return makeError(outdated(
        directory, {{"nvcc", input.id.path + (gone ? " is gone" : " is another file since")}}));
  }
  return llvm::Error::success();
}

} // namespace cudacc::pipeline
