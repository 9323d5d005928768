// SPDX-License-Identifier: Apache-2.0
#include "plugins/rtld/LiveObjects.h"
#include "driver/loader/search/Expansion.h"
#include "driver/support/Paths.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::rtld {

using llvm::StringRef;

LiveObjects::LiveObjects(const ProcessRecord &record, const MachineFiles &surroundings)
    : record(record), surroundings(surroundings), programFile(surroundings.open(record.program)) {}

void LiveObjects::open(const Opened &opened) {
  change();
  LiveObject object;
  object.id = opened.id;
  object.path = opened.path;
  object.isApart = opened.space != 0;
  if (opened.path.empty() && !program && !object.isApart)
    program = opened.id;
  else if (support::nameOf(opened.path).starts_with("ld-") && !interpreter) {
    interpreter = opened.id;
    interpreterPath = opened.path;
  } else if (opened.path.find('/') != std::string::npos) {
    object.file = surroundings.open(loader::absolute(opened.path, record.workingDirectory));
  }
  objects[opened.id] = std::move(object);
}

LiveObject *LiveObjects::find(uint64_t id) {
  auto found = objects.find(id);
  return found == objects.end() ? nullptr : &found->second;
}

LiveObject *LiveObjects::byPath(StringRef path) {
  work += objects.size();
  for (auto &[id, object] : objects)
    if (object.path == path && !object.isApart)
      return &object;
  return nullptr;
}

void LiveObjects::addName(StringRef path, StringRef name) {
  if (LiveObject *object = byPath(path))
    object->names.push_back(name.str());
  change();
}

const LiveObject *LiveObjects::serving(StringRef name, uint64_t asker) {
  if (isSpent())
    return nullptr;
  work += objects.size();
  const LiveObject *from = find(asker);
  for (const auto &[id, object] : objects) {
    if (id == asker || object.isApart != (from && from->isApart))
      continue;
    bool isSo = object.file.facts && object.file.facts->soname == name;
    if (isSo || llvm::is_contained(object.names, name))
      return &object;
  }
  return nullptr;
}

std::string LiveObjects::pathOf(uint64_t id) const {
  auto found = objects.find(id);
  return found == objects.end() ? "" : found->second.path;
}

const loader::Situation &LiveObjects::situation() {
  if (current)
    return *current;
  // The situation is built, copied and traversed.
  work += objects.size() * 4;
  loader::Situation &made = current.emplace();
  made.machine = surroundings.machine;
  if (programFile.facts) {
    loader::setMachine(made, programFile.facts->machine);
    made.program = programFile.facts;
  }
  made.programPath = record.program;
  if (!interpreterPath.empty())
    made.interpreter = interpreterPath;
  made.workingDirectory = record.workingDirectory.empty() ? "/" : record.workingDirectory;
  if (record.libraryPath)
    made.libraryPath = loader::libraryPath(*record.libraryPath);
  places.clear();
  for (const auto &[id, object] : objects) {
    if (object.isApart || id == program || id == interpreter)
      continue;
    loader::Situation::Present present;
    present.path = object.path;
    present.facts = object.file.facts;
    present.device = object.file.device;
    present.inode = object.file.inode;
    present.names = object.names;
    places[id] = made.present.size();
    made.present.push_back(std::move(present));
  }
  for (const auto &[id, place] : places)
    if (const std::optional<uint64_t> &by = objects[id].loader)
      if (auto found = places.find(*by); found != places.end())
        made.present[place].loader = found->second;
  return made;
}

std::optional<size_t> LiveObjects::indexOf(uint64_t id) {
  situation();
  auto found = places.find(id);
  return found == places.end() ? std::nullopt : std::optional(found->second);
}

} // namespace cudacc::rtld
