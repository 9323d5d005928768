// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/resolve/Resolve.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct Locked {
  LockReading lock;

  Locked() { lock.shown = "uv.lock"; }
  Locked &has(const std::string &name, const std::string &version) {
    LockedPackage &package = lock.packages.emplace_back();
    package.name = name;
    package.text = version;
    package.version = Version::parse(version).value_or(Version{});
    package.file = "uv.lock";
    package.line = 10 * lock.packages.size();
    return *this;
  }
  Locked &conda(const std::string &name, const std::string &version) {
    has(name, version).lock.packages.back().conda = true;
    return *this;
  }
};

llvm::Expected<Target> ask(const Locked &locked, std::vector<const char *> runtime) {
  Declaration declaration;
  unsigned line = 3;
  for (const char *text : runtime)
    declaration.runtime.push_back({text, Origin{Origin::Kind::File, "cuda-cc.toml", line++, 1}});
  return resolve::resolve(
      declaration,
      [](llvm::StringRef) -> llvm::Expected<PythonEnvironment> { return PythonEnvironment{}; },
      [&](llvm::StringRef) -> llvm::Expected<LockReading> { return locked.lock; });
}

Target target(const Locked &locked, std::vector<const char *> runtime = {"lock:/w/uv.lock"}) {
  auto resolved = ask(locked, std::move(runtime));
  if (resolved)
    return std::move(*resolved);
  ADD_FAILURE() << toFinding(resolved.takeError()).message;
  return {};
}

Finding refusal(const Locked &locked, std::vector<const char *> runtime = {"lock:/w/uv.lock"}) {
  auto resolved = ask(locked, std::move(runtime));
  if (!resolved)
    return toFinding(resolved.takeError());
  ADD_FAILURE() << "was resolved to CUDA " << resolved->line.str();
  return {};
}

/// `12.4.127 (12.4): pinned in uv.lock:10`.
std::string lockedRow(const Target &target, llvm::StringRef soname) {
  const TargetLibrary *library = target.find(soname);
  return library ? library->version.str() + " (" + library->cuda.str() + "): " + library->origin
                 : "none";
}

std::vector<std::string> texts(const Finding &finding) {
  std::vector<std::string> all;
  for (const Fact &fact : finding.facts)
    all.push_back(fact.label + ": " + fact.text);
  return all;
}

} // namespace

TEST(ResolveLock, RowsAreWhatIsPinned) {
  Target got = target(Locked()
                          .has("nvidia-cuda-runtime-cu12", "12.4.127")
                          .has("nvidia-nvjitlink-cu12", "12.6.85")
                          .has("numpy", "1.26.4"));
  EXPECT_EQ(got.line, (CudaVersion{12, 4}));
  EXPECT_EQ(got.libraries.size(), 2u);
  EXPECT_EQ(lockedRow(got, "libcudart.so.12"), "12.4.127 (12.4): pinned in uv.lock:10");
  EXPECT_EQ(lockedRow(got, "libnvJitLink.so.12"), "12.6.85 (12.6): pinned in uv.lock:20");
  EXPECT_EQ(got.find("libnvJitLink.so.12")->folder, "nvidia/nvjitlink/lib");
  EXPECT_THAT(got.problems, IsEmpty());
  EXPECT_THAT(got.sitePackages, IsEmpty());
  EXPECT_THAT(got.portableAs, ElementsAre("cuda==12.4"));
  EXPECT_FALSE(got.driverFloor.empty());
}

TEST(ResolveLock, TorchGivesWhatTheLockLeavesOpen) {
  Target got = target(Locked().has("torch", "2.5.1").has("nvidia-nvjitlink-cu12", "12.6.85"));
  EXPECT_EQ(got.torch, "2.5.1+cu124");
  EXPECT_EQ(got.line, (CudaVersion{12, 4}));
  EXPECT_EQ(lockedRow(got, "libcudart.so.12"), "12.4.127 (12.4): pinned by torch 2.5.1+cu124");
  EXPECT_EQ(lockedRow(got, "libnvJitLink.so.12"), "12.6.85 (12.6): pinned in uv.lock:20");
  // No requirement of torch includes NPP, so no loader finds it.
  EXPECT_EQ(lockedRow(got, "libnppc.so.12"), "none");
  EXPECT_THAT(got.portableAs, ElementsAre("torch==2.5.1"));
}

TEST(ResolveLock, TheLabelSaysWhichBuild) {
  Target got = target(Locked().has("torch", "2.6.0+cu126"));
  EXPECT_EQ(got.torch, "2.6.0+cu126");
  EXPECT_EQ(got.line, (CudaVersion{12, 6}));
  EXPECT_EQ(refusal(Locked().has("torch", "2.6.0+cpu")).code, Code::UnknownRelease);
}

