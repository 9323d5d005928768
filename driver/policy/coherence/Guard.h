// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/core/Verdict.h"
#include "driver/tables/lookup/Groups.h"
#include "driver/tables/lookup/Libraries.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::policy {

/// A part that a build side or a run side consists of (GR-2).
struct Item {
  tables::Side side = tables::Side::Run;
  tables::PartKind kind = tables::PartKind::Library;
  /// As tables::partOf() has it: `cublasLt`, `nvcc`, `cudart` for the headers of that set.
  std::string name;
  std::string path;
  /// Libraries: as the loader knows it (`libcublasLt.so.12`); couplings are looked up by it.
  std::string soname;
  /// Distribution and component version; empty, without numbers: not known.
  std::string dist;
  versions::Version version;
  /// The CUDA release it belongs to; 0.0: not known, or numbered by no toolkit.
  versions::CudaVersion cuda;
  std::string evidence;
  /// Two sources that disagree about it (EV-8); empty: none.
  std::string conflict;
  /// CUDA major that it is made for, where more than its release or its wheel's name tells; 0: they
  /// tell.
  unsigned major = 0;
  /// What it imports from nvJitLink, whole names (RL-4).
  std::vector<std::string> imports;
  /// Obtained apart from the toolkit that it is a part of: a checkout of CCCL (RL-5).
  bool separate = false;

  /// Part of the toolkit, installed with the driver, or released apart (GR-4). Everything but a
  /// library of another origin is of the toolkit.
  tables::LibraryOrigin origin() const;
  /// `cublas 12.8.3.14 at /w/.../libcublas.so.12 (RECORD of nvidia_cublas_cu12-12.8.3.14)`.
  std::string describe() const;
  bool operator==(const Item &) const = default;
};

// Pipes, GuardOptions::constraint, and what GuardInput says of a driver are for the rules of device
// linking, which no command does yet: tests alone ask them.

/// What one tool hands to another (PL-1).
enum class Artifact : uint8_t { LtoIr, Ptx, Elf, Cubin, Object, Library, Fatbin };
/// Nothing: no such kind (E_USAGE).
std::optional<Artifact> readArtifact(llvm::StringRef word);

struct Content {
  Artifact kind = Artifact::Object;
  /// ISA of PTX where its `.version` could be read; 0.0: the producer's newest counts (PL-4).
  versions::CudaVersion isa;
  bool operator==(const Content &) const = default;
};

/// Device code from one part to another, by the names of items. Judged for every copy of either
/// end.
struct Pipe {
  std::string producer, consumer;
  Content content;
  /// What a container holds, where that is known: judged by its newest (PL-1).
  std::vector<Content> contents;
};

/// Nothing: no rule speaks about the pair, the pipe holds, or a release is not known. A warning
/// where it works and the vendor does not promise it (N_PIPE_MAJOR_UNPROMISED).
std::optional<core::Finding> judgePipe(const Pipe &pipe, versions::CudaVersion producer,
                                       versions::CudaVersion consumer);

/// PL-3: inside a major the vendor's promise, across majors what was measured.
bool takesLtoIr(versions::CudaVersion producer, versions::CudaVersion consumer);

/// What is known about the driver (DR-1, DR-8).
struct DriverFacts {
  enum class State : uint8_t { NotAsked, Absent, Known };
  State state = State::NotAsked;
  /// Of cuDriverGetVersion, or of the release by the tables; 0.0: older than every table.
  versions::CudaVersion cuda;
  /// `535.104.05`; empty: not known.
  std::string release;
  /// Somebody declared it: what cannot be determined about it counts (MD-3).
  bool declared = false;
};

/// DR-2 to DR-5 for machine code of that CUDA release; nothing: it runs.
std::optional<core::Finding> judgeDriverFacts(const DriverFacts &driver,
                                              versions::CudaVersion code);

struct GuardInput {
  std::vector<Item> items;
  std::vector<Pipe> pipes;
  DriverFacts driver;
  /// ISA of PTX that alone covers some GPU; 0.0: machine code covers all (DR-6).
  versions::CudaVersion ptxOnly;
};

struct GuardOptions {
  core::Enforce enforce = core::Enforce::Toolkit;
  /// MD-2, MD-3: findings about the driver become notes; no other rule is relaxed.
  bool assumeForwardCompatibility = false;
  /// CN-1: what every part of the toolkit must satisfy. Blank or without operator: E_USAGE.
  std::optional<std::string> constraint;
  /// Pythons' environments say by themselves what could not be determined.
  bool reportUnknown = true;
};

struct GuardReport {
  /// EO-2, EO-4: everything that was handed in, each entry once, also what was refused.
  std::vector<Item> items;
  /// All findings in the order of the rules: names, what is not known, variant, constraint and
  /// target, groups, floors, pipes, driver.
  core::Verdict verdict;
};

/// Whether the parts of a build side and of a run side belong together and suit \p target
/// (docs/spec/rules.md). Nothing is read or loaded (EO-5).
GuardReport judgeItems(const GuardInput &input, const core::Target &target,
                       const GuardOptions &options);

/// DR-2 to DR-5: the declared driver runs no machine code of the runtime, or it is not known
/// whether it does.
std::optional<core::Finding> judgeDriverFloor(const core::Target &target);

} // namespace cudacc::policy
