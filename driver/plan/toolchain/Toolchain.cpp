// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/plan/toolchain/DirectoryCodec.h"
#include "driver/plan/toolchain/UserCompiler.h"
#include "driver/support/MadeFiles.h"
#include "driver/versions/Format.h"

namespace cudacc::plan {

std::string digest(llvm::StringRef text) { return support::MadeFiles::digest(text); }

static std::string inWords(const core::TreeEntry &entry) {
  bool isLink = entry.kind == core::TreeEntry::Kind::Link;
  return fmt::format("\n{}{}{}", entry.path, isLink ? " -> " : "\n", entry.text);
}

ToolchainContent planToolchain(core::ToolchainDirectory directory, llvm::StringRef program,
                               std::vector<core::TreeEntry> entries) {
  using core::ToolchainDirectory;
  using core::TreeEntry;
  ToolchainContent content;
  content.entries = std::move(entries);
  TreeEntry facts{ToolchainDirectory::factsName.str(), identity(directory), TreeEntry::Kind::File};
  std::string all = program.str();
  for (const TreeEntry &entry : content.entries)
    if (!entry.namesPlace)
      all += inWords(entry);
  content.name = digest(all + inWords(facts));
  content.fingerprint = fmt::format("cuda-cc-fingerprint:{}\n", content.name);
  if (!directory.anonymous) {
    directory.fingerprint = content.name;
    directory.madeAt = directory.path;
    content.programs.push_back("bin/cuda-cc");
    for (const UserCompiler &user : UserCompiler::all)
      content.programs.push_back(fmt::format("bin/{}", user.name));
  }
  facts.text = serialise(directory);
  content.entries.push_back(std::move(facts));
  if (!directory.nvcc.empty())
    content.programs.push_back("bin/nvcc");
  for (const auto &[ours, real] : directory.compilers)
    content.programs.push_back("bin/" + ours);
  if (directory.linker)
    content.programs.push_back("bin/nvlink");
  if (!directory.anonymous) {
    auto made = support::MadeFiles::of(content.entries, content.programs, content.fingerprint);
    content.entries.push_back(
        {support::MadeFiles::name.str(), made.serialise(), TreeEntry::Kind::File});
  }
  return content;
}

} // namespace cudacc::plan