TEST(ResolveLock, LineIsTheRuntimesElseTorchsElseTheLowest) {
  EXPECT_EQ(target(Locked().has("torch", "2.5.1").has("nvidia-cuda-runtime-cu12", "12.6.77")).line,
            (CudaVersion{12, 6}));
  EXPECT_EQ(target(Locked()
                       .has("nvidia-nvjitlink-cu12", "12.6.85")
                       .has("nvidia-cuda-nvrtc-cu12", "12.4.127"))
                .line,
            (CudaVersion{12, 4}));
}

TEST(ResolveLock, CondaPackagesAreKnownByTheWheelsNames) {
  Target got = target(Locked()
                          .conda("cudnn", "9.1.0.70")
                          .conda("cuda-cudart", "12.4.127")
                          .conda("libnvjitlink", "12.4.127")
                          .conda("libcublas", "12.4.5.8")
                          .conda("libstdcxx-ng", "13.2.0"));
  EXPECT_EQ(got.line, (CudaVersion{12, 4}));
  EXPECT_EQ(lockedRow(got, "libcudart.so.12"), "12.4.127 (12.4): pinned in uv.lock:20");
  EXPECT_EQ(lockedRow(got, "libnvJitLink.so.12"), "12.4.127 (12.4): pinned in uv.lock:30");
  EXPECT_EQ(lockedRow(got, "libcublasLt.so.12"), "12.4.5.8 (12.4): pinned in uv.lock:40");
  EXPECT_THAT(lockedRow(got, "libcudnn.so.9"), HasSubstr("pinned in uv.lock:10"));
  EXPECT_EQ(got.find("libcudart.so.12")->folder, "");
}

TEST(ResolveLock, TwoVersionsOfOnePackageAreNoGuess) {
  Target got = target(Locked()
                          .has("nvidia-cuda-runtime-cu12", "12.4.127")
                          .has("nvidia-nvjitlink-cu12", "12.4.127")
                          .has("nvidia-nvjitlink-cu12", "12.6.85"));
  EXPECT_EQ(lockedRow(got, "libnvJitLink.so.12"), " (unknown): pinned in uv.lock:20");
  ASSERT_EQ(got.problems.size(), 1u);
  EXPECT_EQ(got.problems[0].severity, Severity::Error);
  EXPECT_EQ(got.problems[0].library, "libnvJitLink.so.12");
  EXPECT_THAT(texts(got.problems[0]),
              Contains("pinned: nvidia-nvjitlink-cu12 12.6.85 in uv.lock:30"));

  Finding runtimes = refusal(Locked()
                                 .has("nvidia-cuda-runtime-cu12", "12.4.127")
                                 .has("nvidia-cuda-runtime-cu12", "12.6.77"));
  EXPECT_EQ(runtimes.code, Code::EvidenceConflict);
  Finding torches = refusal(Locked().has("torch", "2.5.1").has("torch", "2.6.0"));
  EXPECT_EQ(torches.code, Code::EvidenceConflict);
  EXPECT_THAT(texts(torches), Contains("pinned: torch 2.6.0 in uv.lock:20"));
}

TEST(ResolveLock, SeveralMajorsNeedAWord) {
  Locked both =
      Locked().has("nvidia-cuda-runtime-cu12", "12.4.127").has("nvidia-cuda-runtime", "13.0.96");
  EXPECT_EQ(refusal(both).code, Code::EvidenceConflict);
  EXPECT_EQ(target(both, {"lock:/w/uv.lock", "cuda==12.*"}).line, (CudaVersion{12, 4}));
}

TEST(ResolveLock, ALockWithoutCudaIsNamed) {
  Finding none = refusal(Locked().has("numpy", "1.26.4"));
  EXPECT_EQ(none.code, Code::UnknownRelease);
  EXPECT_EQ(none.message, "the lock pins no CUDA runtime");
  EXPECT_THAT(texts(none), Contains("declared: lock:/w/uv.lock in cuda-cc.toml:3"));
  EXPECT_THAT(texts(refusal(Locked().has("torch", "99.0"))),
              Contains("found: torch 99.0 in uv.lock:10, whose CUDA is not known"));
  // If a lock does not pin CUDA, only the other requirement is used.
  EXPECT_EQ(target(Locked().has("numpy", "1.26.4"), {"lock:/w/uv.lock", "cuda==12.4"}).line,
            (CudaVersion{12, 4}));
}

