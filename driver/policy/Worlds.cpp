#include "driver/policy/Worlds.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

std::string World::describe() const {
  if (torch)
    return "torch " + torch->str() + (tagged ? "+" + build.tag.str() : "");
  return "CUDA " + (toolkit ? toolkit->str() : line.str());
}

bool namesRelease(const Wish &wish) {
  return wish.form == Form::Cuda && llvm::any_of(wish.specifiers.clauses, [](const auto &clause) {
           return clause.version.release.size() > 2;
         });
}

StringRef tagOf(const Wish &wish) {
  if (wish.form == Form::Torch)
    for (const Specifier &clause : wish.specifiers.clauses)
      if (clause.op != Specifier::Op::NotEqual && !clause.version.local.empty())
        return clause.version.local.front();
  return {};
}

static Version versionOf(const facts::ToolkitRelease &release) {
  Version version;
  version.release = {release.major, release.minor, release.patch};
  return version;
}

static Version versionOf(CudaVersion line) {
  Version version;
  version.release = {line.major, line.minor};
  return version;
}

static bool satisfies(const World &world, const Wish &wish) {
  return wish.specifiers.contains(world.toolkit && namesRelease(wish) ? versionOf(*world.toolkit)
                                                                      : versionOf(world.line));
}

static Worlds torchWorlds(llvm::ArrayRef<Wish> wishes) {
  StringRef tag;
  for (const Wish &wish : wishes)
    if (StringRef wanted = tagOf(wish); !wanted.empty())
      tag = wanted;
  Worlds worlds;
  Version version;
  if (!tag.empty())
    version.local.push_back(tag.str());
  for (const facts::TorchRelease &release : facts::torchReleases()) {
    version.release = {release.major, release.minor, release.patch};
    if (llvm::any_of(wishes, [&](const Wish &wish) {
          return wish.form == Form::Torch && !wish.specifiers.contains(version);
        }))
      continue;
    World world;
    world.torch = release;
    world.tagged = !tag.empty();
    auto lines = facts::torchLines(release);
    auto line = llvm::find_if(lines, [&](const facts::TorchLine &each) {
      return tag.empty() ? each.isDefault : each.tag == tag;
    });
    if (line == lines.end())
      continue;
    world.build = *line;
    world.line = line->cuda;
    world.toolkit = line->toolkit;
    worlds.push_back(std::move(world));
  }
  return worlds;
}

static Worlds cudaWorlds(llvm::ArrayRef<Wish> wishes) {
  Worlds worlds;
  if (llvm::any_of(wishes, namesRelease)) {
    for (const facts::ToolkitRelease &release : facts::toolkitReleases()) {
      World &world = worlds.emplace_back();
      world.line = release.line();
      world.toolkit = release;
    }
    return worlds;
  }
  for (CudaVersion line : facts::toolkitLines())
    worlds.emplace_back().line = line;
  return worlds;
}

Worlds worldsOf(llvm::ArrayRef<Wish> wishes) {
  bool torch = llvm::any_of(wishes, [](const Wish &wish) { return wish.form == Form::Torch; });
  Worlds worlds = torch ? torchWorlds(wishes) : cudaWorlds(wishes);
  llvm::erase_if(worlds, [&](const World &world) {
    return llvm::any_of(wishes, [&](const Wish &wish) {
      return wish.form == Form::Cuda && !satisfies(world, wish);
    });
  });
  return worlds;
}

} // namespace cudacc::policy
