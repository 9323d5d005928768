// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// What cuda-cc and its helper program `devlink` pass to each other: one Job on the helper's stdin,
/// one Reply on its stdout, each as its `members` in this order. Standard library only, since the
/// helper links nothing else.
namespace cudacc::devlink {

enum class JobBackend : uint8_t { NvJitLink, Driver };
enum class JobInputKind : uint8_t { Cubin = 1, Ptx, LtoIr, Fatbin, Object, Library };
enum class Emit : uint8_t { Cubin, Ptx, LtoIr };

struct LibraryVersion {
  uint32_t major = 0, minor = 0;
  static constexpr auto members = std::tuple(&LibraryVersion::major, &LibraryVersion::minor);
  bool operator==(const LibraryVersion &) const = default;
};

struct JobInput {
  JobInputKind kind = JobInputKind::Cubin;
  /// Shown by the library in its messages: `a.o`, `liba.a(b.o)`.
  std::string name;
  /// The image, which the caller or the bytes that were decoded own. A NUL follows it, with which
  /// the libraries want PTX to end.
  std::string_view bytes;
  static constexpr auto members = std::tuple(&JobInput::kind, &JobInput::name, &JobInput::bytes);
};

/// One device link for one architecture.
struct Link {
  /// As nvJitLink spells them: `-arch=sm_90`, `-lto`. The driver back end takes those it has a
  /// counterpart for (docs/spec/device-link.md); with another one the link fails, and the option is
  /// named.
  std::vector<std::string> options;
  Emit emit = Emit::Cubin;
  /// Indices into Job::inputs, in the order in which they are linked.
  std::vector<uint32_t> inputs;
  static constexpr auto members = std::tuple(&Link::options, &Link::emit, &Link::inputs);
};

struct Job {
  JobBackend backend = JobBackend::NvJitLink;
  /// Absolute path of the libnvJitLink.so or libcuda.so.1 to open; empty: by its SONAME.
  std::string library;
  /// The version that the decision was made for. If the library reports another one, nothing is
  /// linked and the Reply says which. std::nullopt: any.
  std::optional<LibraryVersion> expected;
  /// With JobBackend::NvJitLink: call the entry points of this minor (`__nvJitLinkCreate_12_5`);
  /// 0.0: of the version that the library reports. If the library lacks one of them, those without
  /// suffix are called.
  LibraryVersion entryPoints;
  std::vector<JobInput> inputs;
  /// Empty: only open the library and report its version.
  std::vector<Link> links;
  /// Absolute path of libnvfatbin.so to pack the linked images with; empty: do not pack.
  std::string packer;
  static constexpr auto members =
      std::tuple(&Job::backend, &Job::library, &Job::expected, &Job::entryPoints, &Job::inputs,
                 &Job::links, &Job::packer);
};

struct LinkResult {
  bool ok = false;
  /// The linked image. Empty if the link failed.
  std::string output;
  /// The library's logs as it wrote them, without trailing NULs; kept on failure too.
  std::string infoLog, errorLog;
  /// The call that failed and its result: `nvJitLinkComplete: NVJITLINK_ERROR_PTX_COMPILE (4)`.
  std::string failure;
  /// Index into Job::inputs of the input that was refused; none if it is not known.
  std::optional<uint32_t> refused;
  /// Wall time of create to complete.
  uint64_t microseconds = 0;
  static constexpr auto members =
      std::tuple(&LinkResult::ok, &LinkResult::output, &LinkResult::infoLog, &LinkResult::errorLog,
                 &LinkResult::failure, &LinkResult::refused, &LinkResult::microseconds);
};

/// How far the library could be used.
enum class Opening : uint8_t {
  Ok,
  /// dlopen refused it.
  NotOpened,
  /// It has no version function: an nvJitLink older than 12.3.
  TooOld,
  /// Its version function failed.
  NoVersion,
  /// It reports another major than its SONAME has.
  Conflict,
  /// It lacks a function that is needed.
  NoEntryPoints,
  /// The driver: no device, or no context on it.
  NoContext,
};

struct Reply {
  Opening opening = Opening::Ok;
  /// Why it could not be used: dlopen's words, or the call that failed and its result. Then there
  /// are no results.
  std::string failure;
  /// The version that it reports, as far as it did; the driver: cuDriverGetVersion.
  LibraryVersion version;
  /// False: `version` differs from Job::expected, so nothing was linked.
  bool asExpected = true;
  std::vector<LinkResult> results;
  /// The images of all links in one fatbin, if Job::packer was given and every link succeeded.
  std::string fatbin;
  std::string fatbinFailure;
  /// Wall time of opening the library.
  uint64_t openMicroseconds = 0;
  static constexpr auto members =
      std::tuple(&Reply::opening, &Reply::failure, &Reply::version, &Reply::asExpected,
                 &Reply::results, &Reply::fatbin, &Reply::fatbinFailure, &Reply::openMicroseconds);
};

std::string encode(const Job &job);
std::string encode(const Reply &reply);
/// std::nullopt for bytes that encode() did not write, a part of them included. The images of a job
/// are parts of \p bytes.
std::optional<Job> decodeJob(std::string_view bytes);
std::optional<Reply> decodeReply(std::string_view bytes);

} // namespace cudacc::devlink
