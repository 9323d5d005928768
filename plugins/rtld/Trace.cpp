// SPDX-License-Identifier: Apache-2.0
#include "plugins/rtld/Trace.h"
#include "driver/versions/Format.h"
#include "plugins/rtld/AuditFlags.h"
#include "plugins/rtld/Names.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace cudacc::rtld {

using namespace core;
using llvm::StringRef;

/// Limit for the processes reported, for programs that start the same thing a thousand times.
static constexpr size_t mostProcesses = 200;

static bool concernsNvidia(const ProcessRecord &process) {
  return llvm::any_of(process.events, [](const Event &event) {
    bool hasName = event.kind == Event::Kind::Open ||
                   (event.kind == Event::Kind::Search && event.flag == searchedName);
    return hasName && !libraryName(event.text).empty();
  });
}

/// True for `torch` and .../torch/lib/libc10.so; for `ext` and ext.cpython-311-x86_64-linux-gnu.so
/// or libext.so.
static bool isOf(StringRef path, StringRef module) {
  llvm::SmallVector<StringRef, 16> parts;
  path.split(parts, '/');
  if (parts.empty())
    return false;
  StringRef stem = parts.pop_back_val().split('.').first;
  bool isFile = stem == module || (stem.consume_front("lib") && stem == module);
  return isFile || llvm::is_contained(parts, module);
}

void keepModule(TracedProcess &process, StringRef module) {
  // Requests of a copy count if the copy itself was pulled in: repeats until nothing is added.
  std::set<std::string> pulled;
  auto counts = [&](const TracedRequest &request) {
    return isOf(request.askedBy, module) || pulled.count(request.askedBy);
  };
  for (bool more = true; more;) {
    more = false;
    for (const TracedLibrary &library : process.libraries)
      for (const TracedCopy &copy : library.copies)
        if (llvm::any_of(copy.requests, counts))
          more |= pulled.insert(copy.path).second;
  }
  for (TracedLibrary &library : process.libraries) {
    std::set<std::string> passed;
    llvm::erase_if(library.notFound, [&](const auto &request) { return !counts(request); });
    for (TracedCopy &copy : library.copies) {
      bool ours = llvm::any_of(copy.requests, counts);
      for (size_t i = copy.requests.size(); i-- > 0;)
        if (!ours || (i && !counts(copy.requests[i])))
          copy.requests.erase(copy.requests.begin() + ptrdiff_t(i));
      llvm::erase_if(copy.missing, [&](const TracedMissing &missing) {
        return !isOf(missing.importer, module) && !pulled.count(missing.importer);
      });
      for (const TracedRequest &request : copy.requests)
        passed.insert(request.passed);
    }
    llvm::erase_if(library.copies, [&](const TracedCopy &copy) {
      return copy.loaded ? copy.requests.empty() : !passed.count(copy.path);
    });
  }
  llvm::erase_if(process.libraries, [](const TracedLibrary &library) {
    return library.copies.empty() && library.notFound.empty();
  });
}

/// Adds copies that a search would find but that were not loaded, behind the loaded ones.
static void addPassed(TracedProcess &process, const MachineFiles &surroundings) {
  for (TracedLibrary &library : process.libraries) {
    std::vector<TracedCopy> others;
    auto known = [&](StringRef path) {
      auto is = [&](const TracedCopy &copy) { return copy.path == path; };
      return llvm::any_of(library.copies, is) || llvm::any_of(others, is);
    };
    for (const TracedCopy &copy : library.copies)
      for (const TracedRequest &request : copy.requests) {
        if (request.passed.empty() || known(request.passed))
          continue;
        TracedCopy &other = others.emplace_back();
        other.path = request.passed;
        if (loader::Candidate file = surroundings.open(other.path); file.facts)
          other.soname = file.facts->soname;
        surroundings.identify(other);
      }
    llvm::append_range(library.copies, others);
  }
}

TraceReport trace(const Records &records, StringRef module, const MachineFiles &surroundings) {
  TraceReport report;
  report.module = module.str();
  size_t left = 0;
  for (size_t i = 0; i < records.processes.size(); ++i) {
    const ProcessRecord &record = records.processes[i];
    report.allObjects += llvm::count_if(
        record.events, [](const Event &event) { return event.kind == Event::Kind::Open; });
    if (!concernsNvidia(record))
      continue;
    if (report.processes.size() == mostProcesses) {
      ++left;
      continue;
    }
    TracedProcess process = replay(record, loadsOf(eventsOf(records, i)), surroundings);
    addPassed(process, surroundings);
    if (!module.empty())
      keepModule(process, module);
    if (!process.libraries.empty())
      report.processes.push_back(std::move(process));
  }
  report.allProcesses = records.processes.size();
  if (left)
    report.unknown.push_back(fmt::format("{} more processes were not read", left));
  if (records.lost)
    report.unknown.push_back("the records had no room: what came last was not seen");
  if (records.broken)
    report.unknown.push_back(fmt::format("{} records could not be read", records.broken));
  return report;
}

} // namespace cudacc::rtld
