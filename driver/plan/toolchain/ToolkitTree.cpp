// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/toolchain/ToolkitTree.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include <map>
#include <set>

namespace cudacc::plan {

using core::ToolkitSources;
using core::TreeEntry;
using llvm::StringRef;

namespace {

/// `cublas` for `libcublas.so.12`; empty if the file is no shared library.
StringRef stemOf(StringRef file) {
  size_t at = file.find(".so");
  bool ends = at != StringRef::npos && (at + 3 == file.size() || file[at + 3] == '.');
  if (!ends || !file.consume_front("lib"))
    return "";
  return file.take_front(at - 3);
}

class Tree {
public:
  explicit Tree(Lister list) : list(list) {}

  void link(std::string path, std::string to) {
    entries.try_emplace(std::move(path), TreeEntry::Kind::Link, std::move(to));
  }
  void file(std::string path, std::string text) {
    entries.try_emplace(std::move(path), TreeEntry::Kind::File, std::move(text));
  }

  /// Merges \p folders into \p path: a link for a name that only one folder has, a directory for a
  /// name that is a directory in several.
  void merge(const std::string &path, llvm::ArrayRef<std::string> folders,
             const std::set<std::string> &without = {}) {
    struct Found {
      std::vector<std::string> places;
      bool isDirectory = false;
    };
    std::map<std::string, Found> names;
    for (const std::string &folder : folders)
      for (ListedName &each : list(folder)) {
        Found &found = names[each.name];
        if (found.places.empty())
          found.isDirectory = each.isDirectory;
        else if (!found.isDirectory || !each.isDirectory)
          continue;
        found.places.push_back(fmt::format("{}/{}", folder, each.name));
      }
    for (auto &[name, found] : names) {
      if (without.count(name))
        continue;
      std::string inside = fmt::format("{}/{}", path, name);
      if (found.places.size() == 1)
        link(inside, found.places.front());
      else
        merge(inside, found.places);
    }
  }

  void addLibraries(llvm::ArrayRef<ToolkitSources::Libraries> sources);
  void addNvvm(StringRef nvvm);

  std::vector<TreeEntry> take() {
    std::vector<TreeEntry> result;
    result.reserve(entries.size());
    for (auto &[path, entry] : entries)
      result.push_back({path, std::move(entry.second), entry.first});
    return result;
  }

private:
  Lister list;
  /// By path; the first entry for a path wins.
  std::map<std::string, std::pair<TreeEntry::Kind, std::string>> entries;

