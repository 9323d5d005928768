// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/rules/Imports.h"
#include "driver/policy/rules/JudgeBinary.h"
#include <map>
#include <optional>

namespace cudacc::policy {

/// One judgement of a binary under way: what its rules share, and what they found so far.
struct BinaryCase {
  const core::BinaryFacts &file;
  const core::Target &target;
  const Subject &subject;
  InstalledExports installed;
  LookAround lookAround;
  /// Attributed in the target's CUDA major.
  std::vector<LibraryImports> imports;
  /// The file is one of NVIDIA's own libraries: what nobody but NVIDIA can change is a remark.
  bool ofNvidia = false;
  /// The file NEEDs libraries of the framework, or its package requires it, so it is only ever
  /// loaded after it (F25).
  bool inFramework = false;
  std::vector<core::Finding> findings = {};
  /// How often each code was found; what exceeds `most` of one code is only counted, since a
  /// hostile file can break a rule a million times.
  std::map<core::Code, size_t> counts = {};
  static constexpr size_t most = 64;
  core::Finding beyond = {};
  /// Search path entries of one code and message: where their finding is, and how many there are.
  struct Entries {
    size_t finding = 0, count = 0;
  };
  std::map<std::pair<core::Code, std::string>, Entries> entries = {};
  /// See floorsFor().
  std::optional<std::vector<core::LibraryFloor>> floors = {};
  /// Search path entries that CC4118 names: they are not reported as absolute once more.
  std::vector<std::string> entriesOfHere = {};

  /// Which requirements were tried for the file: see accepts().
  std::map<std::string, bool> tried = {};
  /// See Subject::package.
  std::optional<std::string> package = {};
  /// What only those can do who build the file, by finding: see forBuilders().
  std::map<size_t, std::vector<std::string>> builders = {};

  /// A finding with the severity of its class. Valid until the next.
  core::Finding &add(core::Code code, std::string message);
  /// The same about names of a library of the runtime; the first of them stands in the message.
  core::Finding &addAbout(core::Code code, std::string message, llvm::StringRef library,
                          llvm::StringRef origin, llvm::ArrayRef<llvm::StringRef> names);
  bool full(core::Code code) const {
    auto it = counts.find(code);
    return it != counts.end() && it->second > most;
  }
  bool rejected() const;
  /// Not linked yet: static parts may still bring what is missing.
  bool isLinked() const;
  /// Whether the file is accepted under the runtime that the requirement declares.
  bool accepts(llvm::StringRef requirement);
  /// For who reads it: installed files are not built here.
  std::string textOf(const RuntimeFix &fix);
  const std::string &packageOf();
  /// A fix for those who build the file. Of an installed file it comes last, behind what its users
  /// can do. \p finding is the last that was added.
  void forBuilders(core::Finding &finding, std::string fix);
};

/// `libcudart.so.12` of auditwheel's `libcudart-96c42e41.so.12` (LS-44); empty: no such name.
std::string ungrafted(llvm::StringRef name);
/// Whether a library is of NVIDIA's by its name, a grafted copy not included.
bool isNvidiaLibrary(llvm::StringRef soname);

/// The names in one text; of very many the first ones and how many follow.
std::string listOf(llvm::ArrayRef<llvm::StringRef> names);

/// Whether the runtime's copy of a library exports a name: the installed file, else the tables at
/// the component version.
versions::Exported exportedByRuntime(const BinaryCase &judged, const core::TargetLibrary &library,
                                     const LibraryImports::Name &name);
/// The row of the runtime with another SONAME of the same library: `libcudart.so.12` for
/// `libcudart.so.13`; null: none.
const core::TargetLibrary *otherMajorOf(const core::Target &target, llvm::StringRef soname);

/// Folders between the file and the root of what it is installed with: the wheel, or the
/// environment's site-packages. Nothing: not known.
std::optional<int> depthOf(const BinaryCase &judged);

/// The floors of the file, by its own major where it tells one.
llvm::ArrayRef<core::LibraryFloor> floorsFor(BinaryCase &judged);

/// NEEDED of another major, version needs (AV-E03, AV-E04).
void judgeNeeds(BinaryCase &judged);
/// Imports against exports (AV-E01, AV-E02, AV-U04; TG-5).
void judgeImports(BinaryCase &judged);
/// Names of torch's own libraries against the declared torch (CC4129, CC4130).
void judgeTorchNames(BinaryCase &judged);
/// Files for every Python from one on, and those that use torch's stable ABI alone (CC4128,
/// CC4210).
void judgeStableAbi(BinaryCase &judged);
/// Whether something in the process that is none of torch's defines the name.
versions::Exported definedBesideTorch(const BinaryCase &judged, llvm::StringRef symbol);
/// The libraries of the runtime that the file leads to and that cannot be loaded because of others
/// of it, as far as the tables know what they import of one another: a lock can pin such versions.
void judgeCouplings(BinaryCase &judged);
/// Imports of the driver's libraries against a declared driver (F11).
void judgeDriverImports(BinaryCase &judged, const LibraryImports &imports);
/// A declared driver against the runtime's major (DR-3, DR-4).
void judgeDriver(BinaryCase &judged);
/// Coverage of the declared GPUs (FB-40 to FB-45).
void judgeCoverage(BinaryCase &judged);
/// What else is to be said about device code (AV-E07, AV-I01, AV-I02, AV-I04, AV-U02, AV-U03,
/// AV-W13).
void judgeDevice(BinaryCase &judged);
/// LTO-IR against the runtime's nvJitLink (AV-E06, AV-W15, AV-U06).
void judgeLto(BinaryCase &judged);
/// The loader's answer and the entries of the search path (AV-E03, AV-W02, AV-W03, AV-W06 to
/// AV-W09).
void judgeLoading(BinaryCase &judged);
/// A file that does not load beside wheels which nobody declared, and whose own search path leads
/// to the declared line on this machine: it runs here (CC4118). False: it does not, nothing was
/// said.
bool judgeHere(BinaryCase &judged);
void judgePathEntries(BinaryCase &judged);
/// Manifest, executable stack, what cannot be seen (AV-E08 to AV-E10, AV-W01, AV-W10 to AV-W12,
/// AV-U01, AV-U05, AV-I03, AV-I06).
void judgeIntegrity(BinaryCase &judged);

} // namespace cudacc::policy