TEST(ResolveLock, EverythingDeclaredMustHold) {
  Locked lock = Locked().has("torch", "2.5.1").has("nvidia-cuda-runtime-cu12", "12.4.127");
  EXPECT_EQ(target(lock, {"lock:/w/uv.lock", "torch>=2.5", "cuda==12.4"}).torch, "2.5.1+cu124");
  EXPECT_EQ(refusal(lock, {"lock:/w/uv.lock", "torch==2.6.0"}).code, Code::Constraint);
  EXPECT_EQ(refusal(lock, {"lock:/w/uv.lock", "cuda==12.6"}).message,
            "the lock has CUDA 12.4, not what is declared");
  EXPECT_EQ(refusal(lock, {"lock:/w/uv.lock", "lock:/w/b.txt"}).code, Code::BadRequirement);
  EXPECT_EQ(refusal(lock, {"env:/w/.venv", "lock:/w/uv.lock"}).code, Code::BadRequirement);
  EXPECT_EQ(refusal(lock, {"lock:"}).code, Code::BadRequirement);
}

TEST(ResolveLock, ReadErrorsNameTheDeclaration) {
  Declaration declaration;
  declaration.runtime.push_back(
      {"lock:/w/uv.lock", Origin{Origin::Kind::File, "cuda-cc.toml", 3, 1}});
  auto refused = resolve::resolve(
      declaration,
      [](llvm::StringRef) -> llvm::Expected<PythonEnvironment> { return PythonEnvironment{}; },
      [](llvm::StringRef) -> llvm::Expected<LockReading> {
        return makeError(Code::BrokenConfig, "uv.lock:7 is not valid TOML");
      });
  ASSERT_FALSE(bool(refused));
  Finding finding = toFinding(refused.takeError());
  EXPECT_EQ(finding.code, Code::BrokenConfig);
  EXPECT_EQ(finding.origin, "cuda-cc.toml:3");
  EXPECT_THAT(texts(finding), ElementsAre("declared: lock:/w/uv.lock in cuda-cc.toml:3"));
  auto unread = resolve::resolve(declaration);
  ASSERT_FALSE(bool(unread));
  EXPECT_EQ(toFinding(unread.takeError()).code, Code::BadRequirement);
}

TEST(ResolveLock, OtherFrameworksAreTheLockedRelease) {
  Locked locked = Locked().has("nvidia-cuda-runtime-cu12", "12.4.127").has("jax", "0.4.35");
  EXPECT_EQ(target(locked, {"lock:/w/uv.lock", "jax[cuda12]==0.4.35"}).line.str(), "12.4");
  Finding other = refusal(locked, {"lock:/w/uv.lock", "jax[cuda12]==0.5.0"});
  EXPECT_EQ(other.code, Code::Constraint);
  EXPECT_EQ(other.message, "the lock has jax 0.4.35, not what is declared");
  EXPECT_EQ(refusal(locked, {"lock:/w/uv.lock", "vllm==0.9.0"}).message,
            "the lock has no vllm, not what is declared");
  EXPECT_EQ(refusal(locked.has("jax", "0.5.0"), {"lock:/w/uv.lock", "jax[cuda12]==0.4.35"}).code,
            Code::EvidenceConflict);
}

// A lock of torch alone: PyPI's wheel of 2.5.1 has CUDA for x86_64, 2.11.0's for aarch64 too.
TEST(ResolveLock, TheWheelOfTheMachineCounts) {
  Locked locked;
  locked.has("torch", "2.5.1");
  locked.lock.machine = "x86_64";
  EXPECT_EQ(target(locked).line, (CudaVersion{12, 4}));
  locked.lock.machine = "aarch64";
  Finding finding = refusal(locked);
  EXPECT_EQ(finding.code, Code::UnknownRelease);
  EXPECT_THAT(texts(finding),
              Contains("found: torch 2.5.1 in uv.lock:10, whose wheel for aarch64 has no CUDA"));
  Locked labelled;
  labelled.has("torch", "2.5.1+cu124").lock.machine = "aarch64";
  EXPECT_EQ(target(labelled).line, (CudaVersion{12, 4}));
  Locked newer;
  newer.has("torch", "2.11.0").lock.machine = "aarch64";
  EXPECT_EQ(target(newer).line, (CudaVersion{13, 0}));
  // NVIDIA's wheels in the lock determine their own versions.
  Locked both;
  both.has("torch", "2.5.1").has("nvidia-cuda-runtime-cu12", "12.4.127").lock.machine = "aarch64";
  EXPECT_EQ(target(both).line, (CudaVersion{12, 4}));
}
