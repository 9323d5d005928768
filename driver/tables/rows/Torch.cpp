// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/rows/Readers.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::rows {

using llvm::StringRef;
using versions::CudaVersion;

namespace {

/// A row of torch_wheel_pins.
struct TorchBuilds {
  Row row;
  CudaVersion torch, cuda;
  std::optional<Number> toolkit;
  bool isDefault = false;
  uint16_t pinSet = noPins;
  std::set<Number> releases;
};

class TorchReader {
public:
  TorchReader(const Known &known, ReleaseTables &out) : known(known), out(out) {}
  /// One function per table, to be called in this order.
  void readBuilds(const Row &row);
  void readLine(const Row &row);
  void readDefault(const Row &row);
  void joinBuilds();
  void readPlatform(const Row &row);

private:
  bool isBuiltIn(CudaVersion minor);
  std::vector<Torch *> releasesOf(CudaVersion minor);
  Torch *find(const Number &number);
  void addRelease(CudaVersion minor, const Number &number);
  std::optional<Number> readToolkit(const Row &row, CudaVersion cuda);
  OwnedPin readPin(const Row &row, Confidence ofRow);
  void compareLine(const Row &row, const Torch &torch, const Line &line,
                   const std::optional<Number> &toolkit, bool isDefault);
  void join(const TorchBuilds &builds, Torch &torch);

  const Known &known;
  ReleaseTables &out;
  /// Whether a minor is built in. If so, the output has all of its releases.
  std::map<CudaVersion, bool> minors;
  std::set<CudaVersion> withDefault;
  std::vector<TorchBuilds> all;
  size_t releaseCount = 0;
};

CudaVersion minorOf(const Number &number) { return {number[0], number[1]}; }

std::string textOf(const std::optional<Number> &toolkit) {
  return toolkit ? str(*toolkit) : "no toolkit release";
}

void checkTag(const Row &row, CudaVersion cuda) {
  std::string tag = fmt::format("cu{}{}", cuda.major, cuda.minor);
  row.require(row.text("local_tag") == tag, "local_tag is not {}", tag);
}

} // namespace

bool TorchReader::isBuiltIn(CudaVersion minor) {
  auto [it, isNew] = minors.try_emplace(minor, false);
  if (isNew)
    for (Torch &torch : known.torchOf(minor)) {
      out.torch.push_back(std::move(torch));
      it->second = true;
    }
  return it->second;
}

std::vector<Torch *> TorchReader::releasesOf(CudaVersion minor) {
  std::vector<Torch *> releases;
  for (Torch &torch : out.torch)
    if (minorOf(torch.number) == minor)
      releases.push_back(&torch);
  return releases;
}

Torch *TorchReader::find(const Number &number) {
  auto it = llvm::find_if(out.torch, [&](const Torch &each) { return each.number == number; });
  return it == out.torch.end() ? nullptr : &*it;
}

/// All releases of a minor have the same lines.
void TorchReader::addRelease(CudaVersion minor, const Number &number) {
  Torch torch{number, {}, {}, {}};
  if (isBuiltIn(minor)) {
    const Torch &sibling = *releasesOf(minor).front();
    torch.defaultLine = sibling.defaultLine;
    torch.lines = sibling.lines;
    for (Line &line : torch.lines)
      line.pinSet = noPins;
  }
  out.torch.push_back(std::move(torch));
}

/// Reads the row's toolkit release, which must match its line and label.
std::optional<Number> TorchReader::readToolkit(const Row &row, CudaVersion cuda) {
  auto has = [&](auto matches) {
    return llvm::any_of(out.toolkits, [&](const Toolkit &each) { return matches(each.number); }) ||
           llvm::any_of(known.toolkits(), matches);
  };
  auto isOfLine = [&](const Number &each) { return CudaVersion{each[0], each[1]} == cuda; };
  row.require(has(isOfLine), "no toolkit release of CUDA {} has a row", cuda);
  checkTag(row, cuda);
  StringRef ctk = row.textOrNull("ctk");
  if (ctk.empty())
    return std::nullopt;
  Number number = row.asNumber(ctk);
  row.require(has([&](const Number &each) { return each == number; }),
              "the toolkit release {} has no row", ctk);
  row.require(isOfLine(number), "{} is not a CUDA {}", ctk, cuda);
  return number;
}

