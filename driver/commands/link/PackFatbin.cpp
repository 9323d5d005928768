// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/link/PackFatbin.h"
#include "driver/commands/WorkFolder.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/Support/Path.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

std::string pathForArch(StringRef path, versions::Arch arch) {
  StringRef extension = llvm::sys::path::extension(path);
  return fmt::format("{}.{}.cubin", path.drop_back(extension.size()), arch.str());
}

static llvm::Expected<std::string> runFatbinary(pipeline::System &system,
                                                const LinkOutcome &outcome) {
  auto work = WorkFolder::makeTemporary(system);
  if (!work)
    return work.takeError();
  std::string packed = support::joinPath((*work)->path(), "fatbin");
  Command command;
  command.program = outcome.linkers.fatbinary;
  command.argv.add(command.program);
  command.argv.add("-64");
  command.argv.add(fmt::format("--create={}", packed));
  for (const ArchLink &link : outcome.links) {
    std::string path = support::joinPath((*work)->path(), link.arch.str());
    if (llvm::Error error = system.files.write(path, link.result.output, 0600))
      return error;
    command.argv.add(fmt::format("--image3=kind=elf,sm={},file={}", link.arch.str(""), path));
  }
  auto answer = system.runner.ask(command);
  if (!answer)
    return answer.takeError();
  if (answer->ended.status != 0 || answer->ended.signal != 0)
    return makeError(Code::LinkFailed, "fatbinary cannot pack the linked code",
                     {{"program", command.program}, {"said", answer->err}});
  return system.files.read(packed, uint64_t(4) << 30);
}

llvm::Expected<std::string> packFatbin(pipeline::System &system, const LinkOutcome &outcome) {
  if (!outcome.packed.empty())
    return outcome.packed;
  if (!outcome.linkers.fatbinary.empty())
    return runFatbinary(system, outcome);
  return std::string();
}

} // namespace cudacc::commands
