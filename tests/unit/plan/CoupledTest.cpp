// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/Coupled.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>
#include <set>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// The wheels of cuTensorNet for CUDA 12 and their dependencies.
Target coupledTarget() {
  Target target;
  target.declared = true;
  auto add = [&](const char *soname, const char *dist, const char *version, const char *folder) {
    TargetLibrary &row = target.libraries.emplace_back();
    row.soname = soname;
    row.dist = dist;
    row.version = *Version::parse(version);
    row.folder = folder;
  };
  add("libcublas.so.12", "nvidia-cublas-cu12", "12.9.1.4", "nvidia/cublas/lib");
  add("libcublasLt.so.12", "nvidia-cublas-cu12", "12.9.1.4", "nvidia/cublas/lib");
  add("libcudart.so.12", "nvidia-cuda-runtime-cu12", "12.9.79", "nvidia/cuda_runtime/lib");
  add("libcusolver.so.11", "nvidia-cusolver-cu12", "11.6.1.9", "nvidia/cusolver/lib");
  add("libcusparse.so.12", "nvidia-cusparse-cu12", "12.5.1.3", "nvidia/cusparse/lib");
  add("libcutensor.so.2", "cutensor-cu12", "2.8.1", "cutensor/lib");
  add("libcutensornet.so.2", "cutensornet-cu12", "2.14.0", "cuquantum/lib");
  add("libnvJitLink.so.12", "nvidia-nvjitlink-cu12", "12.5.82", "nvidia/nvjitlink/lib");
  return target;
}

std::vector<std::string> coupledNames(const Target &target, const char *soname) {
  std::vector<std::string> names;
  for (const TargetLibrary *row : plan::coupledTo(target, *target.find(soname)))
    names.push_back(row->soname);
  return names;
}

} // namespace

// RP-12: each library of the chain has its own RUNPATH, which LD_LIBRARY_PATH overrides.
TEST(Coupled, theWholeChain) { // RP-12
  Target target = coupledTarget();
  auto names = coupledNames(target, "libcutensornet.so.2");
  for (const char *each : {"libcutensor.so.2", "libcublas.so.12", "libcusolver.so.11",
                           "libcublasLt.so.12", "libcusparse.so.12", "libnvJitLink.so.12"})
    EXPECT_THAT(names, Contains(each));
  EXPECT_EQ(names.size(), 6u) << "each once, and not itself";
  EXPECT_THAT(coupledNames(target, "libcublas.so.12"), ElementsAre("libcublasLt.so.12"));
  EXPECT_THAT(coupledNames(target, "libcudart.so.12"), IsEmpty());
}

TEST(Coupled, foldersOfTheWholeChain) { // RP-12
  Target target = coupledTarget();
  const TargetLibrary *rows[] = {target.find("libcutensornet.so.2")};
  auto folders = plan::foldersOf(target, rows);
  EXPECT_EQ(folders.front(), "cuquantum/lib");
  EXPECT_THAT(folders, Contains("nvidia/nvjitlink/lib"));
  EXPECT_THAT(folders, Contains("nvidia/cusparse/lib"));
  EXPECT_THAT(folders, testing::Not(Contains("nvidia/cuda_runtime/lib")));
}

namespace {
/// A link of libraries given by their SONAMEs, each behind the words in front of it.
struct CoupledLink {
  Invocation call;
  std::vector<LinkedLibrary> libraries;
  std::vector<plan::CoupledLibrary> coupled = {
      {"libcublas.so.12", "", {"libcutensornet.so.2"}},
      {"libcublasLt.so.12", "", {"libcutensornet.so.2", "libcublas.so.12"}},
      {"libnvJitLink.so.12", "", {"libcusparse.so.12"}}};
  std::set<std::string> used;

  CoupledLink(std::vector<llvm::StringRef> words) {
    for (llvm::StringRef word : words) {
      llvm::StringRef name = word.starts_with("-Wl,") ? word.rsplit(',').second : word;
      if (name.starts_with("lib")) {
        LinkedLibrary &library = libraries.emplace_back();
        library.soname = name;
        library.word = call.words.size();
      }
      call.words.push_back({word});
    }
  }
  std::vector<std::string> unserved(std::vector<std::string> needed) {
    BinaryFacts output;
    output.needed = std::move(needed);
    auto isUsed = [&](const plan::CoupledLibrary &each) { return used.count(each.soname) != 0; };
    return plan::unservedIn(output, call, libraries, coupled, isUsed);
  }
};
} // namespace

TEST(Coupled, entriesOfWhatTheLinkerDroppedServeNothing) { // RP-5
  CoupledLink line({"libcublas.so.12"});
  EXPECT_THAT(line.unserved({"libcublas.so.12", "libcublasLt.so.12", "libc.so.6"}),
              ElementsAre("libcublas.so.12", "libcublasLt.so.12"))
      << "nothing NEEDs the libcublas that cuTensorNet would have brought";
  EXPECT_THAT(line.unserved({"libcutensornet.so.2", "libcublas.so.12", "libcublasLt.so.12"}),
              IsEmpty());
  EXPECT_THAT(line.unserved({"libnvJitLink.so.12", "libc.so.6"}),
              ElementsAre("libnvJitLink.so.12"));
  EXPECT_THAT(line.unserved({"libcusparse.so.12", "libnvJitLink.so.12"}), IsEmpty());
  EXPECT_THAT(line.unserved({"libc.so.6"}), IsEmpty());
  line.used = {"libcublas.so.12"};
  EXPECT_THAT(line.unserved({"libcublas.so.12", "libcublasLt.so.12", "libnvJitLink.so.12"}),
              ElementsAre("libnvJitLink.so.12"))
      << "what is used brings what it is coupled to";
}

TEST(Coupled, entriesOfTheCallersLineStay) { // RP-5
  auto unserved = [](std::vector<llvm::StringRef> words) {
    return CoupledLink(std::move(words)).unserved({"libnvJitLink.so.12"});
  };
  auto drops = ElementsAre("libnvJitLink.so.12");
  EXPECT_THAT(unserved({"libnvJitLink.so.12"}), drops) << "dropped as libcusparse was";
  EXPECT_THAT(unserved({"-Wl,--as-needed", "libnvJitLink.so.12"}), drops);
  EXPECT_THAT(unserved({"-Xlinker", "-as-needed", "libnvJitLink.so.12"}), drops);
  EXPECT_THAT(unserved({"libnvJitLink.so.12", "-Wl,--as-needed"}), IsEmpty()) << "by default";
  EXPECT_THAT(unserved({"-Wl,--as-needed,--no-as-needed", "libnvJitLink.so.12"}), IsEmpty());
  EXPECT_THAT(unserved({"-Wl,--as-needed,@more", "libnvJitLink.so.12"}), IsEmpty()) << "unknown";
  EXPECT_THAT(unserved({"-Wl,--as-needed,--push-state,--no-as-needed,libnvJitLink.so.12"}),
              IsEmpty());
  EXPECT_THAT(unserved({"-Wl,--as-needed,--push-state,--no-as-needed", "-Wl,--pop-state",
                        "libnvJitLink.so.12"}),
              drops);
}
