#include "driver/tables/lookup/FrameworkForm.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/Tables.h"
#include "driver/tables/user/SupplementRow.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace cudacc::tables::supplement {

using llvm::StringRef;
using versions::CudaVersion;
using versions::SpecifierSet;

namespace {

FrameworkPins kindOf(const Row &row) {
  StringRef text = row.text("pin_kind");
  auto kind = frameworkPinsCalled(text);
  row.require(kind.has_value(), "unknown pin_kind \"" + text + "\"");
  return kind.value_or(FrameworkPins::None);
}

PinKind pinKindOf(const Row &row) {
  StringRef text = row.text("kind");
  row.require(text == "direct" || text == "transitive", "unknown kind \"" + text + "\"");
  return text == "transitive" ? PinKind::Transitive : PinKind::Direct;
}

/// cuda-bindings, tensorrt, cuDNN's frontend bring no library that a target is judged by.
bool bringsLibrary(StringRef dist) {
  uint16_t index = rows::findDist(dist);
  return index != rows::None &&
         llvm::any_of(rows::libraries(), [&](const auto &row) { return row.dist == index; });
}

/// Reads one row as the generator of the tables does, with what it says checked.
class RunReader {
public:
  RunReader(const Row &row, const Supplement &out) : row(row), out(out) {}
  Supplement::Framework read();

private:
  void readVersions();
  void readPin(const Row &pin);
  void readToolkit();
  void readLines();

  const Row &row;
  const Supplement &out;
  Supplement::Framework run;
  SpecifierSet toolkit;
  bool requiresToolkit = false;
};

} // namespace

void RunReader::readVersions() {
  versions::Version first = row.asVersion(row.text("version"));
  run.first = row.text("version").str();
  std::optional<versions::Version> last;
  for (StringRef text : row.texts("versions")) {
    versions::Version version = row.asVersion(text);
    row.require(!last || *last < version, text + " is not newer than the one before");
    if (!last && version < first)
      run.first = text.str();
    last = version;
    run.read.push_back(text.str());
  }
}

void RunReader::readPin(const Row &from) {
  StringRef dist = from.text("dist"), spec = from.textOrNull("spec");
  StringRef floor = from.textOrNull("floor"), confidence = from.textOrNull("confidence");
  PinKind kind = pinKindOf(from);
  auto set = SpecifierSet::parse(spec);
  if (!from.require(spec.empty() || set, "\"" + spec + "\" is no specifier"))
    return;
  SpecifierSet bound = set.value_or(SpecifierSet{});
  from.require(dist == versions::Requirement::normalise(dist), dist + " is not in normal form");
  versions::Version least = floor.empty() ? versions::Version{} : from.asVersion(floor);
  from.require(floor.empty() || bound.contains(least, /*pre=*/true),
               floor + " does not satisfy " + spec);
  if (dist == "torch")
    run.torch = spec.str();
  if (dist == "cuda-toolkit") {
    requiresToolkit = true;
    toolkit = bound;
    run.toolkitFloats = llvm::none_of(bound.clauses, namesOneVersion);
  }
  if (!bringsLibrary(dist) || !from.good())
    return;
  Supplement::FrameworkPin &pin = run.pins.emplace_back();
  pin.dist = dist.str();
  pin.spec = spec.str();
  pin.floor = floor.empty() ? "" : least.str();
  pin.floats = llvm::none_of(bound.clauses, namesOneVersion);
  pin.kind = kind;
  pin.confidence = confidence.empty() ? run.confidence : from.confidence(confidence);
}

void RunReader::readToolkit() {
  StringRef ctk = row.textOrNull("ctk");
  if (ctk.empty())
    return;
  Number number = row.asNumber(ctk);
  row.require(findToolkitRelease(number[0], number[1], number[2], &out).has_value(),
              "the toolkit release " + ctk + " has no row");
  row.require(CudaVersion{number[0], number[1]} == run.from, ctk + " is no CUDA " + run.from.str());
  run.toolkit = number;
}

/// What the row says about lines, else every line of its major that its toolkit may be of.
void RunReader::readLines() {
  std::vector<CudaVersion> lines;
  for (CudaVersion line : toolkitLines(&out)) {
    versions::Version version;
    version.release = {line.major, line.minor};
    if (line.major == run.major && toolkit.contains(version))
      lines.push_back(line);
  }
  if (!row.require(!lines.empty(), "no toolkit release that it may have has a row"))
    return;
  StringRef least = row.textOrNull("cuda_min"), most = row.textOrNull("cuda_max");
  run.from = least.empty() ? llvm::min_element(lines)[0] : row.cuda("cuda_min");
  run.to = most.empty() ? llvm::max_element(lines)[0] : row.cuda("cuda_max");
  row.require(run.from.major == run.major && run.to.major == run.major && run.from <= run.to,
              "cuda_min, cuda_max and cuda_major do not fit together");
}

