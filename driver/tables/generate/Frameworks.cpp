#include "driver/tables/generate/Model.h"
#include "driver/tables/lookup/FrameworkForm.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;
using versions::CudaVersion;
using versions::SpecifierSet;

namespace {

/// Every version that a distribution has, ascending.
using WheelVersions = std::map<std::string, std::vector<versions::Version>>;

WheelVersions readWheels(Input &input) {
  WheelVersions wheels;
  for (const Row &row : input.rows("nvidia_wheel_versions")) {
    std::vector<versions::Version> &versions = wheels[row.text("dist").str()];
    for (const llvm::json::Value &entry : row.array("versions")) {
      const llvm::json::Array *columns = entry.getAsArray();
      row.require(columns && !columns->empty(), "a version has no columns");
      versions.push_back(row.asVersion(row.asText(columns->front())));
    }
    llvm::sort(versions);
  }
  return wheels;
}

SpecifierSet specOf(const Row &row, StringRef text) {
  auto set = SpecifierSet::parse(text);
  row.require(text.empty() || set.has_value(), "\"" + text + "\" is no specifier");
  return set.value_or(SpecifierSet{});
}

FrameworkPins kindOf(const Row &row) {
  StringRef text = row.text("pin_kind");
  auto kind = frameworkPinsCalled(text);
  row.require(kind.has_value(), "unknown pin_kind \"" + text + "\"");
  return *kind;
}

class RunReader {
public:
  RunReader(const Row &row, const Model &model, const WheelVersions &wheels)
      : row(row), model(model), wheels(wheels) {}
  Model::FrameworkRun read();

private:
  void readVersions();
  void readLines();
  void readPin(const Row &pin);
  std::string raised(const SpecifierSet &set, StringRef dist, StringRef floor) const;

