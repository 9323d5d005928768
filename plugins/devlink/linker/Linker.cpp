// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/linker/Linker.h"
#include "plugins/devlink/linker/Text.h"
#include <algorithm>
#include <ctime>

namespace cudacc::devlink {

namespace {
class Stopwatch {
public:
  uint64_t microseconds() const { return now() - start; }

private:
  static uint64_t now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return uint64_t(time.tv_sec) * 1'000'000 + uint64_t(time.tv_nsec) / 1'000;
  }
  uint64_t start = now();
};
} // namespace

static std::string nameOf(const Job &job) {
  if (!job.library.empty())
    return job.library;
  if (job.backend == JobBackend::Driver)
    return "libcuda.so.1";
  uint32_t major = job.expected ? job.expected->major : job.entryPoints.major;
  return join({"libnvJitLink.so.", decimal(major)});
}

/// Whether the SONAME `libnvJitLink.so.12` has another major (PB-3, V-PB-05).
static bool contradicts(std::string_view soname, const LibraryVersion &version) {
  constexpr std::string_view before = "libnvJitLink.so.";
  return soname.starts_with(before) && soname.substr(before.size()) != decimal(version.major);
}

/// Sets what the reply says of the library; null if nothing is to be linked with it.
static std::unique_ptr<Linker> open(const Job &job, Libraries &libraries, Reply &reply) {
  std::string path = nameOf(job);
  void *library = libraries.open(path, reply.failure);
  if (!library) {
    reply.opening = Opening::NotOpened;
    return nullptr;
  }
  bool isDriver = job.backend == JobBackend::Driver;
  if (isDriver)
    readDriverVersion(libraries, library, reply);
  else
    readNvJitLinkVersion(libraries, library, reply);
  if (reply.opening != Opening::Ok)
    return nullptr;
  std::string soname = libraries.soname(library);
  if (contradicts(soname, reply.version)) {
    reply.opening = Opening::Conflict;
    reply.failure = join({soname, " reports version ", decimal(reply.version.major), ".",
                          decimal(reply.version.minor)});
    return nullptr;
  }
  reply.asExpected = !job.expected || *job.expected == reply.version;
  if (!reply.asExpected || job.links.empty())
    return nullptr;
  return isDriver ? openDriver(libraries, library, reply)
                  : openNvJitLink(libraries, library, job, reply);
}

Reply link(const Job &job, Libraries &libraries) {
  Reply reply;
  Stopwatch opening;
  std::unique_ptr<Linker> linker = open(job, libraries, reply);
  reply.openMicroseconds = opening.microseconds();
  if (!linker)
    return reply;
  for (const Link &link : job.links) {
    Stopwatch linking;
    reply.results.push_back(linker->link(job, link));
    reply.results.back().microseconds = linking.microseconds();
  }
  bool allLinked = std::all_of(reply.results.begin(), reply.results.end(),
                               [](const LinkResult &result) { return result.ok; });
  if (!job.packer.empty() && allLinked)
    pack(job, libraries, reply);
  return reply;
}

} // namespace cudacc::devlink
