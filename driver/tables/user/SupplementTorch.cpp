#include "driver/tables/lookup/Tables.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/tables/user/SupplementRow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::tables::supplement {

using llvm::StringRef;
using versions::CudaVersion;

namespace {

/// A torch minor with its lines, of the tables and of the file.
struct Minor {
  unsigned major = 0, minor = 0;
  std::vector<Supplement::Line> lines;
  std::optional<CudaVersion> defaultLine;
  /// Known to the tables, which say which line is the default.
  bool builtIn = false;
  /// torch_pypi_default has its row.
  bool said = false;

  Supplement::Line *find(CudaVersion cuda) {
    auto it = llvm::find_if(lines, [&](const auto &line) { return line.cuda == cuda; });
    return it == lines.end() ? nullptr : &*it;
  }
  std::string str() const { return std::to_string(major) + "." + std::to_string(minor); }
};

/// A row of torch_wheel_pins.
struct Pins {
  Row row;
  CudaVersion cuda;
  StringRef ctk;
  bool isDefault = false;
  std::vector<Number> releases;
  uint16_t pinSet = Supplement::noPins;
};

class Reader {
public:
  Reader(const Tables &tables, Supplement &out) : tables(tables), out(out) {}
  void read();

private:
  Minor &minorOf(unsigned major, unsigned minor);
  Minor &minorOf(const Row &row);
  void checkTag(const Row &row, CudaVersion cuda);
  std::optional<Number> checkLine(const Row &row, CudaVersion cuda);
  Supplement::Pin readPin(const Row &row, Confidence ofRow);
  void readPins(const Row &row);
  void readLine(const Row &row);
  void readDefault(const Row &row);
  void compareLine(const Row &row, const Minor &minor, const Supplement::Line &line,
                   const std::optional<Number> &toolkit, bool isDefault);
  void comparePins(const Row &row, const TorchRelease &release, const TorchLine &line,
                   llvm::ArrayRef<Supplement::Pin> pins);
  void checkPins(const Pins &each);
  void addReleases(Minor &minor);
  void addRelease(const Minor &minor, const Number &number, const TorchRelease *builtIn);

  const Tables &tables;
  Supplement &out;
  std::vector<TorchRelease> builtIn = torchReleases();
  std::vector<Minor> minors;
  std::vector<Pins> pinRows;
  size_t releaseCount = 0;
};

std::optional<Number> numberOf(const std::optional<ToolkitRelease> &release) {
  if (!release)
    return std::nullopt;
  return Number{release->major, release->minor, release->patch};
}

Number numberOf(const TorchRelease &release) {
  return {release.major, release.minor, release.patch};
}

std::string textOf(const std::optional<Number> &toolkit) {
  return toolkit ? str(*toolkit) : "no toolkit release";
}

} // namespace

Minor &Reader::minorOf(unsigned major, unsigned minor) {
  auto it = llvm::find_if(
      minors, [&](const Minor &each) { return each.major == major && each.minor == minor; });
  if (it != minors.end())
    return *it;
  Minor &added = minors.emplace_back();
  added.major = major;
  added.minor = minor;
  // Every release of a minor has the same lines.
  for (const TorchRelease &release : builtIn)
    if (!added.builtIn && release.major == major && release.minor == minor) {
      added.builtIn = true;
      added.defaultLine = release.defaultLine;
      for (const TorchLine &line : torchLines(release))
        added.lines.push_back(
            {line.cuda, line.tag.str(), numberOf(line.toolkit), Supplement::noPins});
    }
  return added;
}

Minor &Reader::minorOf(const Row &row) {
  CudaVersion numbers = row.cuda("torch");
  return minorOf(numbers.major, numbers.minor);
}

void Reader::checkTag(const Row &row, CudaVersion cuda) {
  std::string tag = "cu" + std::to_string(cuda.major) + std::to_string(cuda.minor);
  row.require(row.text("local_tag") == tag, "local_tag is not " + tag);
}

