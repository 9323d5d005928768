// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Model.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace cudacc::tables::generate;

/// cudacc-gen-tables OUTPUT FOLDER...: the first folder has all data files, others may add rows.
int main(int argc, char **argv) {
  if (argc < 3)
    failWith("usage: cudacc-gen-tables OUTPUT FOLDER...");
  Input input(std::vector<std::string>(argv + 2, argv + argc));
  Model model;
  readReleases(input, model);
  readShapes(input, model);
  readDevice(input, model);
  readSymbols(input, model);
  readFloors(input, model);
  readGroups(input, model);
  readOpens(input, model);
  readVersionRules(input, model);
  readMessages(input, model);
  readFetched(input, model);
  std::string text = write(model);
  // Keep an unchanged output, so that nothing that includes it is recompiled.
  if (auto old = llvm::MemoryBuffer::getFile(argv[1]); old && (*old)->getBuffer() == text)
    return 0;
  std::error_code error;
  llvm::raw_fd_ostream out(argv[1], error);
  if (!error)
    out << text;
  out.close();
  if (error || out.has_error())
    failWith(fmt::format("{}: cannot be written", argv[1]));
  return 0;
}
