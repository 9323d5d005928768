// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/loader/search/Loader.h"
#include <list>
#include <map>

namespace cudacc::test {

/// A process and a disk without files.
struct FakeTree : loader::Tree {
  std::list<core::BinaryFacts> kept;
  std::map<std::string, loader::Candidate> files;
  std::map<std::string, std::string> cache;
  loader::Situation situation;
  std::vector<std::string> tried;
  uint64_t lastInode = 0;

  FakeTree() { situation.hwcaps.clear(); }
  FakeTree(const FakeTree &) = delete;

  struct Shape {
    std::vector<std::string> needed;
    /// Separated by colons; std::nullopt: no tag.
    std::optional<std::string> rpath, runpath;
    /// std::nullopt: the file's name.
    std::optional<std::string> soname;
  };

  static std::vector<std::string> split(llvm::StringRef text) {
    std::vector<std::string> result;
    if (!text.empty())
      for (llvm::StringRef element : llvm::split(text, ':'))
        result.push_back(element.str());
    return result;
  }

  core::BinaryFacts &add(const std::string &path, const Shape &shape = {}) {
    core::BinaryFacts &facts = kept.emplace_back();
    facts.path = path;
    facts.kind = core::BinaryKind::SharedObject;
    facts.soname = shape.soname.value_or(llvm::StringRef(path).rsplit('/').second.str());
    facts.needed = shape.needed;
    facts.hasRpath = shape.rpath.has_value();
    facts.hasRunpath = shape.runpath.has_value();
    facts.rpath = split(shape.rpath.value_or(""));
    facts.runpath = split(shape.runpath.value_or(""));
    loader::Candidate candidate;
    candidate.kind = loader::Candidate::Kind::Good;
    candidate.facts = &facts;
    candidate.device = 1;
    candidate.inode = ++lastInode;
    files[path] = candidate;
    return facts;
  }

  void put(const std::string &path, loader::Candidate::Kind kind, std::string reason = {}) {
    loader::Candidate candidate;
    candidate.kind = kind;
    candidate.reason = std::move(reason);
    files[path] = candidate;
  }

  /// A second name of the same file.
  void link(const std::string &path, const std::string &target) { files[path] = files.at(target); }

  loader::Candidate open(llvm::StringRef path, uint16_t) override {
    tried.push_back(path.str());
    auto found = files.find(normal(path));
    return found == files.end() ? loader::Candidate{} : found->second;
  }

  static std::string normal(llvm::StringRef path) {
    std::vector<llvm::StringRef> kept;
    for (llvm::StringRef part : llvm::split(path, '/'))
      if (part == "..")
        kept.pop_back();
      else if (!part.empty() && part != ".")
        kept.push_back(part);
    return "/" + llvm::join(kept, "/");
  }

  std::optional<std::string> cached(llvm::StringRef name, uint16_t) override {
    auto found = cache.find(name.str());
    return found == cache.end() ? std::nullopt : std::optional(found->second);
  }

  versions::Exported exported(llvm::StringRef, llvm::StringRef, llvm::StringRef) override {
    return versions::Exported::Unknown;
  }
  std::optional<bool> versioned(llvm::StringRef) override { return std::nullopt; }
  std::vector<core::VersionNeed> versionNeeds(llvm::StringRef) override { return {}; }
  std::optional<std::vector<loader::Bound>> order(llvm::StringRef,
                                                  llvm::ArrayRef<llvm::StringRef>) override {
    return std::nullopt;
  }

  core::LoadResult load(llvm::StringRef path) { return loader::load(path, situation, *this); }
  core::LoadResult start(llvm::ArrayRef<std::string> preload = {}) {
    return loader::start(situation, *this, preload);
  }
  /// Loads it, and continues in the process that has loaded it.
  core::LoadResult enter(llvm::StringRef path) {
    core::LoadResult result = load(path);
    situation = loader::after(std::move(situation), result, *this);
    return result;
  }

  /// Normalized path of the object that satisfies a name, or the failure.
  std::string serves(llvm::StringRef name, const core::LoadResult &result) {
    if (!result.ok())
      return result.failure;
    std::string path;
    for (const core::LoadStep &step : result.steps)
      if (step.name == name && path.empty())
        path = normal(step.path);
    return path;
  }
};

} // namespace cudacc::test