/// The toolkit release of the row, whose line and label have to fit.
std::optional<Number> Reader::checkLine(const Row &row, CudaVersion cuda) {
  bool known = llvm::any_of(out.toolkits, [&](const auto &toolkit) {
    return CudaVersion{toolkit.number[0], toolkit.number[1]} == cuda;
  });
  row.require(known || firstRelease(cuda),
              "no toolkit release of CUDA " + cuda.str() + " has a row");
  checkTag(row, cuda);
  StringRef ctk = row.textOrNull("ctk");
  if (ctk.empty())
    return std::nullopt;
  Number number = row.asNumber(ctk);
  bool has = findToolkitRelease(number[0], number[1], number[2]) ||
             llvm::any_of(out.toolkits, [&](const auto &each) { return each.number == number; });
  row.require(has, "the toolkit release " + ctk + " has no row");
  row.require(CudaVersion{number[0], number[1]} == cuda, ctk + " is no CUDA " + cuda.str());
  return number;
}

Supplement::Pin Reader::readPin(const Row &row, Confidence ofRow) {
  Supplement::Pin pin;
  pin.dist = row.text("dist").str();
  row.require(isKnownDist(pin.dist, out), "nvidia_wheel_versions does not have " + pin.dist);
  versions::Version floor = row.asVersion(row.text("floor"));
  pin.floor = floor.str();
  StringRef kind = row.text("kind");
  auto found = llvm::StringSwitch<std::optional<PinKind>>(kind)
                   .Case("direct", PinKind::Direct)
                   .Case("extra", PinKind::Extra)
                   .Case("transitive", PinKind::Transitive)
                   .Default(std::nullopt);
  row.require(found.has_value(), "unknown kind \"" + kind + "\"");
  pin.kind = found.value_or(PinKind::Direct);
  StringRef confidence = row.textOrNull("confidence");
  pin.confidence = confidence.empty() ? ofRow : row.confidence(confidence);
  StringRef spec = row.textOrNull("spec");
  pin.floats = true;
  if (spec.empty())
    return pin;
  auto set = versions::SpecifierSet::parse(spec);
  if (!row.require(set.has_value(), "\"" + spec + "\" is no specifier"))
    return pin;
  row.require(set->contains(floor, /*pre=*/true), pin.floor + " does not satisfy " + spec);
  pin.floats = llvm::none_of(set->clauses, [](const versions::Specifier &clause) {
    return clause.op == versions::Specifier::Op::Equal;
  });
  return pin;
}

void Reader::readPins(const Row &row) {
  CudaVersion cuda = row.cuda("cuda");
  checkLine(row, cuda);
  Minor &minor = minorOf(row);
  Pins pins{row, cuda, row.textOrNull("ctk"), row.flag("pypi_default"), {}};
  pins.pinSet = uint16_t(rows::pinSets().size() + out.pinSets.size());
  Supplement::PinSet &set = out.pinSets.emplace_back();
  set.complete = row.flag("complete");
  Confidence confidence = row.confidence(row.text("confidence"));
  for (const Row &pin : row.rows("pins"))
    set.pins.push_back(readPin(pin, confidence));
  llvm::sort(set.pins, [](const auto &a, const auto &b) { return a.dist < b.dist; });
  for (size_t i = 1; i < set.pins.size(); ++i)
    row.require(set.pins[i - 1].dist != set.pins[i].dist, set.pins[i].dist + " is there twice");
  for (StringRef text : row.texts("torch_versions")) {
    Number number = row.asNumber(text);
    row.require(number[0] == minor.major && number[1] == minor.minor,
                text + " is no release of torch " + minor.str());
    bool again =
        llvm::is_contained(pins.releases, number) || llvm::any_of(pinRows, [&](const Pins &each) {
          return each.cuda == cuda && llvm::is_contained(each.releases, number);
        });
    row.require(!again, "torch " + text + " with CUDA " + cuda.str() + " is there twice");
    pins.releases.push_back(number);
  }
  row.require(!pins.releases.empty(), "\"torch_versions\" is empty");
  row.require((releaseCount += pins.releases.size()) <= mostRows,
              "more than " + llvm::Twine(mostRows) + " releases of torch");
  if (row.good())
    pinRows.push_back(std::move(pins));
}

