// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/search/Expansion.h"
#include "driver/loader/search/Loader.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"

namespace cudacc::loader {

using core::LoadedBy;

std::optional<size_t> find(const Situation &situation, llvm::StringRef path) {
  for (size_t i = 0; i < situation.present.size(); ++i)
    if (situation.present[i].path == path)
      return i;
  return std::nullopt;
}

static Situation::Present present(const core::LoadStep &step, const Situation &situation,
                                  Tree &tree) {
  Candidate file = tree.open(absolute(step.path, situation.workingDirectory), situation.machine);
  Situation::Present object;
  object.path = step.path;
  object.facts = file.facts;
  object.device = file.device;
  object.inode = file.inode;
  object.names.push_back(step.name);
  return object;
}

Situation after(Situation situation, const core::LoadResult &loaded, Tree &tree) {
  llvm::StringMap<size_t> places;
  for (size_t i = 0; i < situation.present.size(); ++i)
    places.try_emplace(situation.present[i].path, i);
  auto placeOf = [&](llvm::StringRef path) -> std::optional<size_t> {
    auto found = places.find(path);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  };
  for (const core::LoadStep &step : loaded.steps) {
    if (step.path.empty() || step.path == situation.programPath)
      continue;
    if (step.by == LoadedBy::AlreadyLoaded || step.by == LoadedBy::SameFile) {
      if (std::optional<size_t> place = placeOf(step.path))
        situation.present[*place].names.push_back(step.name);
      continue;
    }
    Situation::Present object = present(step, situation, tree);
    // The first object of a load was opened with dlopen; the caller of dlopen is not its loader.
    if (&step != &loaded.steps.front())
      object.loader = placeOf(step.askedBy);
    places.try_emplace(step.path, situation.present.size());
    situation.present.push_back(std::move(object));
  }
  situation.caller.reset();
  return situation;
}

std::vector<std::string> libraryPath(llvm::StringRef value) {
  std::vector<std::string> elements;
  while (!value.empty()) {
    size_t end = value.find_first_of(":;");
    elements.push_back(value.take_front(end).str());
    if (end == llvm::StringRef::npos)
      break;
    value = value.drop_front(end + 1);
    if (value.empty())
      elements.emplace_back();
  }
  return elements;
}

bool setMachine(Situation &situation, uint16_t machine) {
  const char *triple;
  switch (machine) {
  case llvm::ELF::EM_X86_64:
    triple = "x86_64-linux-gnu";
    situation.platform = "x86_64";
    situation.interpreter = "/lib64/ld-linux-x86-64.so.2";
    situation.hwcaps = {"glibc-hwcaps/x86-64-v4", "glibc-hwcaps/x86-64-v3",
                        "glibc-hwcaps/x86-64-v2"};
    break;
  case llvm::ELF::EM_AARCH64:
    triple = "aarch64-linux-gnu";
    situation.platform = "aarch64";
    situation.interpreter = "/lib/ld-linux-aarch64.so.1";
    situation.hwcaps.clear();
    break;
  default:
    return false;
  }
  situation.machine = machine;
  situation.lib = fmt::format("lib/{}", triple);
  situation.defaultDirectories = {"/" + situation.lib, "/usr/" + situation.lib, "/lib", "/usr/lib"};
  return true;
}

} // namespace cudacc::loader
