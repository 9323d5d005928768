// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/core/Verdict.h"
#include "driver/policy/coherence/Guard.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::policy {

enum class LinkBackend : uint8_t { NvJitLink, Driver };

/// How a device linker is chosen (docs/spec/device-link.md): by what each was measured to accept,
/// or by the literal matrix of NVIDIA/cuda-python#1911.
enum class LinkPolicy : uint8_t { DirectionAware, CudaCore1911 };

/// What a device linker is given (PL-1); objects, archives and fatbins are split into their images.
enum class Artifact : uint8_t { LtoIr, Ptx, Cubin };
/// For messages: `LTO-IR`, `a cubin`.
llvm::StringRef wordOf(Artifact kind);

/// One image that is to be linked.
struct LinkImage {
  /// For messages: `a.o`, `liba.a(b.o)`.
  std::string name;
  Artifact kind = Artifact::Cubin;
  /// The release that made it, the oldest if the evidence stands for several (LTO-IR 1.61); 0.0 if
  /// not known, which never blocks a link (LI-4).
  versions::CudaVersion producer;
  /// ISA of PTX; 0.0: the newest of `producer` is assumed.
  versions::CudaVersion isa;
  /// Where `producer` comes from: `record of nvcc 12.5.82`, `.version 8.5`, `LTO-IR 1.61`.
  std::string evidence;
};

/// What is known about the nvJitLink that would link.
struct NvJitLinkFacts {
  enum class State : uint8_t {
    /// There is none, or it is not for this machine.
    Absent,
    /// 12.0 to 12.2, which have no version function: counts as absent.
    TooOld,
    /// It could not be opened, or its version function failed: counts as absent, with `reason`.
    Failed,
    /// It reports another major than its SONAME has: counts as absent, with `reason`.
    Conflict,
    Known,
  };
  State state = State::Absent;
  /// Set if Known.
  versions::CudaVersion version;
  /// Absolute path of the library; empty if absent.
  std::string path;
  /// How it was found: `nvidia-nvjitlink-cu12 12.4.127 in /venv`, `toolkit /usr/local/cuda`.
  std::string origin;
  /// Why it cannot be used.
  std::string reason;
  /// CUDA release of the declared runtime, where no nvJitLink was found for it: only one of its
  /// major, and no newer one, would serve it. 0.0: any would.
  versions::CudaVersion wanted;
};

struct LinkQuestion {
  std::vector<LinkImage> inputs;
  /// Link-time optimisation, or output of PTX or LTO-IR, was asked for.
  bool needsNvJitLink = false;
  /// LTO-IR is to be written: nvJitLink 13.4 or newer (PB-6).
  bool emitsLtoIr = false;
  /// PTX is to be written. It decides nothing; a fix is proposed only if its output would load.
  bool emitsPtx = false;
  /// Options that only nvJitLink has (a Usage error on the driver), and those that the driver
  /// ignores (a remark), as the user wrote them.
  std::vector<std::string> onlyNvJitLink, ignoredByDriver;
  NvJitLinkFacts nvJitLink;
  /// The driver of the deployment: the declared one, else this system's, else unknown.
  DriverFacts driver;
  LinkPolicy policy = LinkPolicy::DirectionAware;
  /// `--backend nvjitlink` or `driver`.
  std::optional<LinkBackend> forced;
};

struct LinkChoice {
  /// std::nullopt if the link is refused: then, and only then, a finding is an error.
  std::optional<LinkBackend> backend;
  /// The row of the matrix: `A5`, `B4`; `inputs` if their versions decided before the matrix;
  /// `forced` if the user chose.
  std::string row;
  /// One sentence per fact that decided, for `--explain` and JSON.
  std::vector<std::string> reasons;
  /// Errors, warnings and remarks.
  std::vector<core::Finding> findings;
};

/// Decides which linker links these inputs. Pure: no I/O, no state (LD-1).
LinkChoice chooseLinker(const LinkQuestion &question);

/// Requirements such as `nvidia-nvjitlink-cu12>=12.9,<13` whose nvJitLink serves the question,
/// those of the present major, of the inputs' and of the driver's first.
std::vector<std::string> wheelsServing(const LinkQuestion &question);

/// What both policies choose, for `--explain`.
struct LinkComparison {
  LinkChoice directionAware, cudaCore1911;
  /// One sentence: where and why they differ. Empty if both choose the same linker, or refuse with
  /// the same codes.
  std::string difference;
};
LinkComparison comparePolicies(const LinkQuestion &question);

/// Whether what nvJitLink \p linker (0.0 with the driver back end) linked loads on \p driver: LO-1
/// to LO-4. \p ptx: the output is PTX.
std::vector<core::Finding> judgeLinkOutput(versions::CudaVersion linker, const DriverFacts &driver,
                                           bool ptx);

/// What a link wrote.
struct LinkedCode {
  /// nvJitLink's release; 0.0: the driver linked.
  versions::CudaVersion linker;
  /// Path and origin of the nvJitLink, for messages.
  std::string library;
  /// ISA of the PTX that was written; 0.0: machine code or LTO-IR.
  versions::CudaVersion isa;
};
/// Whether it loads on the declared runtime (LO-5): by the PTX that the driver of \p target
/// translates, and by nvJitLink's release, which is a part of the toolkit that builds.
std::vector<core::Finding> judgeLinkedFor(const core::Target &target, const LinkedCode &linked);

} // namespace cudacc::policy