  const Row &row;
  const Model &model;
  const WheelVersions &wheels;
  Model::FrameworkRun run;
  SpecifierSet toolkit;
};

/// The run begins with its row's version, or with an older one that was read.
void RunReader::readVersions() {
  versions::Version first = row.asVersion(row.text("version"));
  run.first = row.text("version").str();
  std::optional<versions::Version> last;
  for (StringRef text : row.texts("versions")) {
    versions::Version version = row.asVersion(text);
    row.require(!last || *last < version, text + " is not newer than the one before");
    if (!last && version < first) {
      first = version;
      run.first = text.str();
    }
    last = version;
    run.read.push_back(text.str());
  }
}

/// What the row says about lines, else every line of its major that its toolkit may be of.
void RunReader::readLines() {
  std::set<CudaVersion> lines;
  for (const Model::Release &release : model.releases)
    if (release.number[0] == run.major)
      lines.insert({release.number[0], release.number[1]});
  std::erase_if(lines, [&](CudaVersion line) {
    versions::Version version;
    version.release = {line.major, line.minor};
    return !toolkit.contains(version);
  });
  row.require(!lines.empty(), "no toolkit release that it may have has a row");
  StringRef least = row.textOrNull("cuda_min"), most = row.textOrNull("cuda_max");
  run.from = least.empty() ? *lines.begin() : row.asCuda(least);
  run.to = most.empty() ? *lines.rbegin() : row.asCuda(most);
  row.require(run.from.major == run.major && run.to.major == run.major && run.from <= run.to,
              "cuda_min, cuda_max and cuda_major do not fit together");
  StringRef ctk = row.textOrNull("ctk");
  if (ctk.empty())
    return;
  run.release = model.findRelease(releaseNumber(row, ctk));
  row.require(run.release >= 0, "the toolkit release " + ctk + " has no row");
  row.require(row.asCuda(ctk.rsplit('.').first) == run.from, ctk + " is no CUDA " + least);
}

/// `>=9.1,<10.0` is 9.1.0.70 at least: no older wheel satisfies it.
std::string RunReader::raised(const SpecifierSet &set, StringRef dist, StringRef floor) const {
  auto known = wheels.find(dist.str());
  for (const versions::Version &version : known->second)
    if (set.contains(version))
      return version.str();
  return row.asVersion(floor).str();
}

void RunReader::readPin(const Row &from) {
  StringRef dist = from.text("dist"), spec = from.textOrNull("spec");
  StringRef floor = from.textOrNull("floor"), confidence = from.textOrNull("confidence");
  SpecifierSet set = specOf(from, spec);
  from.require(dist == versions::Requirement::normalise(dist), dist + " is not in normal form");
  from.require(floor.empty() || set.contains(from.asVersion(floor), true),
               floor + " does not satisfy " + spec);
  if (dist == "torch")
    run.torch = spec.str();
  if (dist == "cuda-toolkit") {
    toolkit = set;
    run.toolkitFloats = llvm::none_of(set.clauses, namesOneVersion);
  }
  // cuda-bindings, tensorrt, cuDNN's frontend bring no library that a target is judged by.
  bool brings = llvm::any_of(model.libraries, [&](const auto &each) { return each.dist == dist; });
  if (dist == "cuda-toolkit" || !brings || !wheels.count(dist.str()))
    return;
  Model::FrameworkPin &pin = run.pins.emplace_back();
  pin.dist = dist.str();
  pin.spec = spec.str();
  pin.floats = llvm::none_of(set.clauses, namesOneVersion);
  pin.kind = uint8_t(from.text("kind") == "transitive" ? PinKind::Transitive : PinKind::Direct);
  pin.confidence = confidence.empty() ? run.confidence : confidenceOf(from, confidence);
  // Without a bound the version is that of the line.
  if (!floor.empty())
    pin.floor = pin.floats ? raised(set, dist, floor) : from.asVersion(floor).str();
}

Model::FrameworkRun RunReader::read() {
  run.framework = row.text("framework").str();
  run.major = row.asNumbers(row.text("cuda_major"), 1)[0];
  run.confidence = confidenceOf(row, row.text("confidence"));
  FrameworkPins kind = kindOf(row);
  run.kind = uint8_t(kind);
  readVersions();
  bool any = false;
  for (const Row &pin : row.rows("pins")) {
    readPin(pin);
    any |= pin.text("dist") == "cuda-toolkit";
  }
  llvm::sort(run.pins, [](const auto &a, const auto &b) { return a.dist < b.dist; });
  for (size_t i = 1; i < run.pins.size(); ++i)
    row.require(run.pins[i - 1].dist != run.pins[i].dist, run.pins[i].dist + " is there twice");
  readLines();
  if (kind == FrameworkPins::Range)
    run.toolkitFloats = any = true;
  bool builtIn = kind == FrameworkPins::BuiltWith;
  bool own = !builtIn && (any || !run.pins.empty());
  run.tells = kind != FrameworkPins::None && (own || !run.torch.empty());
  return run;
}

void readNames(Input &input, Model &model) {
  for (const Row &row : input.rows("framework_names")) {
    Model::FrameworkName name;
    name.name = row.text("name").str();
    row.require(name.name == versions::Requirement::normalise(name.name),
                "name is not in normal form");
    name.framework = row.text("framework").str();
    if (StringRef major = row.textOrNull("cuda_major"); !major.empty())
      name.major = row.asNumbers(major, 1)[0];
    for (StringRef extra : row.texts("extras"))
      name.extras.push_back(extra.str());
    row.require(llvm::any_of(model.frameworks,
                             [&](const auto &run) {
                               return run.framework == name.framework &&
                                      (!name.major || run.major == name.major);
                             }),
                "framework_targets has no row of " + name.framework + " for this major");
    row.require(llvm::none_of(model.frameworkNames,
                              [&](const auto &each) {
                                return each.name == name.name && each.extras == name.extras;
                              }),
                "the name is there twice");
    model.frameworkNames.push_back(std::move(name));
  }
  llvm::sort(model.frameworkNames, [](const auto &a, const auto &b) {
    return std::tie(a.name, a.extras) < std::tie(b.name, b.extras);
  });
}

} // namespace

void readFrameworks(Input &input, Model &model) {
  WheelVersions wheels = readWheels(input);
  std::set<std::tuple<std::string, versions::Version, uint8_t>> seen;
  for (const Row &row : input.rows("framework_targets")) {
    Model::FrameworkRun run = RunReader(row, model, wheels).read();
    for (const std::string &text : run.read.empty() ? std::vector{run.first} : run.read)
      row.require(seen.emplace(run.framework, row.asVersion(text), run.major).second,
                  run.framework + " " + text + " is there twice for this major");
    model.frameworks.push_back(std::move(run));
  }
  llvm::stable_sort(model.frameworks, [](const auto &a, const auto &b) {
    auto first = [](const auto &run) { return *versions::Version::parse(run.first); };
    return std::tuple(StringRef(a.framework), first(a), a.major) <
           std::tuple(StringRef(b.framework), first(b), b.major);
  });
  readNames(input, model);
}

} // namespace cudacc::tables::generate
