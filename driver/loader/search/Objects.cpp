// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/search/Objects.h"

namespace cudacc::loader {

Objects::Objects(const Situation &situation) {
  Object program;
  program.facts = situation.program;
  add(std::move(program), {}, 0, 0);
  Object interpreter;
  interpreter.path = situation.interpreter;
  size_t own = add(std::move(interpreter), situation.interpreter, 0, 0);
  addName(own, llvm::StringRef(situation.interpreter).rsplit('/').second);
  for (const Situation::Present &present : situation.present) {
    Object object;
    object.path = present.path;
    object.facts = present.facts;
    if (present.loader && *present.loader < situation.present.size())
      object.loader = FirstPresent + *present.loader;
    size_t index = add(std::move(object), {}, present.device, present.inode);
    for (const std::string &name : present.names)
      addName(index, name);
  }
}

std::optional<size_t> Objects::byName(llvm::StringRef name) const {
  auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

std::optional<size_t> Objects::byFile(uint64_t device, uint64_t inode) const {
  if (!inode)
    return std::nullopt;
  auto found = files.find({device, inode});
  return found == files.end() ? std::nullopt : std::optional(found->second);
}

void Objects::addName(size_t index, llvm::StringRef name) {
  if (name.empty())
    return;
  // If two objects have the same name, the loader finds the older one first.
  auto [place, isNew] = names.try_emplace(name, index);
  if (!isNew)
    place->second = std::min(place->second, index);
}

size_t Objects::add(Object object, llvm::StringRef requested, uint64_t device, uint64_t inode) {
  size_t index = list.size();
  addName(index, object.path);
  addName(index, requested);
  if (object.facts)
    addName(index, object.facts->soname);
  if (inode)
    files.try_emplace({device, inode}, index);
  list.push_back(std::move(object));
  return index;
}

} // namespace cudacc::loader
