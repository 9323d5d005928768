// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/lock/LockReader.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace cudacc::probe {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {

/// uv locks for all machines and all selections of extras at once, and puts markers on the edges of
/// the dependency graph. The packages reachable from the project are the installed ones.
class UvGraph {
public:
  UvGraph(const Value &lock, LockCollector &collector) : lock(lock), collector(collector) {}
  llvm::Error read();

private:
  /// A package, or the dependencies that one of its extras adds.
  using Wanted = std::pair<size_t, std::string>;

  const Value &lock;
  LockCollector &collector;
  llvm::ArrayRef<Value> packages;
  std::multimap<std::string, size_t, std::less<>> byName;
  std::map<Wanted, Truth> reached;
  std::vector<Wanted> open;

  void reach(const Wanted &wanted, Truth truth);
  bool reachRoots();
  void follow(const Value &edge, Truth from);
  void followAll(const Value *edges, Truth from);
  Truth forMarkers(const Value &package);
  void expand(const Wanted &wanted);
};

bool isProject(const Value &package) {
  const Value *source = package.find("source");
  if (!source)
    return false;
  return source->textAt("virtual") == "." || source->textAt("editable") == "." ||
         source->textAt("directory") == ".";
}

/// If a package is locked differently per environment, each entry lists the environments' markers.
Truth UvGraph::forMarkers(const Value &package) {
  llvm::ArrayRef<Value> markers = package.listAt("resolution-markers");
  Truth truth = markers.empty() ? Truth::True : Truth::False;
  for (const Value &marker : markers)
    truth = either(truth, collector.truthOf(marker.text, collector.shown(), package.line));
  return truth;
}

void UvGraph::reach(const Wanted &wanted, Truth truth) {
  truth = both(truth, forMarkers(packages[wanted.first]));
  auto [entry, isNew] = reached.try_emplace(wanted, Truth::False);
  if (either(entry->second, truth) == entry->second)
    return;
  entry->second = truth;
  open.push_back(wanted);
}

void UvGraph::follow(const Value &edge, Truth from) {
  std::string name = Requirement::normalise(edge.textAt("name"));
  StringRef version = edge.textAt("version");
  Truth truth = both(from, collector.truthOf(edge.textAt("marker"), collector.shown(), edge.line));
  if (truth == Truth::False)
    return;
  for (auto [it, end] = byName.equal_range(name); it != end; ++it) {
    if (!version.empty() && packages[it->second].textAt("version") != version)
      continue;
    reach({it->second, ""}, truth);
    for (const Value &extra : edge.listAt("extra"))
      reach({it->second, Requirement::normalise(extra.text)}, truth);
  }
}

void UvGraph::followAll(const Value *edges, Truth from) {
  if (edges && edges->isList())
    for (const Value &edge : edges->items)
      follow(edge, from);
}

/// Extras of the project itself are handled by reachRoots, since the user may select them.
void UvGraph::expand(const Wanted &wanted) {
  const Value &package = packages[wanted.first];
  Truth truth = reached[wanted];
  const Value *extras = package.find("optional-dependencies");
  if (!wanted.second.empty()) {
    for (size_t i = 0; extras && i < extras->keys.size(); ++i)
      if (Requirement::normalise(extras->keys[i]) == wanted.second)
        followAll(&extras->items[i], truth);
    return;
  }
  followAll(package.find("dependencies"), truth);
}

/// Returns false if the lock file does not name its project.
bool UvGraph::reachRoots() {
  const Value *manifest = lock.find("manifest");
  bool any = false;
  auto root = [&](size_t index) {
    any = true;
    reach({index, ""}, Truth::True);
    for (StringRef optional : {"optional-dependencies", "dev-dependencies"})
      if (const Value *choices = packages[index].find(optional); choices && choices->isTable())
        for (const Value &choice : choices->items)
          followAll(&choice, Truth::Unknown);
  };
  if (manifest) {
    for (const Value &member : manifest->listAt("members"))
      for (auto [it, end] = byName.equal_range(Requirement::normalise(member.text)); it != end;
           ++it)
        root(it->second);
    any |= !manifest->listAt("requirements").empty();
    followAll(manifest->find("requirements"), Truth::True);
    if (const Value *groups = manifest->find("dependency-groups"); groups && groups->isTable())
      for (const Value &group : groups->items)
        followAll(&group, Truth::Unknown);
  }
  for (size_t i = 0; !any && i < packages.size(); ++i)
    if (isProject(packages[i]))
      root(i);
  return any;
}

std::string versionOf(const Value &package) {
  if (StringRef version = package.textAt("version"); !version.empty())
    return version.str();
  const Value *source = package.find("source");
  for (StringRef key : {"url", "path"})
    if (auto file = distributionOfFile(source ? source->textAt(key) : ""))
      return file->second;
  return {};
}

llvm::Error UvGraph::read() {
  packages = lock.listAt("package");
  for (size_t i = 0; i < packages.size(); ++i) {
    StringRef name = packages[i].textAt("name");
    if (name.empty())
      return unnamed(packages[i], collector);
    byName.emplace(Requirement::normalise(name), i);
  }
  bool rooted = reachRoots();
  while (!open.empty()) {
    Wanted next = std::move(open.back());
    open.pop_back();
    expand(next);
  }
  for (size_t i = 0; i < packages.size(); ++i) {
    const Value &package = packages[i];
    auto found = reached.find(Wanted(i, ""));
    LockedPackage pin = lockedPackage(package.textAt("name"), versionOf(package), collector.shown(),
                                      lineOf(package));
    pin.applies = !rooted                  ? forMarkers(package)
                  : found == reached.end() ? Truth::False
                                           : found->second;
    if (llvm::Error error = collector.add(std::move(pin)))
      return error;
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error readUv(const Value &lock, LockCollector &collector) {
  if (llvm::Error error = checkForm(lock.find("version"), {"1"}, "uv", collector))
    return error;
  return UvGraph(lock, collector).read();
}

} // namespace cudacc::probe