void Reader::compareLine(const Row &row, const Minor &minor, const Supplement::Line &line,
                         const std::optional<Number> &toolkit, bool isDefault) {
  std::string what = "torch " + minor.str() + "+" + line.tag + " is built in with another ";
  if (toolkit && line.toolkit && toolkit != line.toolkit)
    row.contradict(what + "toolkit release", textOf(toolkit), textOf(line.toolkit));
  if (isDefault != (minor.defaultLine == line.cuda))
    row.contradict("torch " + minor.str() + " is built in with another default line",
                   isDefault ? "CUDA " + line.cuda.str() : "not CUDA " + line.cuda.str(),
                   "CUDA " + minor.defaultLine->str());
}

void Reader::readLine(const Row &row) {
  CudaVersion cuda = row.cuda("cuda");
  std::optional<Number> toolkit = checkLine(row, cuda);
  Minor &minor = minorOf(row);
  bool isDefault = row.flag("pypi_default");
  if (!row.good())
    return;
  if (Supplement::Line *line = minor.find(cuda)) {
    row.require(minor.builtIn, "the line is there twice");
    compareLine(row, minor, *line, toolkit, isDefault);
    line->toolkit = line->toolkit ? line->toolkit : toolkit;
    return;
  }
  if (isDefault && minor.builtIn)
    return row.contradict("torch " + minor.str() + " is built in with another default line",
                          "CUDA " + cuda.str(), "CUDA " + minor.defaultLine->str());
  row.require(!isDefault || !minor.defaultLine, "a second pypi_default of this release");
  if (isDefault)
    minor.defaultLine = cuda;
  minor.lines.push_back({cuda, row.text("local_tag").str(), toolkit, Supplement::noPins});
}

void Reader::readDefault(const Row &row) {
  CudaVersion cuda = row.cuda("cuda");
  checkTag(row, cuda);
  Minor &minor = minorOf(row);
  row.require(!minor.said, "the release is there twice");
  minor.said = true;
  if (minor.builtIn && minor.defaultLine != cuda)
    return row.contradict("torch " + minor.str() + " is built in with another default line",
                          "CUDA " + cuda.str(), "CUDA " + minor.defaultLine->str());
  row.require(minor.defaultLine == cuda, "pytorch_cuda_lines says otherwise about the default");
}

static std::string describe(StringRef dist, StringRef floor, bool floats, PinKind kind) {
  static constexpr llvm::StringLiteral kinds[] = {"direct", "extra", "transitive"};
  return (dist + (floats ? " from " : " ") + floor + ", " + kinds[size_t(kind)]).str();
}

/// Both are ordered by distribution.
void Reader::comparePins(const Row &row, const TorchRelease &release, const TorchLine &line,
                         llvm::ArrayRef<Supplement::Pin> pins) {
  auto has = torchPins(line);
  for (size_t i = 0; i < std::max(has.size(), pins.size()); ++i) {
    const Pin *there = i < has.size() ? &has[i] : nullptr;
    const Supplement::Pin *here = i < pins.size() ? &pins[i] : nullptr;
    if (here && there && here->dist == there->dist && here->floor == there->floor &&
        here->floats == there->floats && here->kind == there->kind)
      continue;
    return row.contradict(
        "torch " + release.str() + "+" + line.tag + " is built in with other pins",
        here ? describe(here->dist, here->floor, here->floats, here->kind) : "nothing further",
        there ? describe(there->dist, there->floor, there->floats, there->kind)
              : "nothing further");
  }
}

