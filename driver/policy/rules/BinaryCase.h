// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/rules/Imports.h"
#include "driver/policy/rules/JudgeBinary.h"
#include <map>
#include <optional>

namespace cudacc::policy {

/// State that the rules share while one binary is judged, and their findings so far.
struct BinaryCase {
  const core::BinaryFacts &file;
  const core::Target &target;
  const FileCase &input;
  LookAround lookAround;
  /// The file's imports, attributed to the libraries of the target's CUDA major.
  std::vector<LibraryImports> imports;
  /// The file is one of NVIDIA's own libraries: findings that only NVIDIA could fix are remarks.
  bool ofNvidia = false;
  /// The file NEEDs libraries of the framework, or its package requires the framework, so the
  /// framework is always loaded first (F25).
  bool inFramework = false;
  std::vector<core::Finding> findings = {};
  /// How often each code was found. Findings beyond `most` per code are only counted, since a
  /// hostile file can break a rule a million times.
  std::map<core::Code, size_t> counts = {};
  static constexpr size_t most = 64;
  core::Finding beyond = {};
  /// Search path entries with equal code and message: the index of their finding, and their number.
  struct Entries {
    size_t finding = 0, count = 0;
  };
  std::map<std::pair<core::Code, std::string>, Entries> entries = {};
  /// See floorsFor().
  std::optional<std::vector<core::LibraryFloor>> floors = {};
  /// Search path entries that CC4118 already lists, so they are not reported again as absolute.
  std::vector<std::string> entriesOfHere = {};

  /// Cached results of accepts(), by requirement.
  std::map<std::string, bool> tried = {};
  /// Fixes for those who build the file, by index of the finding: see forBuilders().
  std::map<size_t, std::vector<std::string>> builders = {};

  /// Adds a finding with the default severity of its code. The reference is valid until the next
  /// call.
  core::Finding &add(core::Code code, std::string message);
  /// The same for symbols of a library of the runtime; the message names the first of them.
  core::Finding &addAbout(core::Code code, std::string message, llvm::StringRef library,
                          llvm::StringRef origin, llvm::ArrayRef<llvm::StringRef> names);
  bool full(core::Code code) const {
    auto it = counts.find(code);
    return it != counts.end() && it->second > most;
  }
  bool rejected() const;
  /// False for objects, archives and files of device code: a later link may still define what is
  /// missing.
  bool isLinked() const;
  /// Whether the file is accepted under the runtime that the requirement declares.
  bool accepts(llvm::StringRef requirement);
  /// The fix for the reader of the finding: the pip command if the file was installed from a
  /// package, since users of a package do not build it.
  std::string textOf(const RuntimeFix &fix);
  /// Adds a fix for those who build the file. If the file was installed from a package, it is
  /// listed after the fixes for its users. \p finding is the one added last.
  void forBuilders(core::Finding &finding, std::string fix);
};

/// `libcudart.so.12` for `libcudart-96c42e41.so.12`, auditwheel's name of a bundled copy (LS-44);
/// empty if it is no such name.
std::string ungrafted(llvm::StringRef name);
/// Whether the name is that of one of NVIDIA's libraries; false for auditwheel's names of bundled
/// copies.
bool isNvidiaLibrary(llvm::StringRef soname);

/// The names, joined; if there are very many, the first ones and how many follow.
std::string listOf(llvm::ArrayRef<llvm::StringRef> names);

/// Whether the runtime's copy of a library exports a name, according to the installed file, else to
/// the tables for the component version.
versions::Exported exportedByRuntime(const BinaryCase &judged, const core::TargetLibrary &library,
                                     const LibraryImports::Name &name);

/// Where the simulated load has the file, below site-packages or outside: `../../../bin/x`. Empty
/// if that is not known.
inline llvm::StringRef installedAt(const BinaryCase &judged) {
  return judged.input.load ? llvm::StringRef(judged.input.load->place) : "";
}
/// Number of folders between the file and its installation root: the wheel, or the environment's
/// site-packages. std::nullopt if not known.
std::optional<int> depthOf(llvm::StringRef path, const core::Target &target);
inline std::optional<int> depthOf(const BinaryCase &judged) {
  return depthOf(judged.file.path, judged.target);
}
/// The same for search paths that fixes propose: where the load was simulated, if nothing else is
/// known; one folder if that is not known either.
int depthToSearch(const BinaryCase &judged);

/// The floors of the file, for the CUDA major that majorOf() finds, else the runtime's.
llvm::ArrayRef<core::LibraryFloor> floorsFor(BinaryCase &judged);

/// NEEDED libraries of another major, version needs (AV-E03, AV-E04).
void judgeNeeds(BinaryCase &judged);
/// Imports that the runtime's libraries do not export (AV-E01, AV-E02, AV-U04; TG-5).
void judgeImports(BinaryCase &judged);
/// Imports from torch's own libraries that the declared torch does not export (CC4129, CC4130).
void judgeTorchNames(BinaryCase &judged);
/// Files that claim CPython's stable ABI, and files that use only torch's stable ABI (CC4128,
/// CC4210).
void judgeStableAbi(BinaryCase &judged);
/// Whether a library of the process other than NVIDIA's defines the name; std::nullopt if the case
/// says nothing about them.
std::optional<versions::Exported> definedByOthers(const BinaryCase &judged, llvm::StringRef symbol);
/// Whether a library of the process other than torch's defines the name.
versions::Exported definedBesideTorch(const BinaryCase &judged, llvm::StringRef symbol);
/// Libraries of the runtime that the file loads but that cannot be loaded with the versions of
/// other libraries that the runtime has, as far as the tables know their imports: a lock file can
/// pin such versions.
void judgeCouplings(BinaryCase &judged);
/// Imports from the driver's libraries that a declared driver does not export (F11).
void judgeDriverImports(BinaryCase &judged, const LibraryImports &imports);
/// A declared driver that is too old for the runtime's major (DR-3, DR-4).
void judgeDriver(BinaryCase &judged);
/// Coverage of the declared GPUs (FB-40 to FB-45).
void judgeCoverage(BinaryCase &judged);
/// Other rules about device code (AV-E07, AV-I01, AV-I02, AV-I04, AV-U02, AV-U03, AV-W13).
void judgeDevice(BinaryCase &judged);
/// LTO-IR that the runtime's nvJitLink cannot link (AV-E06, AV-W15, AV-U06).
void judgeLto(BinaryCase &judged);
/// The result of the simulated load and the entries of the search path (AV-E03, AV-W02, AV-W03,
/// AV-W06 to AV-W09).
void judgeLoading(BinaryCase &judged);
/// A file that cannot be loaded beside the runtime's wheels, a layout that nobody declared, while
/// its own search path finds the declared line on this machine: it runs here (CC4118). Returns
/// false, without a finding, if that is not the case.
bool judgeHere(BinaryCase &judged);
void judgePathEntries(BinaryCase &judged);
/// Manifest, executable stack, and what cannot be checked (AV-E08 to AV-E10, AV-W01, AV-W10 to
/// AV-W12, AV-U01, AV-U05, AV-I03, AV-I06).
void judgeIntegrity(BinaryCase &judged);

} // namespace cudacc::policy