OwnedPin TorchReader::readPin(const Row &row, Confidence ofRow) {
  OwnedPin pin;
  pin.dist = row.text("dist").str();
  row.require(known.hasDist(pin.dist) || out.dists.count(pin.dist),
              "nvidia_wheel_versions does not have {}", pin.dist);
  versions::Version floor = row.asVersion(row.text("floor"));
  pin.floor = floor.str();
  pin.kind = pinKindOf(row);
  pin.confidence = row.confidenceOr(ofRow);
  StringRef spec = row.textOrNull("spec");
  versions::SpecifierSet set = row.asSpecifiers(spec);
  row.require(spec.empty() || set.contains(floor), "{} does not satisfy {}", pin.floor, spec);
  pin.floats = llvm::none_of(set.clauses, [](const versions::Specifier &clause) {
    return clause.op == versions::Specifier::Op::Equal;
  });
  return pin;
}

void TorchReader::readBuilds(const Row &row) {
  CudaVersion torch = row.cuda("torch"), cuda = row.cuda("cuda");
  TorchBuilds builds{row,    torch, cuda, readToolkit(row, cuda), row.flag("pypi_default"),
                     noPins, {}};
  builds.pinSet = uint16_t(known.pinSetCount() + out.pinSets.size());
  PinSet &set = out.pinSets.emplace_back();
  // Files of users have it, too. No rule depends on it.
  row.flag("complete");
  Confidence confidence = row.confidence();
  for (const Row &pin : row.rows("pins"))
    set.pins.push_back(readPin(pin, confidence));
  sortPins(row, set.pins);
  for (StringRef text : row.texts("torch_versions")) {
    Number number = row.asNumber(text);
    row.require(minorOf(number) == torch, "{} is not a release of torch {}", text, torch);
    bool isNew =
        builds.releases.insert(number).second && llvm::none_of(all, [&](const TorchBuilds &each) {
          return each.cuda == cuda && each.releases.count(number);
        });
    row.require(isNew, "torch {} with CUDA {} appears twice", text, cuda);
  }
  row.require(!builds.releases.empty(), "\"torch_versions\" is empty");
  row.require((releaseCount += builds.releases.size()) <= mostRows,
              "more than {} releases of torch", mostRows);
  if (!row.good())
    return;
  isBuiltIn(torch);
  for (const Number &number : builds.releases)
    if (!find(number))
      addRelease(torch, number);
  all.push_back(std::move(builds));
}

void TorchReader::compareLine(const Row &row, const Torch &torch, const Line &line,
                              const std::optional<Number> &toolkit, bool isDefault) {
  std::string what = fmt::format("torch {}", minorOf(torch.number));
  if (toolkit && line.toolkit)
    row.compare(fmt::format("{}+{} is built in with another toolkit release", what, line.tag),
                textOf(toolkit), textOf(line.toolkit));
  if (isDefault != (torch.defaultLine == line.cuda))
    row.contradict(what + " is built in with another default line",
                   (isDefault ? "CUDA " : "not CUDA ") + line.cuda.str(),
                   fmt::format("CUDA {}", torch.defaultLine));
}

void TorchReader::readLine(const Row &row) {
  CudaVersion minor = row.cuda("torch"), cuda = row.cuda("cuda");
  Line added{cuda, row.text("local_tag").str(), readToolkit(row, cuda), noPins};
  bool isDefault = row.flag("pypi_default"), isKnown = isBuiltIn(minor);
  auto releases = releasesOf(minor);
  row.require(!releases.empty(), "torch_wheel_pins names no release of torch {}", minor);
  if (!row.good())
    return;
  for (Torch *torch : releases) {
    Line *line = torch->find(cuda);
    row.require(isKnown || !line, "the line appears twice");
    if (!line)
      line = &torch->lines.emplace_back(added);
    if (isKnown)
      compareLine(row, *torch, *line, added.toolkit, isDefault);
    row.require(isKnown || !isDefault || !torch->defaultLine.known(),
                "a second pypi_default of this release");
    if (isDefault && !isKnown)
      torch->defaultLine = cuda;
    if (!line->toolkit)
      line->toolkit = added.toolkit;
  }
}

void TorchReader::readDefault(const Row &row) {
  CudaVersion minor = row.cuda("torch"), cuda = row.cuda("cuda");
  checkTag(row, cuda);
  bool isKnown = isBuiltIn(minor);
  auto releases = releasesOf(minor);
  row.require(!releases.empty(), "torch_wheel_pins names no release of torch {}", minor);
  for (const Torch *torch : releases) {
    if (isKnown)
      row.compare(fmt::format("torch {} is built in with another default line", minor),
                  fmt::format("CUDA {}", cuda), fmt::format("CUDA {}", torch->defaultLine));
    row.require(torch->defaultLine == cuda || (isKnown && row.keepsKnown()),
                "pytorch_cuda_lines says otherwise about the default");
  }
  row.require(withDefault.insert(minor).second, "the release appears twice");
}

