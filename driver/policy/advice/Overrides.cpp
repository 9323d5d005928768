// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Overrides.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

/// Whether \p what is a trailing part of the path: `x.so` and `pkg/x.so` match
/// `dist/p.whl!pkg/x.so`.
static bool appliesTo(StringRef what, StringRef file) {
  what.consume_front("./");
  return file.consume_back(what) && (file.empty() || file.ends_with("/") || file.ends_with("!"));
}

static const Fact *factOf(const Finding &finding, StringRef label) {
  auto it = llvm::find_if(finding.facts, [&](const Fact &fact) { return fact.label == label; });
  return it == finding.facts.end() ? nullptr : &*it;
}

/// All symbols that the finding is about. If there are very many, the last element is not a symbol
/// but says how many were left out, so that symbol waivers cannot cover the finding.
static llvm::SmallVector<StringRef, 8> symbolsOf(const Finding &finding) {
  llvm::SmallVector<StringRef, 8> symbols;
  if (const Fact *all = factOf(finding, "symbols"))
    StringRef(all->text).split(symbols, ", ");
  else
    symbols.push_back(finding.symbol);
  return symbols;
}

namespace {

/// Matches the declared waivers against one finding.
class Waivers {
public:
  Waivers(const Declaration &declaration, llvm::ArrayRef<std::string> files, const Finding &finding)
      : declaration(declaration), files(files), finding(finding) {}
  /// Indices of the waivers that together cover the whole finding; empty if it is not waived.
  std::vector<size_t> matching() const;

private:
  const Declaration &declaration;
  llvm::ArrayRef<std::string> files;
  const Finding &finding;

  bool meansAll(const Waiver &waiver) const;
  std::vector<size_t> bySymbol() const;
};

} // namespace

bool Waivers::meansAll(const Waiver &waiver) const {
  if (waiver.what.empty() ||
      llvm::any_of(files, [&](StringRef file) { return appliesTo(waiver.what, file); }))
    return true;
  // The finding also represents further ones of its kind that were only counted.
  if (factOf(finding, "and"))
    return false;
  return waiver.what == finding.library;
}

/// A finding about several symbols is waived if each of them is.
std::vector<size_t> Waivers::bySymbol() const {
  std::vector<size_t> by;
  if (factOf(finding, "and"))
    return by;
  for (StringRef symbol : symbolsOf(finding)) {
    auto it = llvm::find_if(declaration.waive, [&](const Setting<Waiver> &each) {
      return each.value.rule.has(finding.code) && each.value.what == symbol;
    });
    if (it == declaration.waive.end())
      return {};
    by.push_back(size_t(it - declaration.waive.begin()));
  }
  return by;
}

std::vector<size_t> Waivers::matching() const {
  for (size_t i = 0; i != declaration.waive.size(); ++i) {
    const Waiver &waiver = declaration.waive[i].value;
    if (waiver.rule.has(finding.code) && meansAll(waiver))
      return {i};
  }
  return bySymbol();
}

static bool isUpForChoice(Code code) {
  CodeClass kind = info(code).codeClass;
  return kind != CodeClass::Usage && kind != CodeClass::Internal;
}

static Severity changed(const Declaration &declaration, const Finding &finding) {
  const SeverityChange *change = nullptr;
  for (const Setting<SeverityChange> &each : declaration.severity)
    if (each.value.rule.has(finding.code))
      change = &each.value;
  if (!change || !isUpForChoice(finding.code))
    return finding.severity;
  Severity own = severityOf(finding.code), wanted = change->severity;
  bool isUnknown = info(finding.code).codeClass == CodeClass::Unknown;
  if (wanted < own)
    return isUnknown ? finding.severity : std::min(finding.severity, wanted);
  // With `enforce = "warn"` a finding that the mode lowered can be raised again.
  bool byMode = declaration.enforce.value == Enforce::Warn &&
                finding.severity == std::min(own, Severity::Warning);
  return finding.severity == own || byMode ? wanted : finding.severity;
}

static Finding asRemark(const Declaration &declaration, Finding finding,
                        llvm::ArrayRef<size_t> by) {
  finding.severity = Severity::Remark;
  finding.message = "waived: " + finding.message;
  for (size_t i : by) {
    const Setting<Waiver> &waiver = declaration.waive[i];
    finding.addFact("reason", fmt::format("{} ({})", waiver.value.reason, waiver.origin));
  }
  finding.fixes.clear();
  return finding;
}

Overridden applyOverrides(const Declaration &declaration, llvm::ArrayRef<std::string> files,
                          std::vector<Finding> findings) {
  Overridden overridden;
  for (Finding &finding : findings) {
    if (declaration.assumeForwardCompatibility.value)
      assumeForwardCompatibility(finding);
    finding.severity = changed(declaration, finding);
    CodeClass kind = info(finding.code).codeClass;
    std::vector<size_t> by;
    if (isUpForChoice(finding.code) && kind != CodeClass::Unknown)
      by = Waivers(declaration, files, finding).matching();
    llvm::append_range(overridden.used, by);
    if (by.empty() || finding.severity == Severity::Remark)
      overridden.findings.push_back(std::move(finding));
    else
      overridden.waived.push_back(asRemark(declaration, std::move(finding), by));
  }
  return overridden;
}

/// The waiver with the file's name only: the manifest must not depend on where the file lies.
static std::string withoutFolder(const Waiver &waiver) {
  Waiver plain = waiver;
  plain.what = StringRef(waiver.what).substr(StringRef(waiver.what).find_last_of("/!") + 1).str();
  return plain.str();
}

std::vector<std::string> recordedOverrides(const Declaration &declaration) {
  std::vector<std::string> out;
  for (const Setting<SeverityChange> &each : declaration.severity)
    if (each.value.lowers())
      out.push_back(each.value.str());
  for (const Setting<Waiver> &each : declaration.waive)
    out.push_back(withoutFolder(each.value));
  if (declaration.assumeForwardCompatibility.value)
    out.push_back("assume-forward-compatibility");
  llvm::sort(out);
  out.erase(llvm::unique(out), out.end());
  return out;
}

void assumeForwardCompatibility(Finding &finding) {
  bool isDriver = finding.code == Code::DriverMajor || finding.code == Code::DriverBranch;
  if (!isDriver || finding.severity == Severity::Remark)
    return;
  finding.severity = Severity::Remark;
  finding.addFact("because", "forward compatibility is assumed; whether the parts belong "
                             "together is still checked");
  finding.fixes.clear();
}

std::string assumptionAsFix() {
  return "assume-forward-compatibility = true, where cuda-compat is installed; whether parts "
         "belong together is still checked";
}

std::vector<Finding> applyMode(Enforce mode, std::vector<Finding> findings) {
  if (mode == Enforce::Off)
    return {};
  if (mode == Enforce::Warn)
    for (Finding &finding : findings)
      if (info(finding.code).codeClass != CodeClass::Usage)
        finding.severity = std::min(finding.severity, Severity::Warning);
  return findings;
}

} // namespace cudacc::policy
