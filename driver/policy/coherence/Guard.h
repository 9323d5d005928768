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

/// A component on the build side or on the run side (GR-2).
struct Item {
  tables::Side side = tables::Side::Run;
  tables::PartKind kind = tables::PartKind::Library;
  /// The name that tables::partOf() uses: `cublasLt`, `nvcc`, `cudart` for the headers of that
  /// component.
  std::string name;
  std::string path;
  /// For libraries: the SONAME (`libcublasLt.so.12`), the key of the couplings table.
  std::string soname;
  /// Distribution and component version; empty and without numbers if not known.
  std::string dist;
  versions::Version version;
  /// The CUDA release it belongs to; 0.0 if not known, or if no toolkit contains it.
  versions::CudaVersion cuda;
  std::string evidence;
  /// The evidence of two sources that disagree (EV-8); empty if none do.
  std::string conflict;
  /// The CUDA major it was built for; 0: the one in the name of its wheel, if any.
  unsigned major = 0;
  /// The symbols that it imports from nvJitLink, with their version suffixes (RL-4).
  std::vector<std::string> imports;
  /// Not the toolkit's own copy: a separate checkout of CCCL (RL-5).
  bool separate = false;

  /// Part of the toolkit, installed with the driver, or released separately (GR-4). Everything
  /// except libraries and archives counts as part of the toolkit.
  tables::LibraryOrigin origin() const;
  /// `cublas 12.8.3.14 at /w/.../libcublas.so.12 (RECORD of nvidia_cublas_cu12-12.8.3.14)`.
  std::string describe() const;
  bool operator==(const Item &) const = default;
};

// judgeItems() with pipes, GuardOptions::constraint or a driver is called by tests only; device
// linking (policy/devicelink) calls judgePipe() and judgeDriverFacts() itself.

/// What one tool passes to another (PL-1).
enum class Artifact : uint8_t { LtoIr, Ptx, Elf, Cubin, Object, Library, Fatbin };
/// std::nullopt if there is no such kind (E_USAGE).
std::optional<Artifact> readArtifact(llvm::StringRef word);
/// For messages: `LTO-IR`, `a cubin`.
llvm::StringRef wordOf(Artifact kind);

struct Content {
  Artifact kind = Artifact::Object;
  /// ISA of PTX if its `.version` could be read; 0.0: the newest ISA of the producer is assumed
  /// (PL-4).
  versions::CudaVersion isa;
  bool operator==(const Content &) const = default;
};

/// Device code that one component passes to another, by the names of items. If there are several
/// items of that name, every combination is judged.
struct Pipe {
  std::string producer, consumer;
  Content content;
  /// Contents of a container if known; the newest of them decides (PL-1).
  std::vector<Content> contents;
};

/// std::nullopt if no rule covers the pair, the pipe works, or a release is not known. A warning if
/// it works without a promise by NVIDIA (N_PIPE_MAJOR_UNPROMISED).
std::optional<core::Finding> judgePipe(const Pipe &pipe, versions::CudaVersion producer,
                                       versions::CudaVersion consumer);

/// The runtime's own nvJitLink; null if it has none.
const core::TargetLibrary *nvJitLinkOf(const core::Target &target);

/// PL-3: within a CUDA major NVIDIA's documented promise, across majors what was measured.
bool takesLtoIr(versions::CudaVersion producer, versions::CudaVersion consumer);

/// What is known about the driver (DR-1, DR-8).
struct DriverFacts {
  enum class State : uint8_t { NotAsked, Absent, Known };
  State state = State::NotAsked;
  /// From cuDriverGetVersion, or from the release and the tables; 0.0: older than every table.
  versions::CudaVersion cuda;
  /// `535.104.05`; empty if not known.
  std::string release;
  /// The driver was declared: facts about it that could not be determined are errors (MD-3).
  bool declared = false;
};

/// DR-2 to DR-5 for machine code of CUDA release \p code; std::nullopt if the driver runs it.
std::optional<core::Finding> judgeDriverFacts(const DriverFacts &driver,
                                              versions::CudaVersion code);

struct GuardInput {
  std::vector<Item> items;
  std::vector<Pipe> pipes;
  DriverFacts driver;
  /// ISA of the PTX that is the only code for some GPU; 0.0 if machine code covers all GPUs (DR-6).
  versions::CudaVersion ptxOnly;
};

struct GuardOptions {
  core::Enforce enforce = core::Enforce::Toolkit;
  /// MD-2, MD-3: findings about the driver become remarks; no other rule is relaxed.
  bool assumeForwardCompatibility = false;
  /// CN-1: a version constraint for every part of the toolkit. Blank or without operator: E_USAGE.
  std::optional<std::string> constraint;
  /// False for Python environments and toolkits, whose readers report unknown facts themselves.
  bool reportUnknown = true;
};

struct GuardReport {
  /// EO-2, EO-4: every item of the input, duplicates removed, rejected ones included.
  std::vector<Item> items;
  /// All findings in the order of the rules: names, unknown facts, variant, constraint and target,
  /// groups, floors, pipes, driver.
  core::Verdict verdict;
};

/// Judges whether the items of the build side and the run side are coherent and match \p target
/// (docs/spec/rules.md). Reads no files and loads nothing (EO-5).
GuardReport judgeItems(const GuardInput &input, const core::Target &target,
                       const GuardOptions &options);

/// DR-2 to DR-5: the declared driver cannot run machine code of the runtime, or it is not known
/// whether it can. std::nullopt if it can.
std::optional<core::Finding> judgeDriverFloor(const core::Target &target);

} // namespace cudacc::policy
