// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/TorchNames.h"
#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/TorchNamesFormat.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

namespace cudacc::tables {

using llvm::StringRef;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;
using versions::Exported;
using namespace torchnames;

static llvm::Error broken(StringRef what, std::string detail) {
  return core::makeError(core::Code::BrokenFacts,
                         fmt::format("the table of torch's names {}", what),
                         {{"problem", std::move(detail)}});
}
static llvm::Error contradicts(const char *detail) { return broken("is broken", detail); }

namespace {

/// Reads the builds of the file one after the other.
class BuildReader {
public:
  explicit BuildReader(StringRef bytes) : rest(bytes) {}

  std::optional<TorchNames::Build> next() {
    TorchNames::Build build;
    if (rest.size() < 8)
      return std::nullopt;
    build.machine = read16le(rest.data());
    uint16_t flags = read16le(rest.data() + 2);
    build.oldStrings = flags & 1;
    build.names = read32le(rest.data() + 4);
    rest = rest.drop_front(8);
    if (flags > 1 || !takeText(build.release) || !takeText(build.pythons))
      return std::nullopt;
    return build;
  }
  bool atEnd() const { return rest.empty(); }

private:
  bool takeText(std::string &text) {
    if (rest.empty())
      return false;
    size_t length = static_cast<unsigned char>(rest.front());
    if (rest.size() < 1 + length)
      return false;
    text = rest.substr(1, length).str();
    rest = rest.drop_front(1 + length);
    return true;
  }

  StringRef rest;
};

/// Iterates over the runs of a pattern. Inconsistencies after the last run that is needed are not
/// detected, but nothing outside is read.
class PatternReader {
public:
  explicit PatternReader(StringRef bytes) : rest(bytes) {}

  /// False at the end and for malformed bytes.
  bool next() {
    first = end;
    auto count = takeNumber(), bits = takeNumber();
    if (!count || !bits || *count == 0 || *bits & ~uint32_t(AllBits))
      return false;
    end = first + *count;
    value = uint16_t(*bits);
    return true;
  }
  bool atEnd() const { return rest.empty(); }

  /// Builds from \p first up to but not including \p end have this value.
  size_t first = 0, end = 0;
  uint16_t value = 0;

private:
  std::optional<uint32_t> takeNumber() {
    uint32_t number = 0;
    for (unsigned shift = 0; shift < 21 && !rest.empty(); shift += 7) {
      unsigned char byte = static_cast<unsigned char>(rest.front());
      rest = rest.drop_front();
      number |= uint32_t(byte & 0x7f) << shift;
      if (byte < 0x80)
        return number;
    }
    return std::nullopt;
  }

