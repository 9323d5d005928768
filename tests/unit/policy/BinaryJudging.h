// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/rules/JudgeBinary.h"
#include "driver/resolve/Resolve.h"
#include <gmock/gmock.h>
#include <map>

/// Facts of binaries without files, and the findings about them.
namespace cudacc::test {

/// The version node of NVIDIA's libraries is their SONAME (SY-1).
inline core::Import import(const char *soname, const char *symbol) {
  return {symbol, soname, soname, false};
}

inline core::BinaryFacts extension(std::vector<core::Import> imports,
                                   std::vector<std::string> needed = {}) {
  core::BinaryFacts facts;
  facts.path = "/w/ext.so";
  facts.kind = core::BinaryKind::SharedObject;
  facts.machine = 62;
  facts.needed = std::move(needed);
  for (const core::Import &each : imports)
    if (!each.file.empty() && !llvm::is_contained(facts.needed, each.file))
      facts.needed.push_back(each.file);
  facts.imports = std::move(imports);
  return facts;
}

struct BinaryJudging : testing::Test, core::Exports, policy::OtherRuntimes {
  std::vector<core::FoundToolkit> nearby;
  std::vector<core::Finding> findings;
  /// SONAME and symbol that an installed library exports; other libraries export nothing.
  std::map<std::string, std::vector<std::string>> installed;
  /// Whether installed libraries have version information; std::nullopt if unreadable.
  std::optional<bool> haveVersions = true;
  /// What the file at `ofOthers` answers, whatever it is asked.
  versions::Exported others = versions::Exported::No;
  const policy::Others ofOthers{{"/others/libmine.so"}};
  policy::FileCase input;

  BinaryJudging() {
    input.exports = this;
    input.otherRuntimes = this;
  }
  versions::Exported exported(llvm::StringRef path, llvm::StringRef symbol,
                              llvm::StringRef) override {
    if (path == ofOthers.paths.front())
      return others;
    llvm::StringRef name = path.substr(path.rfind('/') + 1);
    return llvm::is_contained(installed[name.str()], symbol) ? versions::Exported::Yes
                                                             : versions::Exported::No;
  }
  std::optional<bool> versioned(llvm::StringRef) override { return haveVersions; }
  /// The findings under another runtime, without a load.
  std::vector<core::Finding> judge(const core::Target &other) override {
    policy::FileCase same = input;
    same.target = &other;
    same.load = nullptr;
    same.otherRuntimes = nullptr;
    return policy::judgeBinary(same, [] { return std::vector<core::FoundToolkit>(); });
  }

  static core::Target targetOf(const char *runtime,
                               core::Enforce enforce = core::Enforce::Toolkit) {
    core::Declaration declaration;
    declaration.runtime.push_back({runtime, {core::Origin::Kind::File, "pyproject.toml", 14, 1}});
    declaration.enforce = {enforce, {}};
    return llvm::cantFail(resolve::resolve(declaration));
  }

  static core::TargetLibrary &rowOf(core::Target &target, llvm::StringRef soname) {
    for (core::TargetLibrary &library : target.libraries)
      if (library.soname == soname)
        return library;
    core::TargetLibrary &added = target.libraries.emplace_back();
    added.soname = soname.str();
    return added;
  }

  static void setVersion(core::Target &target, llvm::StringRef soname, llvm::StringRef version) {
    rowOf(target, soname).version = *versions::Version::parse(version);
  }

  std::vector<core::Code> judge(const core::Target &target, const core::BinaryFacts &facts) {
    input.facts = &facts;
    input.target = &target;
    findings = policy::judgeBinary(input, [&] { return nearby; });
    std::vector<core::Code> codes;
    for (const core::Finding &finding : findings)
      if (finding.severity != core::Severity::Remark)
        codes.push_back(finding.code);
    return codes;
  }

  std::vector<core::Code> judge(const char *runtime, const core::BinaryFacts &facts) {
    return judge(targetOf(runtime), facts);
  }

  core::Outcome outcome() const {
    core::Verdict verdict;
    verdict.append(findings);
    return verdict.outcome();
  }

  const core::Finding *find(core::Code code) const {
    for (const core::Finding &finding : findings)
      if (finding.code == code)
        return &finding;
    return nullptr;
  }

  /// The text of a fact; empty if the finding has none with that label.
  static std::string fact(const core::Finding &finding, llvm::StringRef label) {
    for (const core::Fact &each : finding.facts)
      if (each.label == label)
        return each.text;
    return {};
  }

  static std::vector<std::string> labels(const core::Finding &finding) {
    std::vector<std::string> labels;
    for (const core::Fact &each : finding.facts)
      labels.push_back(each.label);
    return labels;
  }
};

} // namespace cudacc::test