/// \p pins are sorted by distribution.
static std::vector<std::string> describePins(llvm::ArrayRef<OwnedPin> pins) {
  static constexpr llvm::StringLiteral kinds[] = {"direct", "extra", "transitive"};
  std::vector<std::string> all;
  for (const OwnedPin &pin : pins)
    all.push_back(fmt::format("{}{}{}, {}", pin.dist, pin.floats ? " from " : " ", pin.floor,
                              versions::entryOf<PinKind::Transitive>(kinds, pin.kind)));
  return all;
}

/// Checks the other tables against the builds and adds their pins.
void TorchReader::join(const TorchBuilds &builds, Torch &torch) {
  const Row &row = builds.row;
  Line *line = torch.find(builds.cuda);
  if (!row.require(line, "pytorch_cuda_lines has no line {} for this release", builds.cuda))
    return;
  if (isBuiltIn(builds.torch)) {
    compareLine(row, torch, *line, builds.toolkit, builds.isDefault);
  } else {
    row.require(builds.toolkit == line->toolkit, "pytorch_cuda_lines has ctk {}",
                textOf(line->toolkit));
    row.require(builds.isDefault == (torch.defaultLine == builds.cuda),
                "pytorch_cuda_lines says otherwise about pypi_default");
    row.require(withDefault.count(builds.torch), "torch_pypi_default has no row for torch {}",
                builds.torch);
  }
  if (line->pinSet == noPins)
    line->pinSet = builds.pinSet;
  else
    row.compare(
        fmt::format("torch {}+{} is built in with other pins", str(torch.number), line->tag),
        describePins(out.pinSets[builds.pinSet - known.pinSetCount()].pins),
        describePins(known.pins(line->pinSet)));
}

void TorchReader::joinBuilds() {
  for (const TorchBuilds &builds : all)
    for (const Number &number : builds.releases)
      if (builds.row.good())
        join(builds, *find(number));
  for (const TorchBuilds &builds : all)
    for (const Number &number : builds.releases) {
      const Torch &torch = *find(number);
      const Line *line = torch.find(torch.defaultLine);
      builds.row.require(line && line->pinSet != noPins, "torch {} has no row for its default line",
                         str(number));
    }
}

/// The table of lines is for x86-64. Wheels for another machine have the same CUDA line or no CUDA.
void TorchReader::readPlatform(const Row &row) {
  Number number = row.asNumber(row.text("torch_version"));
  StringRef machine = row.text("platform"), cuda = row.textOrNull("cuda");
  row.require(machine.consume_front("linux_"), "a platform that is not Linux");
  isBuiltIn(minorOf(number));
  Torch *torch = find(number);
  if (!row.require(torch, "torch_wheel_pins does not have torch {}", str(number)))
    return;
  auto isIt = [&](const Torch &each) { return each.number == number; };
  bool isKnown = llvm::any_of(known.torchOf(minorOf(number)), isIt);
  if (isKnown && row.keepsKnown())
    return;
  if (!cuda.empty()) {
    row.require(row.asCuda(cuda) == torch->defaultLine, "torch_pypi_default says otherwise");
    return;
  }
  bool same = torch->withoutCuda == machine;
  if (!same && isKnown)
    return row.contradict(
        fmt::format("torch {} is built in with CUDA for {}", str(number), machine), "no CUDA",
        fmt::format("CUDA {}", torch->defaultLine));
  row.require(same || torch->withoutCuda.empty(), "a second machine without CUDA");
  torch->withoutCuda = machine.str();
}

void readTorch(TableRows rows, const Known &known, ReleaseTables &out) {
  TorchReader reader(known, out);
  for (const Row &row : rows("torch_wheel_pins"))
    reader.readBuilds(row);
  for (const Row &row : rows("pytorch_cuda_lines"))
    reader.readLine(row);
  for (const Row &row : rows("torch_pypi_default"))
    reader.readDefault(row);
  reader.joinBuilds();
  for (const Row &row : rows("torch_platforms"))
    reader.readPlatform(row);
  llvm::sort(out.torch, [](const auto &a, const auto &b) { return a.number < b.number; });
  for (Torch &torch : out.torch)
    llvm::sort(torch.lines, [](const auto &a, const auto &b) { return a.cuda < b.cuda; });
}

} // namespace cudacc::tables::rows
