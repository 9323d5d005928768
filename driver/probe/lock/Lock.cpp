// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/lock/Lock.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/lock/LockReader.h"
#include "driver/support/Json.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"
#include "driver/support/Toml.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;
using llvm::StringRef;

namespace {

using Parse = llvm::Expected<Value> (*)(StringRef text, StringRef shown);
using Read = llvm::Error (*)(const Value &lock, LockCollector &collector);

struct Format {
  StringRef begin, end;
  Parse parse;
  Read read;
};

constexpr unsigned mostPackages = 1 << 16;
/// More alternatives than any tool writes into one marker.
constexpr unsigned mostChoices = 64;

const Format *formatOf(StringRef name) {
  static constexpr Format formats[] = {
      {"uv.lock", "", parseTomlLock, readUv},
      {"pylock.", "toml", parseTomlLock, readPylock},
      {"poetry.lock", "", parseTomlLock, readPoetry},
      {"pdm.lock", "", parseTomlLock, readPdm},
      {"pdm.", ".lock", parseTomlLock, readPdm},
      {"Pipfile.lock", "", parseJsonLock, readPipfile},
      {"", "conda-lock.yml", parseYamlLock, readCondaLock},
      {"", "conda-lock.yaml", parseYamlLock, readCondaLock},
      {"pixi.lock", "", parseYamlLock, readPixi},
  };
  for (const Format &format : formats)
    if (format.end.empty() ? name == format.begin
                           : name.starts_with(format.begin) && name.ends_with(format.end))
      return &format;
  return nullptr;
}

/// Returns the quoted strings of a marker, among them the names of extras and groups.
std::vector<std::string> literalsOf(StringRef marker) {
  std::vector<std::string> literals;
  for (size_t at = 0; (at = marker.find_first_of("'\"", at)) != StringRef::npos;) {
    size_t end = marker.find(marker[at], at + 1);
    if (end == StringRef::npos)
      break;
    literals.push_back(Requirement::normalise(marker.slice(at + 1, end)));
    at = end + 1;
  }
  return literals;
}

/// The user selects extras and groups on installation, so a marker is True or False only if the
/// result is the same for every selection.
Truth overChoices(const Marker &marker, StringRef text, MarkerEnvironment environment) {
  Truth without = marker.evaluate(environment);
  if (!text.contains("extra") && !text.contains("dependency_groups"))
    return without;
  std::vector<std::string> literals = literalsOf(text);
  if (literals.size() > mostChoices)
    return Truth::Unknown;
  environment.extras = environment.groups = literals;
  if (marker.evaluate(environment) != without)
    return Truth::Unknown;
  for (const std::string &literal : literals) {
    environment.extras = environment.groups = {literal};
    if (marker.evaluate(environment) != without)
      return Truth::Unknown;
  }
  return without;
}

bool isSourceArchive(StringRef &name) {
  return name.consume_back(".tar.gz") || name.consume_back(".zip") || name.consume_back(".tar.bz2");
}

} // namespace

llvm::Error brokenLock(StringRef shown, unsigned line, StringRef what, StringRef why) {
  return core::makeError(core::Code::BrokenConfig,
                         fmt::format("{}:{} {}", shown, std::max(line, 1u), what),
                         {{"because", why.str()}});
}

llvm::Expected<Value> parseTomlLock(StringRef text, StringRef shown) {
  support::TextError error;
  if (auto value = support::readToml(text, error))
    return std::move(*value);
  return brokenLock(shown, error.line, "is not valid TOML", error.why);
}

llvm::Expected<Value> parseJsonLock(StringRef text, StringRef shown) {
  support::TextError error;
  support::JsonLimits limits;
  limits.depth = deepestLock;
  limits.values = mostLockValues;
  if (auto value = support::readJson(text, error, limits))
    return std::move(*value);
  return brokenLock(shown, error.line, "is not valid JSON", error.why);
}

Truth LockCollector::truthOf(StringRef text, StringRef file, unsigned line) {
  if (text.trim().empty())
    return Truth::True;
  auto [entry, isNew] = markers.try_emplace(text, Truth::Unknown);
  if (!isNew)
    return entry->second;
  auto marker = Marker::parse(text);
  if (!marker)
    warn(Code::BrokenConfig, quoted(text) + " is not a marker of PEP 508", file, line);
  else
    entry->second = overChoices(*marker, text, environment);
  return entry->second;
}

