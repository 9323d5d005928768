// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/RuntimeSubstitute.h"
#include "driver/policy/devicelink/LinkCase.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

/// Whether the link is not refused and the driver, if it is known, loads the output.
static bool isServed(const LinkQuestion &question) {
  LinkChoice choice = decideLinker(question);
  if (!choice.backend)
    return false;
  if (*choice.backend == LinkBackend::Driver || !isKnown(question.driver) || question.emitsLtoIr)
    return true;
  return areAccepted(
      judgeLinkOutput(question.nvJitLink.version, question.driver, question.emitsPtx));
}

/// The releases of nvJitLink in a CUDA major, ascending, and the distribution that has them.
static std::pair<std::vector<CudaVersion>, std::string> nvJitLinksOf(unsigned major) {
  std::vector<CudaVersion> lines;
  auto sonames = tables::sonamesOf("nvJitLink", major);
  auto table = sonames.empty() ? std::nullopt : tables::SymbolTable::find(sonames.front(), major);
  if (!table)
    return {};
  for (size_t i = 0; i < table->size(); ++i)
    lines.push_back(table->at(i).toolkit);
  return {std::move(lines), tables::distOf(sonames.front(), major).str()};
}

/// The newest consecutive releases of a major that serve the question, as a requirement.
static std::string wheelOf(unsigned major, const LinkQuestion &question) {
  auto [lines, dist] = nvJitLinksOf(major);
  LinkQuestion other = question;
  other.nvJitLink.state = NvJitLinkFacts::State::Known;
  CudaVersion wanted = question.nvJitLink.wanted;
  // Not one because of which the driver would link.
  auto serves = [&](CudaVersion line) {
    if (wanted.known() && (line.major != wanted.major || line > wanted))
      return false;
    other.nvJitLink.version = line;
    return decideLinker(other).backend == LinkBackend::NvJitLink && isServed(other);
  };
  size_t end = lines.size();
  while (end && !serves(lines[end - 1]))
    --end;
  size_t begin = end;
  while (begin && serves(lines[begin - 1]))
    --begin;
  if (begin == end)
    return {};
  return end == lines.size() ? fmt::format("{}>={},<{}", dist, lines[begin], major + 1)
                             : fmt::format("{}>={},<{}", dist, lines[begin], lines[end]);
}

std::vector<std::string> wheelsServing(const LinkQuestion &question) {
  // NVIDIA promises LTO-IR inside a major only.
  CudaVersion lto;
  for (const LinkImage &input : question.inputs)
    if (input.kind == Artifact::LtoIr)
      lto = std::max(lto, input.producer);
  std::vector<unsigned> majors = {question.nvJitLink.version.major, lto.major,
                                  question.driver.cuda.major};
  std::vector<unsigned> known = tables::toolkitMajors();
  majors.insert(majors.end(), known.rbegin(), known.rend());
  std::vector<std::string> wheels;
  for (unsigned major : majors) {
    std::string wheel = wheelOf(major, question);
    if (!wheel.empty() && !llvm::is_contained(wheels, wheel))
      wheels.push_back(std::move(wheel));
  }
  return wheels;
}

namespace {

/// Changes to one question that were tried.
struct TriedFixes {
  const LinkQuestion &question;
  std::vector<std::string> fixes = {};

  void tryFix(const LinkQuestion &changed, std::string fix) {
    if (isServed(changed))
      fixes.push_back(std::move(fix));
  }

  void withoutBackend() {
    if (!question.forced)
      return;
    LinkQuestion changed = question;
    changed.forced.reset();
    tryFix(changed, fmt::format("link without --backend {}",
                                *question.forced == LinkBackend::Driver ? "driver" : "nvjitlink"));
  }

  /// A library that is damaged is not replaced by pip unless it is told to.
  void otherNvJitLink() {
    auto wheels = wheelsServing(question);
    if (wheels.empty())
      return;
    auto state = question.nvJitLink.state;
    bool damaged =
        state == NvJitLinkFacts::State::Failed || state == NvJitLinkFacts::State::Conflict;
    fixes.push_back(
        fmt::format("pip install {}'{}'", damaged ? "--force-reinstall " : "", wheels.front()));
    fixes.push_back("link with --for env:PATH, an environment that has it");
  }

