// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/ReadWheel.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;

llvm::Expected<std::unique_ptr<ReadWheel>> readWheel(pipeline::System &system,
                                                     const std::string &file, bool device) {
  auto read = std::make_unique<ReadWheel>();
  read->inputs = findInputs(system, file, std::nullopt);
  if (!read->inputs.problems.empty())
    return makeError(read->inputs.problems.front().second);
  if (read->inputs.wheels.size() != 1)
    return makeError(Code::BrokenBinary, fmt::format("{} is not a wheel", file));
  OpenedWheel &wheel = read->inputs.wheels.front();
  if (llvm::Error error = readRecords(wheel).moveInto(read->records))
    return error;
  wheel.metadata = readMetadata(wheel);
  binary::ReadOptions options;
  options.device = device;
  read->files = readInputs(system, read->inputs, options);
  return read;
}

} // namespace cudacc::commands
