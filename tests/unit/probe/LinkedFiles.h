// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/probe/host/Libraries.h"
#include "driver/tables/lookup/UserTables.h"
#include "tests/support/MemoryFiles.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>

namespace cudacc::test {

using namespace core;
using namespace versions;

/// A link line and the files around it.
struct Libraries : testing::Test {
  MemoryFiles files;
  Invocation call;
  std::vector<std::string> variables = {"HOME=/home/u"};
  std::optional<Toolkit> toolkit;
  std::optional<HostCompiler> host;
  std::map<std::string, std::string> sonames;
  std::map<std::string, std::vector<std::string>> needs;
  std::map<std::string, CudaVersion> suffixes;
  std::string site = "/venv/lib/python3.11/site-packages";
  std::vector<std::string> behind;
  /// Paths of another machine's files.
  std::vector<std::string> foreign;
  const tables::UserTables *more = nullptr;

  Libraries() {
    call.dialect = Dialect::Gcc;
    call.kind = CallKind::Link;
  }
  Libraries &l(llvm::StringRef name) {
    call.linkInputs.push_back({LinkInput::Kind::Library, name, uint32_t(call.linkInputs.size())});
    return *this;
  }
  Libraries &input(llvm::StringRef path) {
    call.linkInputs.push_back({LinkInput::Kind::File, path, uint32_t(call.linkInputs.size())});
    return *this;
  }
  /// A wheel's file, and the RECORD that lists it.
  void wheel(const std::string &dist, const std::string &relative) {
    files.file(site + "/" + relative, "elf");
    std::string record = site + "/" + dist + ".dist-info/RECORD";
    auto *node = files.node(record);
    files.file(record, (node ? node->content : "") + relative + ",sha256=x,1\n");
  }
  void cudaH(const std::string &folder, unsigned value) {
    files.file(folder + "/cuda.h", "#define CUDA_VERSION " + std::to_string(value) + "\n");
  }
  std::vector<LinkedLibrary> find() {
    Environment env;
    for (const std::string &entry : variables)
      env.entries.push_back(entry);
    auto namesOf = [&](llvm::StringRef path) {
      auto it = sonames.find(path.str());
      return probe::LibraryNames{it == sonames.end() ? std::string() : it->second,
                                 needs[path.str()]};
    };
    auto suffixOf = [&](llvm::StringRef path) { return suffixes[path.str()]; };
    auto fits = [&](llvm::StringRef path) { return !llvm::is_contained(foreign, path.str()); };
    return probe::findLibraries(call, toolkit ? &*toolkit : nullptr, host ? &*host : nullptr, env,
                                files, {namesOf, suffixOf, fits, behind, more});
  }
  LinkedLibrary one() {
    auto all = find();
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? LinkedLibrary{} : all[0];
  }
  std::vector<std::string> paths() {
    std::vector<std::string> all;
    for (const LinkedLibrary &library : find())
      all.push_back(library.spelled + " " + library.path + (library.byPathOnly ? " by path" : ""));
    return all;
  }
};

} // namespace cudacc::test