  StringRef rest;
};

} // namespace

uint64_t torchnames::hashOf(StringRef name) { return llvm::xxh3_64bits(name) >> 16; }

bool torchnames::isOfCxxRuntime(StringRef name) {
  if (!name.consume_front("_Z"))
    return false;
  // Virtual tables, type information and guards. Thunks have numbers after `T`.
  if (!name.consume_front("T") || name.empty())
    name.consume_front("GV");
  else
    name = name.drop_front();
  name.consume_front("N");
  name = name.ltrim("rVKRO");
  auto isStd = [](StringRef text) {
    return text.size() > 1 && text[0] == 'S' && StringRef("tabsiod").contains(text[1]);
  };
  if (!isStd(name) && !name.starts_with("9__gnu_cxx") && !name.starts_with("10__cxxabiv1"))
    return false;
  for (size_t at = name.find('N'); at != StringRef::npos; at = name.find('N', at + 1)) {
    StringRef nested = name.drop_front(at + 1).ltrim("rVKRO");
    if (!nested.empty() && nested[0] >= '1' && nested[0] <= '9' &&
        !nested.starts_with("9__gnu_cxx") && !nested.starts_with("10__cxxabiv1"))
      return false;
  }
  return true;
}

StringRef TorchNames::Entry::library() const {
  return libraries ? StringRef(torchNameLibraries[llvm::countr_zero(libraries)]) : StringRef();
}

llvm::Expected<TorchNames> TorchNames::view(StringRef bytes) {
  if (!Magic.starts_with(bytes.take_front(Magic.size())))
    return broken("is not such a table", "it does not begin like one");
  if (bytes.size() < HeaderSize)
    return broken("is cut off", fmt::format("{} bytes", bytes.size()));
  if (uint32_t schema = read32le(bytes.data() + AtSchema); schema != Schema)
    return broken(fmt::format("has schema {}, not {}", schema, Schema),
                  "it was made for another cuda-cc");
  auto number = [&](size_t at) { return uint64_t(read32le(bytes.data() + at)); };
  if (number(AtSize) != bytes.size())
    return broken(bytes.size() < number(AtSize) ? "is cut off" : "is too long",
                  fmt::format("{} bytes, and it says {}", bytes.size(), number(AtSize)));
  if (read64le(bytes.data() + AtChecksum) != llvm::xxh3_64bits(bytes.drop_front(AtBuilds)))
    return broken("is damaged", "its checksum does not match");

  uint64_t offsets = aligned(HeaderSize + number(AtBuildBytes), 4);
  uint64_t patterns = offsets + 4 * number(AtPatterns);
  uint64_t buckets = aligned(patterns + number(AtPatternBytes), 4);
  uint64_t hashes = buckets + 4 * BucketCount, numbers = hashes + 4 * number(AtNames);
  if (numbers + 2 * number(AtNames) != bytes.size())
    return contradicts("its parts are not as long as it says");
  TorchNames names;
  names.patternOffsets = bytes.slice(offsets, patterns);
  names.patternBytes = bytes.substr(patterns, number(AtPatternBytes));
  names.buckets = bytes.slice(buckets, hashes);
  names.hashes = bytes.slice(hashes, numbers);
  names.numbers = bytes.drop_front(numbers);

  BuildReader reader(bytes.substr(HeaderSize, number(AtBuildBytes)));
  for (uint64_t left = number(AtBuilds); left; --left) {
    auto build = reader.next();
    auto version = build ? versions::Version::parse(build->release) : std::nullopt;
    if (!version)
      return contradicts("its list of releases cannot be read");
    if (!names.all.empty() && std::tie(names.all.back().machine, names.versions.back()) >=
                                  std::tie(build->machine, *version))
      return contradicts("its releases are not in order");
    names.versions.push_back(std::move(*version));
    names.all.push_back(std::move(*build));
  }
  if (!reader.atEnd())
    return contradicts("its list of releases is longer than it says");
  return names;
}

std::optional<size_t> TorchNames::indexOf(StringRef release, uint16_t machine) const {
  // Most queries spell the release as the table does.
  for (size_t i = 0; i != all.size(); ++i)
    if (all[i].machine == machine && all[i].release == release)
      return i;
  auto wanted = versions::Version::parse(release);
  for (size_t i = 0; wanted && i != all.size(); ++i)
    if (all[i].machine == machine && versions[i] == *wanted)
      return i;
  return std::nullopt;
}

const TorchNames::Build *TorchNames::find(StringRef release, uint16_t machine) const {
  auto index = indexOf(release, machine);
  return index ? &all[*index] : nullptr;
}

std::optional<StringRef> TorchNames::pattern(size_t id) const {
  if (id >= patternOffsets.size() / 4)
    return std::nullopt;
  size_t begin = id ? read32le(patternOffsets.data() + 4 * (id - 1)) : 0;
  size_t end = read32le(patternOffsets.data() + 4 * id);
  if (begin >= end || end > patternBytes.size())
    return std::nullopt;
  return patternBytes.slice(begin, end);
}

std::optional<StringRef> TorchNames::findPattern(StringRef name) const {
  if (isOfCxxRuntime(name))
    return std::nullopt;
  uint64_t hash = hashOf(name), bucket = bucketOf(hash);
  size_t begin = bucket ? read32le(buckets.data() + 4 * (bucket - 1)) : 0;
  size_t end = read32le(buckets.data() + 4 * bucket);
  if (begin > end || end > hashes.size() / 4)
    return std::nullopt;
  // About four, on one or two cache lines.
  for (size_t i = begin; i != end; ++i)
    if (read32le(hashes.data() + 4 * i) == uint32_t(hash))
      return pattern(read16le(numbers.data() + 2 * i));
  return StringRef();
}

std::optional<std::vector<uint16_t>> TorchNames::valuesOf(size_t id) const {
  auto bytes = pattern(id);
  std::vector<uint16_t> values;
  if (!bytes)
    return std::nullopt;
  PatternReader reader(*bytes);
  while (values.size() < all.size() && reader.next() && reader.end <= all.size())
    values.resize(reader.end, reader.value);
  if (values.size() != all.size() || !reader.atEnd())
    return std::nullopt;
  return values;
}

/// The value of one build. std::nullopt if the pattern has none.
static std::optional<uint16_t> valueAt(StringRef pattern, size_t build) {
  if (pattern.empty())
    return 0;
  for (PatternReader reader(pattern); reader.next();)
    if (build < reader.end)
      return reader.value;
  return std::nullopt;
}

static Exported answerOf(std::optional<uint16_t> value, bool mayBeLeftOut) {
  if (!value || *value & SomePythons || (!*value && mayBeLeftOut))
    return Exported::Unknown;
  return *value ? Exported::Yes : Exported::No;
}

Exported TorchNames::exported(StringRef name, StringRef release, uint16_t machine) const {
  const Build *build = find(release, machine);
  return build ? exported(name, *build) : Exported::Unknown;
}

Exported TorchNames::exported(StringRef name, const Build &build) const {
  auto pattern = findPattern(name);
  return pattern ? answerOf(valueAt(*pattern, size_t(&build - all.data())), isLeftOut(name))
                 : Exported::Unknown;
}

std::vector<Exported> TorchNames::exportedByAll(StringRef name) const {
  auto pattern = findPattern(name);
  bool mayBeLeftOut = isLeftOut(name);
  if (pattern && pattern->empty())
    return std::vector<Exported>(all.size(), answerOf(0, mayBeLeftOut));
  std::vector<Exported> answers;
  if (pattern)
    for (PatternReader reader(*pattern); reader.next() && answers.size() < all.size();)
      answers.resize(std::min(reader.end, all.size()), answerOf(reader.value, mayBeLeftOut));
  answers.resize(all.size(), Exported::Unknown);
  return answers;
}

std::optional<TorchNames::Entry> TorchNames::entry(StringRef name, StringRef release,
                                                   uint16_t machine) const {
  auto build = indexOf(release, machine);
  auto pattern = build ? findPattern(name) : std::nullopt;
  auto value = pattern ? valueAt(*pattern, *build) : std::nullopt;
  if (!value || !*value)
    return std::nullopt;
  return Entry{(*value & Variable) != 0, (*value & SomePythons) == 0, uint8_t(*value & Libraries)};
}

bool TorchNames::known(StringRef name) const {
  auto pattern = findPattern(name);
  return pattern && !pattern->empty();
}

StringRef TorchNames::library(StringRef name) const {
  auto pattern = findPattern(name);
  if (!pattern)
    return {};
  Entry newest;
  std::optional<uint16_t> machine;
  for (PatternReader reader(*pattern); reader.next();) {
    if (!reader.value || reader.first >= all.size())
      continue;
    if (machine && *machine != all[reader.first].machine)
      break;
    machine = all[std::min(reader.end, all.size()) - 1].machine;
    newest.libraries = uint8_t(reader.value & Libraries);
  }
  return newest.library();
}

} // namespace cudacc::tables
