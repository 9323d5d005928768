// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/resolve/Resolve.h"
#include "driver/resolve/Runtimes.h"
#include "tests/unit/tables/UserTablesFile.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using testing::Contains;
using testing::HasSubstr;

namespace {

/// Targets with the releases of a facts file added to those of the tables (F16).
struct ResolveFacts : testing::Test {
  tables::UserTables more = read(test::userTablesFile);
  PythonEnvironment environment;
  LockReading lock;

  static tables::UserTables read(const std::string &text) {
    auto read = tables::readUserTables(text, "more.json");
    if (read)
      return std::move(*read);
    ADD_FAILURE() << toFinding(read.takeError()).message;
    return {};
  }
  llvm::Expected<Target> ask(std::initializer_list<const char *> runtime, bool with = true) {
    Declaration declaration;
    unsigned line = 3;
    for (const char *text : runtime)
      declaration.runtime.push_back({text, Origin{Origin::Kind::File, "cuda-cc.toml", line++, 1}});
    return resolve::resolve(
        declaration,
        [&](llvm::StringRef) -> llvm::Expected<PythonEnvironment> { return environment; },
        [&](llvm::StringRef) -> llvm::Expected<LockReading> { return lock; },
        with ? &more : nullptr);
  }
  Target target(std::initializer_list<const char *> runtime, bool with = true) {
    auto resolved = ask(runtime, with);
    if (resolved)
      return std::move(*resolved);
    ADD_FAILURE() << toFinding(resolved.takeError()).message;
    return {};
  }
  Finding refusal(std::initializer_list<const char *> runtime, bool with = true) {
    auto resolved = ask(runtime, with);
    if (!resolved)
      return toFinding(resolved.takeError());
    ADD_FAILURE() << "resolved to CUDA " << resolved->line.str();
    return {};
  }
  void has(const char *dist, const char *version, const char *folder, const char *soname) {
    std::string path = std::string("/w/.venv/") + folder + "/" + soname;
    environment.prefix = "/w/.venv";
    environment.libraries.push_back(
        {soname, path, folder, dist, version, std::string(dist) + ".dist-info", false});
  }
  void pins(const char *name, const char *version) {
    LockedPackage &package = lock.packages.emplace_back();
    package.name = name;
    package.text = version;
    package.version = Version::parse(version).value_or(Version{});
    package.file = "uv.lock";
    package.line = 10;
  }
  static std::string row(const Target &target, const char *soname) {
    const TargetLibrary *library = target.find(soname);
    return library
               ? library->version.str() + ", CUDA " + library->cuda.str() + ", " + library->origin
               : "";
  }
};

} // namespace

TEST_F(ResolveFacts, ANewReleaseOfTorchIsItsPins) {
  Target torch = target({"torch==9.9.0"});
  EXPECT_EQ(torch.line.str(), "13.6");
  EXPECT_EQ(torch.release, "13.6.1");
  EXPECT_EQ(torch.torch, "9.9.0");
  EXPECT_EQ(row(torch, "libcublas.so.13"), "13.11.1.2, CUDA 13.6, pinned by torch 9.9.0");
  EXPECT_EQ(row(torch, "libnvJitLink.so.13"),
            "13.6.40, CUDA 13.6, floats in torch 9.9.0, floor (secondary source)");
  EXPECT_EQ(row(torch, "libcudart.so.13"), "13.6.40, CUDA 13.6, floor of CUDA 13.6");
  EXPECT_EQ(torch.find("libcublas.so.13")->folder, "nvidia/cu13/lib");
  EXPECT_EQ(torch.portableAs, std::vector<std::string>{"torch==9.9.0"});
  Finding unknown = refusal({"torch==9.9.0"}, false);
  EXPECT_EQ(unknown.code, Code::UnknownRelease);
}

TEST_F(ResolveFacts, ItsOtherLinesAreKnownByName) {
  EXPECT_EQ(target({"torch==9.9.0+cu132"}).line.str(), "13.2");
  Finding unknown = refusal({"torch==9.9.0+cu130"});
  EXPECT_EQ(unknown.code, Code::UnknownRelease);
  EXPECT_THAT(unknown.fixes, Contains("torch==9.9.0+cu136"));
}

