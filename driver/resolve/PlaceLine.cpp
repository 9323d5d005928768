#include "driver/resolve/PlaceLine.h"
#include "driver/resolve/Worlds.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;

std::vector<PlaceLine> placeLines(llvm::ArrayRef<PlacePart> parts, const PlacePart &torch,
                                  const tables::UserTables *more) {
  std::vector<PlaceLine> found;
  auto of = [&](unsigned major) {
    return llvm::find_if(found, [&](const PlaceLine &each) { return each.line.major == major; });
  };
  for (const PlacePart &part : parts)
    if (part.isRuntime && part.line.known() && of(part.line.major) == found.end() &&
        (!torch.line.known() || torch.line.major == part.line.major))
      found.push_back(
          {part.line, tables::releasesOf(part.dist, part.version, more), part.evidence});
  if (found.empty() && torch.line.known())
    found.push_back({torch.line, {}, torch.evidence});
  if (!found.empty())
    return found;
  for (const PlacePart &part : parts) {
    if (!part.line.known())
      continue;
    auto same = of(part.line.major);
    if (same == found.end())
      found.push_back({part.line, {}, part.evidence});
    else if (part.line < same->line)
      *same = {part.line, {}, part.evidence};
  }
  return found;
}

bool satisfies(llvm::ArrayRef<Wish> wishes, const PlaceLine &place) {
  auto within = [](const Wish &wish, std::vector<uint64_t> numbers) {
    Version version;
    version.release = std::move(numbers);
    return wish.specifiers.contains(version);
  };
  return llvm::all_of(wishes, [&](const Wish &wish) {
    if (wish.form != Form::Cuda)
      return true;
    if (!namesRelease(wish))
      return within(wish, {place.line.major, place.line.minor});
    return llvm::any_of(place.releases, [&](const tables::ToolkitRelease &release) {
      return within(wish, {release.major, release.minor, release.patch});
    });
  });
}

PlaceChoice choose(llvm::ArrayRef<Wish> wishes, llvm::ArrayRef<PlaceLine> found) {
  PlaceChoice choice;
  llvm::copy_if(found, std::back_inserter(choice.good),
                [&](const PlaceLine &each) { return satisfies(wishes, each); });
  if (choice.good.size() == 1)
    return choice;
  for (const PlaceLine &each : choice.good.empty() ? found : llvm::ArrayRef(choice.good))
    choice.has.push_back({"has", fmt::format("CUDA {}: {}", each.line, each.evidence)});
  return choice;
}

} // namespace cudacc::resolve