  void otherDriver() {
    CudaVersion newest;
    for (const LinkImage &input : question.inputs)
      newest = std::max(newest, tables::minCudaOfPtx(input.isa).value_or(input.producer));
    for (CudaVersion line : {CudaVersion{question.nvJitLink.version.major, 0}, newest}) {
      llvm::StringRef release = tables::firstDriverOf(line);
      auto version = Version::parse(release);
      auto cuda = version ? tables::cudaOfDriver(*version) : std::nullopt;
      if (!cuda || cuda->cuda <= question.driver.cuda)
        continue;
      LinkQuestion changed = question;
      changed.driver.cuda = cuda->cuda;
      changed.driver.release = release.str();
      if (!isServed(changed))
        continue;
      fixes.push_back(fmt::format("declare driver>={}, where the machines have it", release));
      return;
    }
  }

  /// Compiles the inputs that do not fit \p line with a toolkit of that line; if that is not
  /// enough and no wheel is either, with another nvJitLink too.
  bool olderToolkit(CudaVersion line) {
    if (!line.known())
      return false;
    Misfits misfits = misfitsOf(question.inputs, line);
    std::vector<std::string> names;
    LinkQuestion changed = question;
    for (auto [input, copy] : llvm::zip(question.inputs, changed.inputs)) {
      if (!llvm::is_contained(misfits.newer, &input) &&
          !llvm::is_contained(misfits.otherMajor, &input) &&
          !llvm::is_contained(misfits.unrelated, &input))
        continue;
      names.push_back(input.name);
      copy.producer = line;
      copy.isa = {};
    }
    std::string what =
        names.size() > 3 ? fmt::format("these {} inputs", names.size()) : llvm::join(names, ", ");
    std::string fix =
        fmt::format("compile {} with a CUDA {} toolkit <= {}", what, line.major, line);
    if (!isServed(changed)) {
      if (!wheelsServing(question).empty())
        return false;
      auto wheels = wheelsServing(changed);
      if (wheels.empty())
        return false;
      fix += fmt::format(", and pip install '{}'", wheels.front());
    }
    fixes.push_back(std::move(fix));
    return true;
  }

  /// Asks for less: no link-time optimisation, PTX or LTO-IR, or machine code as input.
  void lessAsked() {
    LinkQuestion changed = question;
    changed.needsNvJitLink = changed.emitsLtoIr = changed.emitsPtx = false;
    bool hasLtoIr = false;
    for (LinkImage &input : changed.inputs)
      if (input.kind == Artifact::LtoIr) {
        input.kind = Artifact::Cubin;
        hasLtoIr = true;
      }
    bool emits = question.emitsLtoIr || question.emitsPtx;
    std::string fix = emits ? "link with --emit cubin and without --lto" : "link without --lto";
    if (hasLtoIr)
      fix = fmt::format("compile machine code instead of LTO-IR (without -dlto){}",
                        question.needsNvJitLink || emits ? ", and " + fix : std::string());
    tryFix(changed, std::move(fix));
  }

  void withoutOptions() {
    LinkQuestion changed = question;
    changed.onlyNvJitLink.clear();
    tryFix(changed, fmt::format("link without {}", llvm::join(question.onlyNvJitLink, ", ")));
  }

  /// What the driver can link although nvJitLink cannot be relied on.
  void driverInstead() {
    if (question.nvJitLink.state != NvJitLinkFacts::State::Conflict)
      return;
    LinkQuestion changed = question;
    changed.forced = LinkBackend::Driver;
    tryFix(changed, "link with --backend driver");
  }

  void otherPolicy() {
    LinkQuestion changed = question;
    changed.policy = LinkPolicy::DirectionAware;
    tryFix(changed, "link under the policy direction-aware, the default");
  }
};

} // namespace

void addLinkFixes(const LinkQuestion &question, LinkChoice &choice) {
  if (choice.backend)
    return;
  TriedFixes tried{question};
  tried.withoutBackend();
  tried.otherPolicy();
  tried.otherNvJitLink();
  tried.driverInstead();
  if (!isUsable(question.nvJitLink) || !tried.olderToolkit(question.nvJitLink.version))
    tried.olderToolkit(question.driver.cuda);
  tried.otherDriver();
  tried.withoutOptions();
  tried.lessAsked();
  for (Finding &finding : choice.findings)
    if (finding.severity == Severity::Error)
      llvm::append_range(finding.fixes, tried.fixes);
}

} // namespace cudacc::policy