llvm::Error LockCollector::add(LockedPackage package) {
  package.applies = both(package.applies, truthOf(package.marker, package.file, package.line));
  if (package.applies == Truth::False)
    return llvm::Error::success();
  if (reading.packages.size() == mostPackages)
    return brokenLock(package.file, package.line, "is not a lock file that can be read",
                      fmt::format("it has more than {} packages", mostPackages));
  reading.packages.push_back(std::move(package));
  return llvm::Error::success();
}

llvm::Expected<std::string> LockCollector::read(StringRef path, Files &files) {
  FileId id = files.stat(path).id;
  id.path = path.str();
  reading.inputs.push_back(std::move(id));
  return files.read(path);
}

void LockCollector::warn(Code code, std::string message, StringRef file, unsigned line) {
  // A file with many such lines is sufficiently described by the first ones.
  constexpr size_t mostProblems = 32;
  if (reading.problems.size() == mostProblems)
    return;
  Finding &finding = reading.problems.emplace_back(makeFinding(code, std::move(message)));
  finding.severity = Severity::Warning;
  finding.origin = fmt::format("{}:{}", file, line);
  finding.addFact("in", finding.origin);
}

StringRef LockCollector::machine() const {
  auto machine = environment.values.find("platform_machine");
  return machine == environment.values.end() ? StringRef() : StringRef(machine->second);
}

LockedPackage lockedPackage(StringRef name, StringRef version, StringRef file, unsigned line) {
  LockedPackage package;
  package.name = Requirement::normalise(name);
  package.text = version.str();
  package.version = Version::parse(version).value_or(Version{});
  package.file = file.str();
  package.line = line;
  return package;
}

std::optional<std::pair<std::string, std::string>> distributionOfFile(StringRef path) {
  path = path.take_until([](char c) { return c == '#' || c == '?'; });
  std::string name = nameOf(path).str();
  for (size_t at; (at = StringRef(name).find_insensitive("%2b")) != std::string::npos;)
    name.replace(at, 3, "+");
  StringRef stem = name;
  llvm::SmallVector<StringRef, 6> parts;
  if (stem.consume_back(".whl")) {
    stem.split(parts, '-');
    if (parts.size() < 5)
      return std::nullopt;
  } else if (isSourceArchive(stem)) {
    auto [front, back] = stem.rsplit('-');
    parts = {front, back};
  } else {
    return std::nullopt;
  }
  if (parts[0].empty() || !Version::parse(parts[1]))
    return std::nullopt;
  return std::pair(Requirement::normalise(parts[0]), parts[1].str());
}

static bool isRequirements(StringRef name) {
  return name.ends_with(".txt") || name.ends_with(".in");
}

bool isLock(StringRef name) { return formatOf(name) || isRequirements(name); }

llvm::Expected<LockReading> readLock(StringRef path, const MarkerEnvironment &environment,
                                     Files &files) {
  LockReading reading;
  reading.shown = nameOf(path).str();
  LockCollector collector(environment, reading);
  reading.machine = collector.machine().str();
  StringRef name = reading.shown;
  const Format *format = formatOf(name);
  if (!format && !isRequirements(name))
    return makeError(
        Code::BadRequirement, quoted(name) + " is not a lock file that this version reads",
        {{"understood", "uv.lock, pylock.toml, requirements.txt, poetry.lock, pdm.lock, "
                        "Pipfile.lock, conda-lock.yml, pixi.lock"}},
        {"name the lock of your project: lock:uv.lock"});
  if (!format) {
    if (llvm::Error error = readRequirements(path, files, collector))
      return error;
    return reading;
  }
  auto text = collector.read(path, files);
  if (!text)
    return text.takeError();
  auto lock = format->parse(*text, name);
  if (!lock)
    return lock.takeError();
  if (!lock->isTable())
    return brokenLock(name, lock->line, "is not a lock file", "it has no keys");
  if (llvm::Error error = format->read(*lock, collector))
    return error;
  return reading;
}

} // namespace cudacc::probe
