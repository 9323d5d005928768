#include "driver/tables/lookup/Torch.h"
#include "driver/tables/generate/Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::tables::generate {

using llvm::StringRef;
using versions::CudaVersion;

uint8_t confidenceOf(const Row &row, StringRef text) {
  int found = llvm::StringSwitch<int>(text)
                  .Case("verified", int(Confidence::Verified))
                  .Case("sourced", int(Confidence::Sourced))
                  .Case("secondary", int(Confidence::Secondary))
                  .Case("unverified", int(Confidence::Unverified))
                  .Default(-1);
  row.require(found >= 0, "unknown confidence \"" + text + "\"");
  return uint8_t(found);
}

namespace {

/// A torch minor and a CUDA line, as the tables name them.
using Build = std::pair<std::array<uint8_t, 2>, CudaVersion>;

struct Builds {
  /// Index into Model::pinSets by exact release and line.
  std::map<std::pair<std::array<uint8_t, 3>, CudaVersion>, int> pinSets;
  std::set<std::array<uint8_t, 3>> releases;
  /// Toolkit release of every build with pins, and whether it is PyPI's.
  std::map<Build, std::pair<std::string, bool>> withPins;
};

Build buildOf(const Row &row) {
  auto torch = row.asNumbers(row.text("torch"), 2);
  return {{torch[0], torch[1]}, row.cuda("cuda")};
}

uint8_t pinKindOf(const Row &row, StringRef text) {
  int found = llvm::StringSwitch<int>(text)
                  .Case("direct", int(PinKind::Direct))
                  .Case("extra", int(PinKind::Extra))
                  .Case("transitive", int(PinKind::Transitive))
                  .Default(-1);
  row.require(found >= 0, "unknown kind \"" + text + "\"");
  return uint8_t(found);
}

Model::Pin readPin(const Row &row, uint8_t rowConfidence, const Model &model) {
  Model::Pin pin;
  pin.dist = row.text("dist").str();
  row.require(model.dists.count(pin.dist), "nvidia_wheel_versions does not have " + pin.dist);
  versions::Version floor = row.asVersion(row.text("floor"));
  pin.floor = floor.str();
  pin.kind = pinKindOf(row, row.text("kind"));
  StringRef confidence = row.textOrNull("confidence");
  pin.confidence = confidence.empty() ? rowConfidence : confidenceOf(row, confidence);
  StringRef spec = row.textOrNull("spec");
  pin.floats = true;
  if (spec.empty())
    return pin;
  auto set = versions::SpecifierSet::parse(spec);
  row.require(set.has_value(), "\"" + spec + "\" is no specifier");
  row.require(set->contains(floor), pin.floor + " does not satisfy " + spec);
  pin.floats = llvm::none_of(set->clauses, [](const versions::Specifier &clause) {
    return clause.op == versions::Specifier::Op::Equal;
  });
  return pin;
}

void checkLine(const Row &row, const Model &model) {
  CudaVersion cuda = row.cuda("cuda");
  row.require(model.hasLine(cuda), "no toolkit release of CUDA " + cuda.str() + " has a row");
  std::string tag = "cu" + std::to_string(cuda.major) + std::to_string(cuda.minor);
  row.require(row.text("local_tag") == tag, "local_tag is not " + tag);
  StringRef ctk = row.textOrNull("ctk");
  if (ctk.empty())
    return;
  auto number = releaseNumber(row, ctk);
  row.require(model.findRelease(number) >= 0, "the toolkit release " + ctk + " has no row");
  row.require(CudaVersion{number[0], number[1]} == cuda, ctk + " is no CUDA " + cuda.str());
}

void readPinRow(const Row &row, Model &model, Builds &builds) {
  Build build = buildOf(row);
  checkLine(row, model);
  int index = int(model.pinSets.size());
  Model::PinSet &set = model.pinSets.emplace_back();
  set.complete = row.flag("complete");
  uint8_t confidence = confidenceOf(row, row.text("confidence"));
  for (const Row &pin : row.rows("pins"))
    set.pins.push_back(readPin(pin, confidence, model));
  llvm::sort(set.pins, [](const auto &a, const auto &b) { return a.dist < b.dist; });
  for (size_t i = 1; i < set.pins.size(); ++i)
    row.require(set.pins[i - 1].dist != set.pins[i].dist, set.pins[i].dist + " is there twice");
  for (StringRef version : row.texts("torch_versions")) {
    auto number = releaseNumber(row, version);
    row.require(number[0] == build.first[0] && number[1] == build.first[1],
                version + " is no release of torch " + row.text("torch"));
    row.require(builds.pinSets.try_emplace({number, build.second}, index).second,
                "torch " + version + " with CUDA " + build.second.str() + " is there twice");
    builds.releases.insert(number);
  }
  builds.withPins[build] = {row.textOrNull("ctk").str(), row.flag("pypi_default")};
}

Model::Torch &torchOf(Model &model, const std::array<uint8_t, 3> &number) {
  auto it = llvm::find_if(model.torch, [&](const auto &each) { return each.number == number; });
  if (it != model.torch.end())
    return *it;
  model.torch.push_back({number, 0, {}, {}});
  return model.torch.back();
}

void readLineRow(const Row &row, Model &model, Builds &builds) {
  Build build = buildOf(row);
  checkLine(row, model);
  StringRef ctk = row.textOrNull("ctk");
  if (auto pins = builds.withPins.find(build); pins != builds.withPins.end()) {
    row.require(pins->second.first == ctk, "torch_wheel_pins says ctk " + pins->second.first);
    row.require(pins->second.second == row.flag("pypi_default"),
                "torch_wheel_pins says otherwise about pypi_default");
    builds.withPins.erase(pins);
  }
  bool any = false;
  for (const auto &number : builds.releases) {
    if (number[0] != build.first[0] || number[1] != build.first[1])
      continue;
    any = true;
    Model::Torch &torch = torchOf(model, number);
    auto same = [&](const auto &line) { return line.cuda == build.second; };
    row.require(llvm::none_of(torch.lines, same), "the line is there twice");
    Model::TorchLine line{build.second, row.text("local_tag").str(), -1, -1};
    if (!ctk.empty())
      line.release = model.findRelease(releaseNumber(row, ctk));
    if (auto pins = builds.pinSets.find({number, build.second}); pins != builds.pinSets.end())
      line.pinSet = pins->second;
    torch.lines.push_back(line);
  }
  row.require(any, "torch_wheel_pins names no release of torch " + row.text("torch"));
}

void readDefaultRow(const Row &row, Model &model, std::set<std::array<uint8_t, 2>> &seen) {
  Build build = buildOf(row);
  row.require(seen.insert(build.first).second, "the release is there twice");
  for (Model::Torch &torch : model.torch) {
    if (torch.number[0] != build.first[0] || torch.number[1] != build.first[1])
      continue;
    auto it =
        llvm::find_if(torch.lines, [&](const auto &line) { return line.cuda == build.second; });
    row.require(it != torch.lines.end(),
                "pytorch_cuda_lines has no line " + build.second.str() + " for this release");
    row.require(it->pinSet >= 0, "torch_wheel_pins has no row for the default line");
    torch.defaultLine = unsigned(it - torch.lines.begin());
  }
}

/// The table of lines is of x86_64: where another machine's wheel has CUDA, it has the same.
void readPlatformRow(const Row &row, Model &model) {
  auto number = releaseNumber(row, row.text("torch_version"));
  StringRef machine = row.text("platform");
  row.require(machine.consume_front("linux_"), "a platform that is not Linux");
  for (Model::Torch &torch : model.torch) {
    if (torch.number != number)
      continue;
    if (StringRef cuda = row.textOrNull("cuda"); !cuda.empty()) {
      row.require(row.asCuda(cuda) == torch.lines[torch.defaultLine].cuda,
                  "torch_pypi_default says otherwise");
      continue;
    }
    row.require(torch.withoutCuda.empty(), "a second machine without CUDA");
    torch.withoutCuda = machine.str();
  }
}

} // namespace