  void addDevelopmentNames();
};

/// Subfolders of a library folder that are used for linking.
bool isLinkFolder(StringRef name) { return name == "stubs" || name == "pkgconfig"; }

void Tree::addLibraries(llvm::ArrayRef<ToolkitSources::Libraries> sources) {
  std::set<std::string> taken;
  std::vector<std::string> stubs;
  for (const ToolkitSources::Libraries &source : sources) {
    std::set<std::string> here;
    for (const ListedName &each : list(source.folder)) {
      std::string from = fmt::format("{}/{}", source.folder, each.name);
      if (each.isDirectory) {
        if (each.name == "stubs")
          stubs.push_back(from);
        else if (isLinkFolder(each.name) && !source.shared)
          link("lib64/" + each.name, from);
        continue;
      }
      if (source.shared && !tables::libraryByFileName(each.name))
        continue;
      std::string stem = stemOf(each.name).str();
      if (!stem.empty() && taken.count(stem))
        continue;
      if (!stem.empty())
        here.insert(stem);
      else if (!StringRef(each.name).ends_with(".a") && !StringRef(each.name).ends_with(".o"))
        continue;
      link("lib64/" + each.name, from);
    }
    taken.insert(here.begin(), here.end());
  }
  merge("lib64/stubs", stubs);
  addDevelopmentNames();
}

/// Adds the names that `-lcublas` finds: wheels have no `libcublas.so`, so it links to the
/// versioned file.
void Tree::addDevelopmentNames() {
  std::map<std::string, std::string> plain;
  for (auto it = entries.lower_bound("lib64/lib"); it != entries.end(); ++it) {
    StringRef file = it->first;
    if (!file.consume_front("lib64/") || file.contains('/'))
      continue;
    StringRef stem = stemOf(file);
    if (stem.empty())
      continue;
    std::string name = fmt::format("lib{}.so", stem);
    // Of `libX.so.12` and `libX.so.12.4.5.8` the shorter one is the SONAME.
    std::string &to = plain[name];
    if (to.empty() || file.size() < to.size())
      to = file.str();
  }
  for (auto &[name, to] : plain)
    if (name != to)
      link("lib64/" + name, to);
}

/// CUDA 13 wheels keep libnvvm among the other libraries, where nvlink does not look for it:
/// `-dlto` then fails with "library load error" (observed with 13.0 to 13.5).
void Tree::addNvvm(StringRef nvvm) {
  // For another machine than that of `lib64`, libnvvm is among ToolkitSources::links already.
  bool hasLibrary = entries.count("nvvm/lib64/libnvvm.so");
  for (const ListedName &each : list(nvvm)) {
    std::string inside = "nvvm/" + each.name, from = fmt::format("{}/{}", nvvm, each.name);
    if (each.name != "lib64") {
      link(inside, from);
      continue;
    }
    merge(inside, {from});
    hasLibrary |= entries.count("nvvm/lib64/libnvvm.so") != 0;
  }
  if (hasLibrary)
    return;
  for (auto it = entries.lower_bound("lib64/libnvvm.so"); it != entries.end(); ++it) {
    StringRef file = it->first;
    if (!file.consume_front("lib64/libnvvm.so"))
      break;
    link(fmt::format("nvvm/lib64/libnvvm.so{}", file),
         fmt::format("../../lib64/libnvvm.so{}", file));
  }
}

} // namespace

std::vector<TreeEntry> planToolkitTree(const ToolkitSources &sources,
                                       llvm::ArrayRef<std::string> ours, Lister list) {
  Tree tree(list);
  for (const auto &[inside, path] : sources.links)
    tree.link(inside, path);
  if (!sources.profile.empty())
    tree.file("bin/nvcc.profile", sources.profile);
  tree.merge("bin", sources.bin, std::set<std::string>(ours.begin(), ours.end()));
  tree.merge("include", sources.include);
  tree.addLibraries(sources.libraries);
  if (!sources.nvvm.empty())
    tree.addNvvm(sources.nvvm);
  tree.link("lib", "lib64");
  for (const std::string &name : sources.targets) {
    tree.link(fmt::format("targets/{}/include", name), "../../include");
    tree.link(fmt::format("targets/{}/lib", name), "../../lib64");
  }
  if (!sources.version.empty()) {
    tree.file("version.txt", fmt::format("CUDA Version {}\n", sources.version));
    tree.file(
        "version.json",
        fmt::format(
            "{{\n  \"cuda\": {{\n    \"name\": \"CUDA SDK\",\n    \"version\": \"{}\"\n  }}\n}}\n",
            sources.version));
  }
  return tree.take();
}

void addLaunched(StringRef driver, std::vector<TreeEntry> &entries) {
  StringRef nvcc = core::ToolchainDirectory::launchedNvcc;
  std::string folder = nvcc.take_front(nvcc.rfind('/') + 1).str();
  std::set<std::string> names;
  for (const TreeEntry &entry : entries)
    if (StringRef inside = entry.path; inside.consume_front("bin/"))
      names.insert(inside.take_until([](char c) { return c == '/'; }).str());
  for (const std::string &name : names)
    entries.push_back({folder + name, "../bin/" + name});
  entries.push_back({nvcc.str(), driver.str()});
}

} // namespace cudacc::plan