TEST_F(ResolveFacts, RangesReachIntoIt) {
  Target range = target({"torch>=2.15"});
  EXPECT_EQ(range.line.str(), "13.2");
  EXPECT_THAT(row(range, "libcublas.so.13"), HasSubstr("pinned by torch 2.15.0"));
  EXPECT_EQ(target({"torch>=9"}).line.str(), "13.6");
  Finding newer = refusal({"torch>=9"}, false), older = refusal({"torch==2.5.9"});
  EXPECT_EQ(newer.code, Code::UnknownRelease);
  EXPECT_THAT(newer.fixes, Contains(HasSubstr("cuda-cc-facts")));
  EXPECT_THAT(older.fixes, testing::Not(Contains(HasSubstr("cuda-cc-facts"))));
  // cuDNN of the new release is newer by its number, though no table has that version.
  EXPECT_THAT(row(range, "libcudnn.so.9"), HasSubstr("pinned by torch 2.15.0"));
}

TEST_F(ResolveFacts, ANewLineOfCuda) {
  Target cuda = target({"cuda==13.6"});
  EXPECT_EQ(row(cuda, "libcudart.so.13"), "13.6.40, CUDA 13.6, floor of CUDA 13.6");
  EXPECT_EQ(target({"cuda==13.6.1"}).release, "13.6.1");
  EXPECT_EQ(target({"cuda>=13.6"}).line.str(), "13.6");
  EXPECT_EQ(target({"cuda>=12.4,<13"}).line.str(), "12.4");
  Finding unknown = refusal({"cuda==13.7"});
  EXPECT_EQ(unknown.code, Code::UnknownRelease);
  EXPECT_EQ(unknown.facts.back().text, fmt::format("of {}", tables::dataRelease()));
  EXPECT_THAT(unknown.facts.end()[-2].text, HasSubstr("13.5, 13.6"));
  EXPECT_THAT(unknown.fixes, Contains(HasSubstr("cuda-cc-facts")));
  EXPECT_EQ(refusal({"cuda==13.6"}, false).code, Code::UnknownRelease);
}

TEST_F(ResolveFacts, RequirementsHoldTogether) {
  EXPECT_EQ(target({"torch==9.9.0", "cuda>=13.6"}).line.str(), "13.6");
  EXPECT_EQ(refusal({"torch==9.9.0", "cuda<13.6"}).code, Code::Constraint);
}

TEST_F(ResolveFacts, WhatIsInstalledHasItsLine) {
  has("nvidia-cusparse", "12.10.0.1", "nvidia/cu13/lib", "libcusparse.so.12");
  EXPECT_EQ(target({"env:/w/.venv"}).line.str(), "13.6");
  EXPECT_EQ(row(target({"env:/w/.venv"}), "libcusparse.so.12"),
            "12.10.0.1, CUDA 13.6, installed in .venv");
  // A version alone determines nothing if no row has it.
  EXPECT_EQ(refusal({"env:/w/.venv"}, false).severity, Severity::Error);
  has("nvidia-cuda-runtime", "13.6.40", "nvidia/cu13/lib", "libcudart.so.13");
  EXPECT_EQ(target({"env:/w/.venv"}).release, "13.6.1");
  EXPECT_EQ(target({"env:/w/.venv"}, false).release, "");
}

TEST_F(ResolveFacts, WhatALockPinsHasItsLine) {
  pins("nvidia-cusparse", "12.10.0.1");
  EXPECT_EQ(target({"lock:/w/uv.lock"}).line.str(), "13.6");
  pins("torch", "9.9.0");
  Target torch = target({"lock:/w/uv.lock"});
  EXPECT_EQ(torch.torch, "9.9.0+cu136");
  EXPECT_EQ(row(torch, "libcublas.so.13"), "13.11.1.2, CUDA 13.6, pinned by torch 9.9.0+cu136");
  EXPECT_EQ(torch.portableAs, std::vector<std::string>{"torch==9.9.0"});
}

TEST_F(ResolveFacts, AreAmongAllRuntimes) {
  EXPECT_THAT(resolve::knownRuntimes(&more), Contains("torch==9.9.0"));
  EXPECT_THAT(resolve::knownRuntimes(&more), Contains("cuda==13.6"));
  EXPECT_EQ(resolve::knownRuntimes(&more).size(), resolve::knownRuntimes().size() + 2);
}