/// The other tables say the same about the build.
void Reader::checkPins(const Pins &each) {
  Minor &minor = minorOf(each.releases.front()[0], each.releases.front()[1]);
  const Supplement::Line *line = minor.find(each.cuda);
  if (!each.row.require(line,
                        "pytorch_cuda_lines has no line " + each.cuda.str() + " for this release"))
    return;
  if (minor.builtIn)
    return compareLine(each.row, minor, *line,
                       each.ctk.empty() ? std::nullopt : std::optional(each.row.asNumber(each.ctk)),
                       each.isDefault);
  each.row.require(each.ctk == (line->toolkit ? str(*line->toolkit) : ""),
                   "pytorch_cuda_lines has ctk " + textOf(line->toolkit));
  each.row.require(each.isDefault == (minor.defaultLine == each.cuda),
                   "pytorch_cuda_lines says otherwise about pypi_default");
}

void Reader::addRelease(const Minor &minor, const Number &number, const TorchRelease *known) {
  Supplement::Torch torch{number, 0, minor.lines};
  for (Supplement::Line &line : torch.lines) {
    if (known)
      for (const TorchLine &there : torchLines(*known))
        if (there.cuda == line.cuda)
          line.pinSet = there.pinSet;
    for (const Pins &each : pinRows) {
      if (each.cuda != line.cuda || !llvm::is_contained(each.releases, number))
        continue;
      if (line.pinSet == Supplement::noPins)
        line.pinSet = each.pinSet;
      for (const TorchLine &there : known ? torchLines(*known) : llvm::SmallVector<TorchLine, 4>())
        if (there.cuda == line.cuda && there.pinsKnown)
          comparePins(each.row, *known, there,
                      out.pinSets[each.pinSet - rows::pinSets().size()].pins);
    }
    if (line.cuda == minor.defaultLine)
      torch.defaultLine = size_t(&line - torch.lines.data());
  }
  for (const Pins &each : pinRows)
    if (llvm::is_contained(each.releases, number))
      each.row.require(torch.lines[torch.defaultLine].pinSet != Supplement::noPins,
                       "torch " + str(number) + " has no row for its default line");
  out.torch.push_back(std::move(torch));
}

void Reader::addReleases(Minor &minor) {
  llvm::sort(minor.lines, [](const auto &a, const auto &b) { return a.cuda < b.cuda; });
  std::vector<Number> numbers;
  for (const TorchRelease &release : builtIn)
    if (release.major == minor.major && release.minor == minor.minor) {
      numbers.push_back(numberOf(release));
      addRelease(minor, numbers.back(), &release);
    }
  for (const Pins &each : pinRows)
    for (const Number &number : each.releases)
      if (number[0] == minor.major && number[1] == minor.minor &&
          !llvm::is_contained(numbers, number)) {
        numbers.push_back(number);
        addRelease(minor, number, nullptr);
      }
}

void Reader::read() {
  for (const Row &row : tables.rows("torch_wheel_pins"))
    readPins(row);
  for (const Row &row : tables.rows("pytorch_cuda_lines")) {
    readLine(row);
    if (!row.good())
      return;
    const Minor &minor = minorOf(row);
    row.require(minor.builtIn || llvm::any_of(pinRows,
                                              [&](const Pins &each) {
                                                return each.releases.front()[0] == minor.major &&
                                                       each.releases.front()[1] == minor.minor;
                                              }),
                "torch_wheel_pins names no release of torch " + minor.str());
  }
  for (const Row &row : tables.rows("torch_pypi_default"))
    readDefault(row);
  for (const Pins &each : pinRows) {
    if (!tables.good())
      return;
    checkPins(each);
    const Minor &minor = minorOf(each.releases.front()[0], each.releases.front()[1]);
    each.row.require(minor.builtIn || minor.said,
                     "torch_pypi_default has no row for torch " + minor.str());
  }
  if (!tables.good())
    return;
  for (Minor &minor : minors)
    addReleases(minor);
  llvm::sort(out.torch, [](const auto &a, const auto &b) { return a.number < b.number; });
}

void readTorch(const Tables &tables, Supplement &out) { Reader(tables, out).read(); }

} // namespace cudacc::tables::supplement