Supplement::Framework RunReader::read() {
  run.framework = row.text("framework").str();
  if (row.text("cuda_major").getAsInteger(10, run.major) || run.major > 99)
    row.require(false, "\"cuda_major\" is no number");
  run.confidence = row.confidence(row.text("confidence"));
  run.kind = kindOf(row);
  readVersions();
  for (const Row &pin : row.rows("pins"))
    readPin(pin);
  llvm::sort(run.pins, [](const auto &a, const auto &b) { return a.dist < b.dist; });
  for (size_t i = 1; i < run.pins.size(); ++i)
    row.require(run.pins[i - 1].dist != run.pins[i].dist, run.pins[i].dist + " is there twice");
  if (row.good())
    readLines();
  if (row.good())
    readToolkit();
  run.toolkitFloats |= run.kind == FrameworkPins::Range;
  bool own = run.kind != FrameworkPins::BuiltWith &&
             (requiresToolkit || run.kind == FrameworkPins::Range || !run.pins.empty());
  run.tells = run.kind != FrameworkPins::None && (own || !run.torch.empty());
  return run;
}

static std::string describe(const Pin &pin) {
  return (pin.dist + (pin.spec.empty() ? "" : " ") + pin.spec).str();
}

static std::string describe(const Supplement::FrameworkPin &pin) {
  return pin.dist + (pin.spec.empty() ? "" : " ") + pin.spec;
}

/// A row may say again what is built in. A floor that is built in is a wheel that exists, so the
/// specifiers are what is compared.
static void compare(const Row &row, const FrameworkRun &known, const Supplement::Framework &run) {
  std::string what = run.framework + " " + run.first + " is built in with ";
  bool saysFrom = !row.textOrNull("cuda_min").empty(), saysTo = !row.textOrNull("cuda_max").empty();
  if ((saysFrom && known.from != run.from) || (saysTo && known.to != run.to))
    return row.contradict(what + "other CUDA lines", run.from.str() + " to " + run.to.str(),
                          known.from.str() + " to " + known.to.str());
  if (known.torch != run.torch)
    return row.contradict(what + "another torch", "torch" + run.torch,
                          ("torch" + known.torch).str());
  auto pins = frameworkPins(known);
  for (size_t i = 0; i < std::max(pins.size(), run.pins.size()); ++i) {
    std::string here = i < run.pins.size() ? describe(run.pins[i]) : "nothing further";
    std::string there = i < pins.size() ? describe(pins[i]) : "nothing further";
    if (here != there)
      return row.contradict(what + "other pins", here, there);
  }
}

/// The built-in runs of the framework, under any of its names.
static std::vector<FrameworkRun> builtIn(const Supplement::Framework &run) {
  for (FrameworkName name : frameworkNames())
    if (name.framework == run.framework) {
      name.major = run.major;
      return frameworkRuns(name);
    }
  return {};
}

static bool hasName(const Supplement::Framework &run) {
  return llvm::any_of(frameworkNames(), [&](const FrameworkName &name) {
    return name.framework == run.framework && (!name.major || name.major == run.major);
  });
}

static bool isKnown(const FrameworkRun &known, StringRef release) {
  return known.read.empty() ? known.first == release : llvm::is_contained(known.read, release);
}

void readFrameworks(const Tables &tables, Supplement &out) {
  std::set<std::tuple<std::string, std::string, unsigned>> seen;
  for (const Row &row : tables.rows("framework_targets")) {
    Supplement::Framework run = RunReader(row, out).read();
    if (!row.good())
      return;
    row.require(hasName(run), "no framework is called " + run.framework + " for CUDA " +
                                  std::to_string(run.major));
    std::vector<std::string> added;
    for (const std::string &text : run.read.empty() ? std::vector{run.first} : run.read) {
      row.require(seen.emplace(run.framework, text, run.major).second,
                  run.framework + " " + text + " is there twice for this major");
      std::vector<FrameworkRun> all = builtIn(run);
      auto known = llvm::find_if(all, [&](const auto &each) { return isKnown(each, text); });
      if (known == all.end())
        added.push_back(text);
      else
        compare(row, *known, run);
    }
    if (added.empty())
      continue;
    run.first = added.front();
    run.read = run.read.empty() ? run.read : added;
    out.frameworks.push_back(std::move(run));
  }
}

} // namespace cudacc::tables::supplement
