// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/DeclaredRequirement.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Text.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Format.h"
#include "driver/versions/PlaceRequirement.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;
using support::quoted;

namespace {

struct KnownRequirement {
  StringRef name;
  RequirementKind kind;
  StringRef example;
  /// Suggested to users who have not declared a runtime yet.
  bool offered = false;
};

/// Every kind of requirement, in the order in which messages list them.
constexpr KnownRequirement kinds[] = {
    {"cuda", RequirementKind::Cuda, "cuda==12.4", true},
    {"torch", RequirementKind::Torch, "torch==2.5.1", true},
    {"env", RequirementKind::Environment, "env:PATH", true},
    {"lock", RequirementKind::Lock, "lock:FILE"},
    {"driver", RequirementKind::Driver, "driver>=535.104"},
    {"sm", RequirementKind::Gpus, "sm>=80"},
    {"jax", RequirementKind::Framework, "jax[cuda12]==0.4.35"},
    {"tensorflow", RequirementKind::Framework, "tensorflow[and-cuda]==2.18.0"},
    {"cupy", RequirementKind::Framework, "cupy-cuda12x"},
};

const KnownRequirement *find(StringRef head) {
  std::string name = Requirement::normalise(head);
  for (const KnownRequirement &kind : kinds)
    if (name == kind.name)
      return &kind;
  return nullptr;
}

std::string understood() {
  return support::joined(kinds, ", ", [](const KnownRequirement &kind) { return kind.example; });
}

std::string offers() {
  std::string list;
  for (const KnownRequirement &kind : kinds)
    if (kind.offered)
      list += fmt::format("{}{}", list.empty() ? "write " : " or ", kind.example);
  return list;
}

llvm::Error bad(const Setting<std::string> &setting, std::string message, std::string fix) {
  Finding finding = makeFinding(Code::BadRequirement, std::move(message));
  finding.origin = setting.origin.str();
  if (setting.origin)
    finding.addFact("declared", "in " + finding.origin);
  finding.addFact("understood", understood() + ", with the specifiers of PEP 440");
  finding.addFix(std::move(fix));
  return makeError(std::move(finding));
}

/// The name that a requirement begins with.
StringRef headOf(StringRef text) {
  return text.take_while([](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
}

/// Suggests what was probably meant by `cuda 12.4`, `torch=2.5.1`, `cuda12.4`, or a version alone.
std::string meant(StringRef head, StringRef rest) {
  rest = rest.ltrim("= \t").trim();
  if (!Version::parse(rest))
    return offers();
  return fmt::format("write {}=={}", head, rest);
}

llvm::Error refuse(const Setting<std::string> &setting, StringRef text) {
  if (auto version = Version::parse(text))
    return bad(setting, quoted(text) + " does not say of what it is the version",
               meant(version->local.empty() && version->at(0) > 9 ? "cuda" : "torch", text));
  StringRef head = headOf(text);
  if (auto arch = Arch::parse(text); arch && head.starts_with("sm_"))
    return bad(setting, quoted(text) + " is not a requirement", "write " + arch->str("sm="));
  if (const KnownRequirement *kind = find(head)) {
    bool versioned = kind->kind == RequirementKind::Cuda || kind->kind == RequirementKind::Torch;
    return bad(setting, quoted(text) + " is not a requirement",
               versioned ? meant(kind->name, text.drop_front(head.size()))
                         : fmt::format("write {}", kind->example));
  }
  llvm::SmallVector<StringRef, 64> names;
  for (const KnownRequirement &kind : kinds)
    names.push_back(kind.name);
  for (const tables::FrameworkName &each : tables::frameworkNames())
    names.push_back(each.name);
  StringRef name = head.rtrim("0123456789.");
  StringRef near = nearest(name.lower(), names);
  return bad(setting, quoted(text) + " is not a runtime that this version knows",
             near.empty() ? offers()
             : near == name
                 ? meant(near, text.drop_front(name.size()))
                 : fmt::format("did you mean {}{}?", near, text.drop_front(head.size())));
}

DeclaredRequirement requirementOf(RequirementKind kind, const Setting<std::string> &setting) {
  DeclaredRequirement requirement;
  requirement.kind = kind;
  requirement.setting = &setting;
  return requirement;
}

/// Parses `sm>=80` and `sm=80,86,90a`; also accepts `==`, as every other kind does.
llvm::Expected<DeclaredRequirement> readGpus(const Setting<std::string> &setting, StringRef text,
                                             StringRef rest) {
  DeclaredRequirement requirement = requirementOf(RequirementKind::Gpus, setting);
  requirement.andNewer = rest.consume_front(">=");
  if (!requirement.andNewer && !rest.consume_front("==") && !rest.consume_front("="))
    return refuse(setting, text);
  llvm::SmallVector<StringRef, 8> parts;
  rest.split(parts, ',');
  for (StringRef part : parts) {
    auto arch = Arch::parse(part.trim());
    if (!arch)
      return bad(setting, quoted(part.trim()) + " is not a GPU architecture",
                 "write sm=80,86,90 or sm>=80");
    requirement.archs.push_back(*arch);
  }
  // Code for sm_90a runs on no newer GPU, so `sm>=90a` has no meaning.
  if (requirement.andNewer && (requirement.archs.size() > 1 || requirement.archs.front().suffix))
    return bad(setting, quoted(text) + " is not a requirement",
               fmt::format("write sm>={}", requirement.archs.front().number));
  llvm::sort(requirement.archs);
  requirement.archs.erase(llvm::unique(requirement.archs), requirement.archs.end());
  return requirement;
}

/// An example: the newest release that was read.
std::string exampleOf(const tables::FrameworkName &name) {
  auto runs = tables::frameworkRuns(name);
  StringRef last = runs.back().read.empty() ? runs.back().first : runs.back().read.back();
  return fmt::format("{}=={}", name, last);
}

/// Many frameworks have CUDA only with an extra, so the extra decides which entry of \p called
/// applies.
llvm::Expected<DeclaredRequirement> readFramework(const Setting<std::string> &setting,
                                                  Requirement parsed,
                                                  llvm::ArrayRef<tables::FrameworkName> called) {
  const tables::FrameworkName *chosen = nullptr;
  bool several = false;
  for (const tables::FrameworkName &each : called) {
    if (!llvm::all_of(each.extras,
                      [&](StringRef extra) { return llvm::is_contained(parsed.extras, extra); }))
      continue;
    several = chosen && !chosen->extras.empty();
    chosen = &each;
  }
  StringRef text = StringRef(setting.value).trim();
  std::string specifiers = parsed.specifiers.str();
  std::string named;
  for (const tables::FrameworkName &each : called)
    if (!each.extras.empty())
      named += (named.empty() ? "write " : " or ") +
               (specifiers.empty() ? exampleOf(each) : fmt::format("{}{}", each, specifiers));
  if (!chosen)
    return bad(setting, quoted(text) + " names no extra that requires CUDA", named);
  if (several)
    return bad(setting, quoted(text) + " names extras of two CUDA majors", named);
  if (parsed.specifiers.clauses.empty() && (!chosen->fixesMajor() || !parsed.url.empty()))
    return bad(setting, quoted(text) + " names no version", "write " + exampleOf(*chosen));
  DeclaredRequirement requirement = requirementOf(RequirementKind::Framework, setting);
  requirement.framework = *chosen;
  requirement.specifiers = std::move(parsed.specifiers);
  return requirement;
}

/// V-DR-15: a release has two or three numbers. A branch, `535`, stands for all of its releases.
llvm::Expected<DeclaredRequirement> readDriver(const Setting<std::string> &setting, StringRef text,
                                               StringRef rest) {
  if (!rest.consume_front(">="))
    return refuse(setting, text);
  rest = rest.trim();
  llvm::SmallVector<StringRef, 4> numbers;
  rest.split(numbers, '.');
  bool good = numbers.size() < 4 && llvm::all_of(
                                        numbers,
                                        [](StringRef part) {
                                          return !part.empty() && part.size() < 6 &&
                                                 llvm::all_of(part, llvm::isDigit);
                                        });
  if (good) {
    DeclaredRequirement requirement = requirementOf(RequirementKind::Driver, setting);
    requirement.driver = rest.str();
    return requirement;
  }
  Finding finding = findingAbout(Code::DriverRelease, quoted(rest) + " is not a driver release",
                                 requirementOf(RequirementKind::Driver, setting));
  finding.addFact("a release", "up to three numbers, as nvidia-smi prints them");
  finding.addFix("write driver>=535.104");
  return makeError(std::move(finding));
}

} // namespace

std::string DeclaredRequirement::describe() const {
  std::string text = setting->value;
  if (setting->origin)
    text += fmt::format(" {} {}", setting->origin.kind == Origin::Kind::File ? "in" : "from",
                        setting->origin);
  return text;
}

Finding findingAbout(Code code, std::string message,
                     llvm::ArrayRef<DeclaredRequirement> requirements, llvm::StringRef label) {
  Finding finding = makeFinding(code, std::move(message));
  finding.origin = requirements.front().setting->origin.str();
  for (const DeclaredRequirement &requirement : requirements)
    finding.addFact(label, requirement.describe());
  return finding;
}

static llvm::Expected<DeclaredRequirement> readPlace(const Setting<std::string> &setting,
                                                     const PlaceRequirement &place) {
  bool isLock = place.kind == PlaceRequirement::Kind::Lock;
  DeclaredRequirement requirement =
      requirementOf(isLock ? RequirementKind::Lock : RequirementKind::Environment, setting);
  requirement.path = place.path.str();
  if (place.isActive || !requirement.path.empty())
    return requirement;
  if (isLock)
    return bad(setting, "\"lock:\" names no lock", "write lock:uv.lock");
  return bad(setting, "\"env:\" names no environment", "write env:PATH, or env for the active one");
}

llvm::Expected<DeclaredRequirement> parseRequirement(const Setting<std::string> &setting) {
  StringRef text = StringRef(setting.value).trim();
  if (text.empty())
    return bad(setting, "the runtime is empty", offers());
  if (auto place = PlaceRequirement::parse(text))
    return readPlace(setting, *place);
  StringRef head = headOf(text), rest = text.drop_front(head.size()).ltrim();
  if (head.equals_insensitive("sm"))
    return readGpus(setting, text, rest);
  if (head.equals_insensitive("driver"))
    return readDriver(setting, text, rest);
  auto parsed = Requirement::parse(text);
  const KnownRequirement *kind = parsed ? find(parsed->name) : nullptr;
  if (!kind || (kind->kind != RequirementKind::Cuda && kind->kind != RequirementKind::Torch)) {
    auto called = tables::frameworksCalled(parsed ? parsed->name : "");
    return called.empty() ? refuse(setting, text)
                          : readFramework(setting, std::move(*parsed), called);
  }
  if (kind->kind == RequirementKind::Cuda && !parsed->extras.empty())
    return bad(setting, quoted(text) + ": cuda has no extras",
               fmt::format("write {}", kind->example));
  if (parsed->specifiers.clauses.empty())
    return bad(setting, quoted(text) + " names no version", fmt::format("write {}", kind->example));
  DeclaredRequirement requirement = requirementOf(kind->kind, setting);
  requirement.specifiers = std::move(parsed->specifiers);
  return requirement;
}

} // namespace cudacc::resolve
