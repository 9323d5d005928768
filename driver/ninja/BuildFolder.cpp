// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/BuildFolder.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::ninja {

using namespace core;
using llvm::StringRef;

static constexpr llvm::StringLiteral stepMagic = "cuda-cc step 4",
                                     recordMagic = "cuda-cc step record 4", failed = "failed-";

static bool readField(const std::string &text, StepKind &kind) {
  return cache::readEnum<StepKind::Copy>(text, kind);
}
static bool readField(const std::string &text, StepEnd &end) {
  return cache::readEnum<StepEnd::RunWhole>(text, end);
}

template <typename Lines, cache::Is<PlacedStep> Placed>
static void describe(Lines &lines, Placed &placed) {
  auto &step = placed.step;
  lines.line("step", step.kind, step.name, placed.order, placed.jobs, placed.key, placed.generation,
             step.isLaunched);
  lines.line("command", step.command);
  lines.line("in", placed.workingDirectory, placed.allVariables);
  lines.rows("variable", placed.variables,
             [](auto &each) { return std::tie(each.first, each.second); });
  lines.rows("input", step.inputs);
  lines.rows("output", step.outputs);
  lines.rows("source", step.sources);
  lines.line("depfile", step.depfile.target, step.depfile.withTargets, step.depfile.withoutSystem);
}

template <typename Lines, cache::Is<StepRecord> Record>
static void describe(Lines &lines, Record &record) {
  lines.line("step", record.end, record.status, record.started, record.removedOutput, record.key,
             record.generation);
  auto members = [](auto &each) { return std::tie(each.first, each.second); };
  lines.rows("read", record.read, members);
  lines.rows("made", record.made, members);
  lines.line("printed", record.out, record.err);
  cache::describeCommandInputs(lines, record.inputs);
}

std::string stepText(const PlacedStep &placed) { return cache::write(stepMagic, placed); }

std::optional<PlacedStep> readStep(StringRef text) {
  return cache::read<PlacedStep>(stepMagic, text);
}

std::string recordText(const StepRecord &record) { return cache::write(recordMagic, record); }

std::optional<StepRecord> readRecord(StringRef text) {
  return cache::read<StepRecord>(recordMagic, text);
}

std::string BuildFolder::at(StringRef name) const { return fmt::format("{}/{}", path, name); }

std::optional<std::string> BuildFolder::read(StringRef name) const {
  return cache::contentOf(files, at(name));
}

llvm::Error BuildFolder::write(StringRef name, StringRef content) const {
  return files.write(at(name), content, 0600);
}

static std::string recordName(const Step &step) { return step.name + ".record"; }
static std::string failureName(uint64_t order) { return fmt::format("{}{}", failed, order); }

std::optional<StepRecord> BuildFolder::record(const Step &step) const {
  auto text = read(recordName(step));
  return text ? readRecord(*text) : std::nullopt;
}

std::optional<StepRecord> BuildFolder::left(const PlacedStep &placed) const {
  if (auto text = read(failureName(placed.order)))
    return readRecord(*text).value_or(StepRecord());
  auto done = record(placed.step);
  return done && done->key == placed.key ? std::move(done) : std::nullopt;
}

llvm::Error BuildFolder::keep(const PlacedStep &placed, const StepRecord &record) const {
  bool isDone = record.end == StepEnd::Done;
  return write(isDone ? recordName(placed.step) : failureName(placed.order), recordText(record));
}

void BuildFolder::forget(const Step &step) const { files.remove(at(recordName(step))); }

bool BuildFolder::hasFailedBefore(uint64_t order) const {
  return llvm::any_of(files.list(path), [&](StringRef name) {
    uint64_t other = 0;
    return name.consume_front(failed) && !name.getAsInteger(10, other) && other < order;
  });
}

llvm::Error BuildFolder::forgetFailures() const {
  auto names = files.readDirectory(path);
  if (!names)
    return names.takeError();
  for (StringRef name : *names)
    if (name.starts_with(failed) && !files.remove(at(name)))
      return makeError(Code::CannotWrite, fmt::format("cannot remove {}", at(name)));
  return llvm::Error::success();
}

run::JobRules BuildFolder::rules(const Environment &environment, unsigned jobs) const {
  // One file serves as lock of the call's own place, too: only calls in this folder take that.
  return {environment.getOr("MAKEFLAGS").str(), at(used),
          fmt::format("{}/places", support::parentOf(path)), jobs};
}

} // namespace cudacc::ninja