void readTorch(Input &input, Model &model) {
  Builds builds;
  for (const Row &row : input.rows("torch_wheel_pins"))
    readPinRow(row, model, builds);
  std::map<std::array<uint8_t, 2>, CudaVersion> defaults;
  for (const Row &row : input.rows("pytorch_cuda_lines")) {
    readLineRow(row, model, builds);
    if (row.flag("pypi_default"))
      row.require(defaults.insert(buildOf(row)).second, "a second pypi_default of this release");
  }
  for (const auto &[build, what] : builds.withPins)
    fail("torch_wheel_pins.json: torch " + llvm::Twine(build.first[0]) + "." +
         llvm::Twine(build.first[1]) + " with CUDA " + build.second.str() +
         " has no row in pytorch_cuda_lines.json");
  llvm::sort(model.torch, [](const auto &a, const auto &b) { return a.number < b.number; });
  for (Model::Torch &torch : model.torch)
    llvm::sort(torch.lines, [](const auto &a, const auto &b) { return a.cuda < b.cuda; });
  std::set<std::array<uint8_t, 2>> seen;
  for (const Row &row : input.rows("torch_pypi_default")) {
    Build build = buildOf(row);
    auto it = defaults.find(build.first);
    row.require(it != defaults.end() && it->second == build.second,
                "pytorch_cuda_lines says otherwise about the default");
    readDefaultRow(row, model, seen);
  }
  for (const Model::Torch &torch : model.torch)
    if (!seen.count({torch.number[0], torch.number[1]}))
      fail("torch_pypi_default.json: no row for torch " + llvm::Twine(torch.number[0]) + "." +
           llvm::Twine(torch.number[1]));
  for (const Row &row : input.rows("torch_platforms"))
    readPlatformRow(row, model);
}

} // namespace cudacc::tables::generate
