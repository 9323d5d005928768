// SPDX-License-Identifier: Apache-2.0
#include "plugins/rtld/Loads.h"
#include "plugins/rtld/AuditFlags.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::rtld {

using Kind = Event::Kind;

namespace {
class Sorting {
public:
  Loads take() {
    loads.loads.push_back(std::move(load));
    return std::move(loads);
  }
  void event(const Event &event);

private:
  Loads loads;
  Load load;
  /// The current activity: listConsistent, listGrows, listShrinks.
  unsigned activity = listConsistent;
  std::vector<uint64_t> closed;
  /// All objects are mapped: requests from now on are dlopen calls, also of objects just loaded.
  bool complete = false;

  void next();
  void search(const Event &event);
  void close(const Event &event);
};
} // namespace

void Sorting::next() {
  loads.loads.push_back(std::move(load));
  load = Load();
  load.closed = std::move(closed);
  closed.clear();
  complete = false;
}

void Sorting::search(const Event &event) {
  if (event.flag != searchedName) {
    if (!load.asked.empty())
      load.asked.back().tried.emplace_back(event.flag, event.text);
    return;
  }
  // Dependencies are requested by objects of this load.
  bool within = !loads.ready || (!complete && llvm::any_of(load.opened, [&](const Opened &each) {
    return each.id == event.object;
  }));
  if (!within)
    next();
  load.asked.push_back({event.object, event.text, {}, std::nullopt});
}

void Sorting::close(const Event &event) {
  closed.push_back(event.object);
  // At the end of the process all objects are closed; the loader reports listShrinks first.
  bool ours =
      llvm::any_of(load.opened, [&](const Opened &each) { return each.id == event.object; });
  if (ours && activity != listShrinks)
    load.undone = true;
}

void Sorting::event(const Event &event) {
  switch (event.kind) {
  case Kind::Search:
    return search(event);
  case Kind::Open:
    load.opened.push_back({event.object, event.other, event.text});
    if (!load.asked.empty() && !load.asked.back().opened)
      load.asked.back().opened = event.object;
    return;
  case Kind::Close:
    return close(event);
  case Kind::Activity:
    activity = event.flag;
    complete |= loads.ready && activity == listConsistent && !load.opened.empty();
    return;
  case Kind::Ready:
    load.isStart = true;
    loads.ready = true;
    return next();
  case Kind::Bind:
    loads.binds.push_back(event);
    return;
  }
}

Loads loadsOf(llvm::ArrayRef<Event> events) {
  Sorting sorting;
  for (const Event &event : events)
    sorting.event(event);
  Loads loads = sorting.take();
  loads.loads.front().isStart = true;
  llvm::erase_if(loads.loads, [](const Load &load) {
    return load.asked.empty() && load.opened.empty() && load.closed.empty();
  });
  return loads;
}

std::vector<Event> eventsOf(const Records &records, size_t process) {
  std::vector<llvm::ArrayRef<Event>> parts;
  size_t count = records.processes[process].events.size();
  while (true) {
    const ProcessRecord &each = records.processes[process];
    parts.push_back(llvm::ArrayRef(each.events).take_front(count));
    // Ends, because a process is only forked from one that began before it.
    if (!each.forkedFrom)
      break;
    count = each.forkedAt;
    process = *each.forkedFrom;
  }
  std::vector<Event> events;
  for (llvm::ArrayRef<Event> part : llvm::reverse(parts))
    events.insert(events.end(), part.begin(), part.end());
  return events;
}

} // namespace cudacc::rtld
