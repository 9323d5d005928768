// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/TorchBuild.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/rules/Judge.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"
#include <compare>

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

/// Compares minor releases. From 2.0 to 2.15 each minor removed 279 to 30,344 of the earlier names
/// and added 575 to 20,214; most patch releases removed none, and added 9 at most.
static std::strong_ordering compare(const Version &one, const Version &other) {
  return std::pair(one.at(0), one.at(1)) <=> std::pair(other.at(0), other.at(1));
}

static std::string tagOf(CudaVersion line) { return fmt::format("cu{}{}", line.major, line.minor); }

/// The CUDA build of the runtime's torch, as `cu130`; empty if there are several or it is not
/// known.
static std::string labelOf(const Target &target) {
  if (target.torchReleases.size() != 1)
    return "";
  if (auto version = Version::parse(target.torch); version && !version->local.empty())
    return version->local.front();
  for (const tables::TorchRelease &release : tables::torchReleases())
    if (release.str() == target.torchReleases.front())
      return tagOf(release.defaultLine);
  return "";
}

static std::string describe(const FoundTorch &torch) {
  return torch.label.empty() ? torch.release.str()
                             : fmt::format("{}+{}", torch.release, torch.label);
}

static std::string placeOf(const FoundTorch &torch) {
  return fmt::format("{} ({})", torch.path, torch.foundBy);
}

/// The value of TORCH_TARGET_VERSION: `0x020a000000000000` for 2.10.
static std::string targetVersion(const Version &release) {
  return fmt::format("0x{:02x}{:02x}000000000000", release.at(0), release.at(1));
}

/// The value of the last definition of TORCH_TARGET_VERSION in \p words; std::nullopt if there is
/// none, or it was undefined.
static std::optional<StringRef> definition(llvm::ArrayRef<Word> words) {
  std::optional<StringRef> value;
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef text = words[i].text;
    bool undefines = text.starts_with("-U");
    if (text == "-D" || text == "-U" || text == "--define-macro" || text == "--undefine-macro") {
      undefines = text == "-U" || text == "--undefine-macro";
      if (++i == words.size())
        break;
      text = words[i].text;
    } else if (text.consume_front("--undefine-macro=")) {
      undefines = true;
    } else if (!text.consume_front("--define-macro=") && !text.consume_front("-D") &&
               !text.consume_front("-U")) {
      continue;
    }
    auto [name, rest] = text.split('=');
    if (name.trim() != "TORCH_TARGET_VERSION")
      continue;
    if (undefines)
      value.reset();
    else
      value = rest.trim();
  }
  return value;
}

std::optional<Version> stableTorchOf(const Invocation &call) {
  auto value = definition(call.words);
  if (!value)
    return std::nullopt;
  Version release;
  uint64_t number;
  StringRef digits = value->rtrim("uUlL");
  if (!digits.getAsInteger(0, number) && number >> 56)
    release.release = {number >> 56, number >> 48 & 0xff};
  return release;
}

namespace {
/// Judges headers and libraries alike.
class Judging {
public:
  Judging(const Target &target, StringRef kind, Code newer)
      : target(target), kind(kind), newer(newer) {
    if (!target.torchReleases.empty())
      declared = Version::parse(target.torchReleases.front());
  }
  /// \p call may confine itself to the stable ABI; null at a link.
  void judge(const FoundTorch &torch, const Invocation *call);

  std::vector<Finding> findings;

private:
  Finding &add(Code code, const FoundTorch &torch, std::string message);
  void addFixes(const FoundTorch &torch, Finding &finding);
  void judgeStable(const FoundTorch &torch, const Version &stable);
  std::string has() const { return fmt::format("runtime {}", *declared); }

  const Target &target;
  /// "headers", "library".
  StringRef kind;
  Code newer;
  /// The oldest torch of the runtime.
  std::optional<Version> declared;
};
} // namespace

Finding &Judging::add(Code code, const FoundTorch &torch, std::string message) {
  Finding &finding = findings.emplace_back(makeFinding(code, std::move(message)));
  std::string version = torch.known() ? fmt::format("torch {} at ", describe(torch)) : "";
  finding.addFact(kind.str(), version + placeOf(torch));
  if (!torch.known())
    finding.addFact("because", torch.problem);
  finding.addFact("runtime", target.describe());
  return finding;
}

