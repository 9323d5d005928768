// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/BuildFolder.h"
#include "driver/cache/Codec.h"
#include "driver/versions/Format.h"

namespace cudacc::pipeline {

static constexpr llvm::StringLiteral stepMagic = "cuda-cc step 2",
                                     sourcesMagic = "cuda-cc sources 1",
                                     dryrunMagic = "cuda-cc dryrun 1";

std::optional<std::string> contentOf(core::Files &files, llvm::StringRef path) {
  static constexpr uint64_t anySize = uint64_t(1) << 40;
  return llvm::expectedToOptional(files.read(path, anySize));
}

bool writeChanged(core::Files &files, llvm::StringRef path, llvm::StringRef content,
                  unsigned mode) {
  if (contentOf(files, path) == content)
    return true;
  llvm::Error error = files.write(path, content, mode);
  bool isWritten = !error;
  llvm::consumeError(std::move(error));
  return isWritten;
}

/// \p kind: the number of the step's kind.
template <typename Lines, typename Placed>
static void describe(Lines &lines, Placed &placed, std::string &kind) {
  auto &step = placed.step;
  lines.line("step", kind, step.name, placed.order, placed.generation, step.isLaunched,
             step.isAdded);
  lines.line("command", step.command);
  lines.line("in", placed.workingDirectory);
  lines.rows("variable", placed.variables,
             [](auto &each) { return std::tie(each.first, each.second); });
  lines.rows("input", step.inputs);
  lines.rows("output", step.outputs);
  lines.rows("source", step.sources);
  lines.line("depfile", step.depfile.target, step.depfile.withTargets, step.depfile.withoutSystem);
  lines.line("includes", step.includedPath);
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
  good &= cache::readEnum<plan::StepKind::ExtractData>(kind, placed.step.kind);
  return good ? std::optional(std::move(placed)) : std::nullopt;
}

static void putInputs(support::FieldWriter &out, const std::vector<core::FileId> &inputs) {
  cache::LineWriter lines(out);
  cache::describeInputs(lines, inputs);
}

std::string sourcesText(const StepSources &sources) {
  support::FieldWriter out(sourcesMagic);
  out.line({"generation", sources.generation});
  putInputs(out, sources.inputs);
  return out.take();
}

std::optional<StepSources> readSources(llvm::StringRef text) {
  StepSources sources;
  bool good = support::readKept(text, sourcesMagic, [&](llvm::ArrayRef<std::string> fields) {
    cache::LineReader line(fields);
    line.line("generation", sources.generation);
    cache::describeInputs(line, sources.inputs);
    return line.wasRead();
  });
  return good ? std::optional(std::move(sources)) : std::nullopt;
}

std::string failureText(const StepFailure &failure) {
  return fmt::format("{} {} {:d}", failure.status, failure.signal, failure.removedOutput);
}

StepFailure readFailure(llvm::StringRef text) {
  StepFailure failure;
  auto [status, rest] = text.split(' ');
  auto [signal, removed] = rest.split(' ');
  if (status.getAsInteger(10, failure.status) || signal.getAsInteger(10, failure.signal))
    return {0, 1, false};
  failure.removedOutput = removed == "1";
  return failure;
}

std::string dryrunText(const KeptDryrun &kept) {
  support::FieldWriter out(dryrunMagic);
  out.line({"question", kept.question});
  out.line({"text", kept.text});
  putInputs(out, kept.inputs);
  return out.take();
}

std::optional<KeptDryrun> readKeptDryrun(llvm::StringRef text) {
  KeptDryrun kept;
  bool good = support::readKept(text, dryrunMagic, [&](llvm::ArrayRef<std::string> fields) {
    cache::LineReader line(fields);
    line.line("question", kept.question);
    line.line("text", kept.text);
    cache::describeInputs(line, kept.inputs);
    return line.wasRead();
  });
  return good ? std::optional(std::move(kept)) : std::nullopt;
}

} // namespace cudacc::pipeline
