// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/BuildFolder.h"
#include "driver/cache/Codec.h"

namespace cudacc::pipeline {

static constexpr llvm::StringLiteral stepMagic = "cuda-cc step 3",
                                     failureMagic = "cuda-cc step failure 1";

std::optional<std::string> contentOf(core::Files &files, llvm::StringRef path) {
  static constexpr uint64_t anySize = uint64_t(1) << 40;
  return llvm::expectedToOptional(files.read(path, anySize));
}

/// \p kind: the number of the step's kind.
template <typename Lines, typename Placed>
static void describe(Lines &lines, Placed &placed, std::string &kind) {
  auto &step = placed.step;
  lines.line("step", kind, step.name, placed.order, placed.key, placed.generation, step.isLaunched);
  lines.line("command", step.command);
  lines.line("in", placed.workingDirectory, placed.allVariables);
  lines.rows("variable", placed.variables,
             [](auto &each) { return std::tie(each.first, each.second); });
  lines.rows("input", step.inputs);
  lines.rows("output", step.outputs);
  lines.rows("source", step.sources);
  lines.line("depfile", step.depfile.target, step.depfile.withTargets, step.depfile.withoutSystem);
}

std::string stepText(const PlacedStep &placed) {
  support::FieldWriter out(stepMagic);
  cache::LineWriter lines(out);
  std::string kind = cache::fieldOf(placed.step.kind);
  describe(lines, placed, kind);
  return out.take();
}

std::optional<PlacedStep> readStep(llvm::StringRef text) {
  PlacedStep placed;
  std::string kind;
  bool good = support::readKept(text, stepMagic, [&](llvm::ArrayRef<std::string> fields) {
    cache::LineReader line(fields);
    describe(line, placed, kind);
    return line.wasRead();
  });
  good &= cache::readEnum<plan::StepKind::Copy>(kind, placed.step.kind);
  return good ? std::optional(std::move(placed)) : std::nullopt;
}

template <typename Lines, typename Failure>
static void describe(Lines &lines, Failure &failure, bool &isWhole) {
  lines.line("failure", isWhole, failure.status, failure.removedOutput);
  lines.line("printed", failure.out, failure.err);
}

std::string failureText(const StepFailure &failure) {
  support::FieldWriter out(failureMagic);
  cache::LineWriter lines(out);
  bool isWhole = failure.end == StepFailure::End::RunWhole;
  describe(lines, failure, isWhole);
  return out.take();
}

StepFailure readFailure(llvm::StringRef text) {
  StepFailure failure;
  bool isWhole = true;
  bool good = support::readKept(text, failureMagic, [&](llvm::ArrayRef<std::string> fields) {
    cache::LineReader line(fields);
    describe(line, failure, isWhole);
    return line.wasRead();
  });
  failure.end = good && !isWhole ? StepFailure::End::Failed : StepFailure::End::RunWhole;
  return failure;
}

} // namespace cudacc::pipeline
