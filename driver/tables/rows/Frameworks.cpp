// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/rows/Readers.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

namespace cudacc::tables::rows {

using llvm::StringRef;
using versions::CudaVersion;
using versions::SpecifierSet;
using versions::Version;

namespace {

class FrameworkReader {
public:
  FrameworkReader(const Row &row, const Known &known, const ReleaseTables &out)
      : row(row), known(known), out(out) {}
  Framework read();

private:
  void readVersions();
  void readPin(const Row &pin);
  void readLines();
  void readToolkit();
  Version raised(StringRef dist, const Version &floor, const SpecifierSet &set) const;

  const Row &row;
  const Known &known;
  const ReleaseTables &out;
  Framework run;
  SpecifierSet toolkit;
  bool requiresToolkit = false;
};

bool isFloating(const SpecifierSet &set) {
  return llvm::none_of(set.clauses, [](const versions::Specifier &clause) {
    return clause.op == versions::Specifier::Op::Equal && !clause.prefix;
  });
}

} // namespace

/// The run begins with its row's version or an older one that was read.
void FrameworkReader::readVersions() {
  run.first = row.text("version").str();
  Version first = row.asVersion(run.first);
  std::optional<Version> last;
  run.read = row.strings("versions");
  for (const std::string &text : run.read) {
    Version version = row.asVersion(text);
    row.require(!last || *last < version, "{} is not newer than the one before", text);
    if (!last && version < first)
      run.first = text;
    last = version;
  }
}

/// The oldest wheel that satisfies a specifier: 9.1.0.70 for `>=9.1,<10.0`.
Version FrameworkReader::raised(StringRef dist, const Version &floor,
                                const SpecifierSet &set) const {
  std::optional<Version> oldest = known.oldestWheel(dist, floor, set);
  if (auto added = out.dists.find(dist); added != out.dists.end()) {
    const std::set<Version> &wheels = added->second.wheels;
    for (auto it = wheels.lower_bound(floor); it != wheels.end() && !(oldest && *oldest < *it);
         ++it)
      if (set.contains(*it)) {
        oldest = *it;
        break;
      }
  }
  return oldest.value_or(floor);
}

void FrameworkReader::readPin(const Row &from) {
  OwnedPin pin;
  pin.dist = from.text("dist").str();
  from.require(pin.dist == versions::Requirement::normalise(pin.dist), "{} is not in normal form",
               pin.dist);
  pin.spec = from.textOrNull("spec").str();
  SpecifierSet set = from.asSpecifiers(pin.spec);
  pin.floats = isFloating(set);
  pin.kind = pinKindOf(from);
  pin.confidence = from.confidenceOr(run.confidence);
  StringRef text = from.textOrNull("floor");
  Version floor = text.empty() ? Version{} : from.asVersion(text);
  from.require(text.empty() || set.contains(floor, /*pre=*/true), "{} does not satisfy {}", text,
               pin.spec);
  if (pin.dist == "torch")
    run.torch = pin.spec;
  if (pin.dist == "cuda-toolkit") {
    requiresToolkit = true;
    toolkit = set;
    run.toolkitFloats = pin.floats;
  } else if (from.good() && known.bringsLibrary(pin.dist)) {
    // Without a bound the version is that of the line's toolkit.
    if (!text.empty())
      pin.floor = (pin.floats ? raised(pin.dist, floor, set) : floor).str();
    run.pins.push_back(std::move(pin));
  }
}

/// Reads the range of lines. Default: all lines of the major that the toolkit requirement allows.
void FrameworkReader::readLines() {
  std::set<CudaVersion> lines;
  auto add = [&](const Number &number) {
    Version line;
    line.release = {number[0], number[1]};
    if (number[0] == run.major && toolkit.contains(line))
      lines.insert({number[0], number[1]});
  };
  llvm::for_each(known.toolkits(), add);
  for (const Toolkit &each : out.toolkits)
    add(each.number);
  if (!row.require(!lines.empty(), "no toolkit release that it may have has a row"))
    return;
  StringRef least = row.textOrNull("cuda_min"), most = row.textOrNull("cuda_max");
  run.from = least.empty() ? *lines.begin() : row.asCuda(least);
  run.to = most.empty() ? *lines.rbegin() : row.asCuda(most);
  row.require(run.from.major == run.major && run.to.major == run.major && run.from <= run.to,
              "cuda_min, cuda_max and cuda_major do not fit together");
}

void FrameworkReader::readToolkit() {
  StringRef ctk = row.textOrNull("ctk");
  if (ctk.empty())
    return;
  run.toolkit = row.asNumber(ctk);
  row.require(out.findToolkit(*run.toolkit) || llvm::is_contained(known.toolkits(), *run.toolkit),
              "the toolkit release {} has no row", ctk);
  row.require(CudaVersion{(*run.toolkit)[0], (*run.toolkit)[1]} == run.from, "{} is not a CUDA {}",
              ctk, run.from);
}

Framework FrameworkReader::read() {
  run.name = row.text("framework").str();
  run.major = row.asNumbers(row.text("cuda_major"), 1)[0];
  run.confidence = row.confidence();
  run.kind = row.choice<FrameworkPins>("pin_kind", {{"exact", FrameworkPins::Exact},
                                                    {"floor", FrameworkPins::Floor},
                                                    {"range", FrameworkPins::Range},
                                                    {"built_with", FrameworkPins::BuiltWith},
                                                    {"none", FrameworkPins::None}});
  readVersions();
  for (const Row &pin : row.rows("pins"))
    readPin(pin);
  sortPins(row, run.pins);
  if (row.good())
    readLines();
  if (row.good())
    readToolkit();
  run.toolkitFloats |= run.kind == FrameworkPins::Range;
  bool own = run.kind != FrameworkPins::BuiltWith &&
             (requiresToolkit || run.kind == FrameworkPins::Range || !run.pins.empty());
  run.requiresCuda = run.kind != FrameworkPins::None && (own || !run.torch.empty());
  row.require(known.isFramework(run.name, run.major), "no framework is called {} for CUDA {}",
              run.name, run.major);
  return std::move(run);
}

/// The data that a repeated row must have in common with the built-in one; bounds on lines only if
/// the row has them. Equal specifiers have equal floors.
static std::vector<std::string> describeRun(const Framework &run, bool from, bool to) {
  std::vector<std::string> all = {"CUDA from " + (from ? run.from.str() : "any"),
                                  "CUDA to " + (to ? run.to.str() : "any"), "torch" + run.torch};
  for (const OwnedPin &pin : run.pins)
    all.push_back(pin.dist + (pin.spec.empty() ? "" : " ") + pin.spec);
  return all;
}

void readFrameworks(TableRows rows, const Known &known, ReleaseTables &out) {
  std::set<std::tuple<std::string, Version, unsigned>> seen;
  for (const Row &row : rows("framework_targets")) {
    Framework run = FrameworkReader(row, known, out).read();
    if (!row.good())
      return;
    const auto releases = run.read.empty() ? std::vector{run.first} : run.read;
    std::vector<std::string> added;
    for (const std::string &text : releases) {
      Version version = row.asVersion(text);
      row.require(seen.emplace(run.name, version, run.major).second,
                  "{} {} appears twice for this major", run.name, text);
      auto builtIn = known.framework(run.name, run.major, version);
      if (!builtIn) {
        added.push_back(text);
        continue;
      }
      bool from = !row.textOrNull("cuda_min").empty(), to = !row.textOrNull("cuda_max").empty();
      row.compare(fmt::format("{} {} is built in with other requirements", run.name, text),
                  describeRun(run, from, to), describeRun(*builtIn, from, to));
    }
    if (added.empty())
      continue;
    if (added.size() < releases.size()) {
      run.first = added.front();
      run.read = std::move(added);
    }
    out.frameworks.push_back(std::move(run));
  }
}

} // namespace cudacc::tables::rows