/// Whether the path is in the folder where pip's build isolation installs what
/// build-system.requires names.
static bool isIsolated(StringRef path) { return path.contains("pip-build-env-"); }

void Judging::addFixes(const FoundTorch &torch, Finding &finding) {
  std::string pin = fmt::format("torch=={}", *declared);
  if (isIsolated(torch.path))
    finding.addFact("because", "pip builds in isolation, with what build-system.requires allows");
  finding.addFix(fmt::format("write \"{}\" in build-system.requires of pyproject.toml", pin));
  finding.addFix(fmt::format("pip wheel --no-build-isolation . where {} is installed", pin));
}

void Judging::judgeStable(const FoundTorch &torch, const Version &stable) {
  if (stable.release.empty()) {
    addFixes(torch, add(Code::TorchReleaseUnknown, torch,
                        "TORCH_TARGET_VERSION is not a release of torch"));
    findings.back().fixes = {"define -DTORCH_TARGET_VERSION=" + targetVersion(*declared)};
    return;
  }
  if (std::is_lteq(compare(stable, *declared)))
    return;
  Finding &finding =
      add(newer, torch, fmt::format("stable ABI of torch {} is newer than {}", stable, has()));
  finding.addFix("define -DTORCH_TARGET_VERSION=" + targetVersion(*declared));
  finding.addFix(fmt::format("raise the runtime to torch>={}", stable));
}

void Judging::judge(const FoundTorch &torch, const Invocation *call) {
  if (!declared)
    return;
  if (!torch.known()) {
    add(Code::TorchReleaseUnknown, torch,
        fmt::format("the release of torch's {} cannot be determined", kind));
    return;
  }
  auto order = compare(torch.release, *declared);
  // The command line is searched only if the headers are of another release.
  if (call && torch.guarded && std::is_neq(order))
    if (std::optional<Version> stable = stableTorchOf(*call))
      return judgeStable(torch, *stable);
  std::string what = fmt::format("torch {} {}", torch.release, kind);
  std::string is = kind.ends_with("s") ? "are" : "is";
  if (std::is_gt(order)) {
    bool major = torch.release.at(0) != declared->at(0);
    if (!major && target.enforce == Enforce::Symbols)
      return;
    Finding &finding = add(newer, torch, fmt::format("{} {} newer than {}", what, is, has()));
    addFixes(torch, finding);
    if (torch.guarded)
      finding.addFix(
          fmt::format("define -DTORCH_TARGET_VERSION={} where only torch's stable ABI is used",
                      targetVersion(*declared)));
    finding.addFix(fmt::format("raise the runtime to torch>={}", torch.release));
    if (!major)
      finding.addFix("set enforce = \"symbols\" to check the names actually used");
    return;
  }
  if (std::is_lt(order)) {
    Finding &finding =
        add(Code::TorchOtherBuild, torch, fmt::format("{} {} older than {}", what, is, has()));
    finding.addFact("consequence", "names may be gone, and layouts may differ unseen");
    addFixes(torch, finding);
    return;
  }
  // The tables are needed only if the label is for another CUDA line than the target's.
  if (!tables::isGpuLabel(torch.label) || torch.label == tagOf(target.line))
    return;
  if (std::string label = labelOf(target); !label.empty() && torch.label != label) {
    Finding &finding =
        add(Code::TorchOtherBuild, torch,
            fmt::format("torch {} {}, runtime has {}", describe(torch), kind, label));
    finding.addFix(fmt::format("build with torch {}+{}", *declared, label));
    finding.addFix("declare torch==" + describe(torch));
  }
}

/// \p call: see Judging::judge().
static std::vector<Finding> judgeFound(const Target &target, llvm::ArrayRef<FoundTorch> found,
                                       StringRef kind, Code newer, const Invocation *call) {
  Judging judging(target, kind, newer);
  for (const FoundTorch &torch : found)
    judging.judge(torch, call);
  return applyMode(target.enforce, std::move(judging.findings));
}

std::vector<Finding> judgeTorchHeaders(const Target &target, llvm::ArrayRef<FoundTorch> found,
                                       const Invocation &call) {
  return judgeFound(target, found, "headers", Code::TorchHeadersNewer, &call);
}

std::vector<Finding> judgeTorchLibraries(const Target &target, llvm::ArrayRef<FoundTorch> found) {
  return judgeFound(target, found, "library", Code::TorchLibraryNewer, nullptr);
}

} // namespace cudacc::policy
