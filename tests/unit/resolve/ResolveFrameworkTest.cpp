// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/resolve/Resolve.h"
#include "tests/unit/resolve/Resolving.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using test::factOf;
using test::refusal;
using test::target;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

/// `>=12.1.105, CUDA 12.1, floats in jax 0.4.35, floor`; empty: no such row.
std::string frameworkRow(const Target &target, const char *soname) {
  const TargetLibrary *library = target.find(soname);
  if (!library)
    return "";
  return (library->floats ? ">=" : "") + library->version.str() + ", CUDA " + library->cuda.str() +
         ", " + library->origin;
}

} // namespace

TEST(ResolveFramework, JaxStatesFloors) {
  Target jax = target({"jax[cuda12]==0.4.35"});
  EXPECT_TRUE(jax.declared);
  EXPECT_EQ(jax.line.str(), "12.1");
  EXPECT_EQ(jax.driverFloor, "525.60.13");
  EXPECT_EQ(jax.torch, "");
  EXPECT_EQ(frameworkRow(jax, "libnvJitLink.so.12"),
            ">=12.1.105, CUDA 12.1, floats in jax 0.4.35, floor");
  // 9.1 is not a release: the oldest wheel that satisfies >=9.1,<10.0 is the minimum.
  EXPECT_EQ(frameworkRow(jax, "libcudnn.so.9"),
            ">=9.1.0.70, CUDA unknown, floats in jax 0.4.35, floor");
  EXPECT_EQ(frameworkRow(jax, "libnppc.so.12"), "12.0.2.50, CUDA 12.1, floor of CUDA 12.1");
  EXPECT_EQ(jax.find("libcudart.so.13"), nullptr);
}

TEST(ResolveFramework, TheExtraChoosesTheMajor) {
  EXPECT_EQ(target({"jax[cuda12]==0.7.2"}).line.str(), "12.1");
  Target next = target({"jax[cuda13]==0.7.2"});
  EXPECT_EQ(next.line.str(), "13.0");
  EXPECT_EQ(frameworkRow(next, "libcublas.so.13"),
            ">=13.0.0.19, CUDA 13.0, floats in jax 0.7.2, floor");
  EXPECT_EQ(target({"jax[k8s, cuda12]==0.4.35"}).line.str(), "12.1");
  EXPECT_EQ(target({"jax-cuda12-plugin[with-cuda]==0.4.35"}).line.str(), "12.1");
}

TEST(ResolveFramework, WithoutItsExtraItBringsNoCuda) {
  struct {
    const char *text, *fix;
  } cases[] = {
      {"jax==0.4.35", "write jax[cuda12]==0.4.35 or jax[cuda13]==0.4.35"},
      {"jax[cuda12-local]==0.4.35", "write jax[cuda12]==0.4.35 or jax[cuda13]==0.4.35"},
      {"jax[cuda12,cuda13]==0.8.0", "write jax[cuda12]==0.8.0 or jax[cuda13]==0.8.0"},
      {"tensorflow==2.18.0", "write tensorflow[and-cuda]==2.18.0"},
      {"tensorflow[cuda]==2.18.0", "write tensorflow[and-cuda]==2.18.0"},
      {"onnxruntime-gpu[cuda]==1.23.0", "write onnxruntime-gpu[cuda,cudnn]==1.23.0"},
      {"jax[cuda12]", "write jax[cuda12]==0.12.0.1"},
      {"vllm", "write vllm==0.33.0"},
      {"jax 0.4.35", "write jax[cuda12]==0.4.35"},
      {"vllm 0.9.0", "write vllm==0.9.0"},
      {"cupy==13.2", "write cupy-cuda12x"},
      {"vlm==0.9.0", "did you mean vllm==0.9.0?"},
  };
  for (auto &each : cases) {
    Finding finding = refusal({each.text});
    EXPECT_EQ(finding.code, Code::BadRequirement) << each.text;
    EXPECT_THAT(finding.fixes, ElementsAre(each.fix)) << each.text;
    EXPECT_EQ(finding.origin, "cuda-cc.toml:3");
  }
  EXPECT_THAT(refusal({"jax==0.4.35"}).message, HasSubstr("names no extra that requires CUDA"));
  EXPECT_THAT(refusal({"jax[cuda12,cuda13]==0.8.0"}).message, HasSubstr("two CUDA majors"));
}

TEST(ResolveFramework, TensorflowPinsExactly) {
  Target exact = target({"tensorflow[and-cuda]==2.18.0"});
  EXPECT_EQ(exact.line.str(), "12.5");
  EXPECT_EQ(exact.release, "12.5.1");
  EXPECT_EQ(frameworkRow(exact, "libcublas.so.12"),
            "12.5.3.2, CUDA 12.5, pinned by tensorflow 2.18.0");
  Target ranges = target({"tensorflow[and-cuda]==2.20.0"});
  EXPECT_EQ(ranges.line.str(), "12.5");
  EXPECT_EQ(ranges.release, "");
  EXPECT_EQ(frameworkRow(ranges, "libcublas.so.12"),
            ">=12.5.3.2, CUDA 12.5, floats in tensorflow 2.20.0, floor");
  EXPECT_EQ(target({"tensorflow[and-cuda]==2.14.1"}).line.str(), "11.8");
}

TEST(ResolveFramework, CupyIsARangeOfToolkits) {
  Target every = target({"cupy-cuda12x"});
  EXPECT_EQ(every.line.str(), "12.0");
  EXPECT_EQ(frameworkRow(every, "libnvrtc.so.12"),
            ">=12.0.76, CUDA 12.0, floats in cupy-cuda12x 13.2, floor of CUDA 12.0");
  EXPECT_EQ(target({"cupy-cuda13x==14.1.0"}).line.str(), "13.0");
  EXPECT_EQ(target({"cupy-cuda12x[ctk]==14.2.0"}).line.str(), "12.0");
  // No table has 11.2; a newer line is known.
  Finding finding = refusal({"cupy-cuda11x"});
  EXPECT_EQ(finding.code, Code::UnknownRelease);
  EXPECT_EQ(factOf(finding, "needs"), "CUDA 11.2 or newer");
  EXPECT_EQ(target({"cupy-cuda11x", "cuda==11.8"}).line.str(), "11.8");
}

TEST(ResolveFramework, RapidsThroughCudaToolkit) {
  Target cudf = target({"cudf-cu12==26.2.0"});
  EXPECT_EQ(cudf.line.str(), "12.2");
  EXPECT_EQ(frameworkRow(cudf, "libcublas.so.12"),
            ">=12.2.1.16, CUDA 12.2, floats in cudf-cu12 26.2.0, floor of CUDA 12.2");
  Target later = target({"libcudf-cu12==26.08"});
  EXPECT_EQ(later.line.str(), "12.0");
  EXPECT_THAT(frameworkRow(later, "libnvJitLink.so.12"), HasSubstr(">=12.9.41, CUDA 12.9"));
  EXPECT_EQ(frameworkRow(later, "libnvcomp.so.5"),
            "5.3.0.16, CUDA unknown, pinned by libcudf-cu12 26.8.0");
  EXPECT_EQ(frameworkRow(target({"cudf-cu13==26.10.0"}), "libnvJitLink.so.13").substr(0, 6),
            ">=13.3");
}

TEST(ResolveFramework, VllmHasWhatItsTorchHas) {
  Target vllm = target({"vllm==0.9.0"});
  EXPECT_EQ(vllm.line.str(), "12.6");
  EXPECT_EQ(vllm.release, "12.6.3");
  EXPECT_EQ(vllm.torch, "2.7.0");
  EXPECT_EQ(frameworkRow(vllm, "libcublas.so.12"),
            "12.6.4.1, CUDA 12.6, pinned by torch 2.7.0, which vllm 0.9.0 requires");
  EXPECT_EQ(target({"torch==2.7.0+cu128", "vllm==0.9.0"}).line.str(), "12.8");
  EXPECT_EQ(target({"torch-tensorrt==2.8.0"}).torch, "2.8.0");
  EXPECT_EQ(target({"bitsandbytes==0.49.2", "cuda<13"}).torch, ">=2.3.0,<=2.10.0");
  EXPECT_EQ(target({"bitsandbytes==0.49.2", "torch==2.5.1"}).line.str(), "12.4");
  Finding finding = refusal({"vllm==0.9.0", "torch==2.5.1"});
  EXPECT_EQ(finding.code, Code::Constraint);
  EXPECT_EQ(factOf(finding, "requires"),
            "vllm==0.9.0 in cuda-cc.toml:3, which is CUDA 12.6; torch==2.5.1 in cuda-cc.toml:4, "
            "which is CUDA 12.4");
}

TEST(ResolveFramework, NumbaOnnxAndPythonBindings) {
  EXPECT_EQ(target({"numba-cuda[cu13]==0.30.4"}).line.str(), "13.0");
  EXPECT_EQ(target({"onnxruntime-gpu[cuda,cudnn]==1.22.0"}).line.str(), "12.2");
  EXPECT_THAT(frameworkRow(target({"onnxruntime-gpu[cudnn,cuda]==1.31.1"}), "libcufft.so.12"),
              HasSubstr("floats in onnxruntime-gpu 1.31.1, floor"));
  EXPECT_EQ(target({"cuda-tile[tileiras]==1.7.0"}).line.str(), "13.2");
  EXPECT_EQ(target({"nvidia-cudss-cu12"}).line.str(), "12.0");
  EXPECT_EQ(frameworkRow(target({"nvmath-python[cu12]==1.0.0"}), "libcurand.so.10"),
            ">=10.3.1.50, CUDA 12.0, floats in nvmath-python 1.0.0, floor of CUDA 12.0");
}

TEST(ResolveFramework, RangeIsTheMinimumVersionOfEachLibrary) {
  Target range = target({"tensorflow[and-cuda]>=2.16,<2.20"});
  EXPECT_EQ(range.line.str(), "12.3");
  EXPECT_EQ(frameworkRow(range, "libcublas.so.12"),
            "12.3.4.1, CUDA 12.3, pinned by tensorflow 2.16.1");
  // 2.17 has cuDNN 8, 2.18 cuDNN 9.
  EXPECT_EQ(range.find("libcudnn.so.9"), nullptr);
  EXPECT_THAT(frameworkRow(target({"jax[cuda12]>=0.4.35,<0.7"}), "libcudnn.so.9"),
              HasSubstr(">=9.1.0.70, CUDA unknown, floats in jax 0.4.35"));
}

// F13
TEST(ResolveFramework, RangeOverTwoMajorsNamesTheSplit) {
  Finding finding = refusal({"tensorflow[and-cuda]>=2.14,<2.17"});
  EXPECT_EQ(finding.code, Code::SpansMajors);
  EXPECT_EQ(factOf(finding, "splits at"), "tensorflow 2.15.0 (CUDA 12.2)");
  EXPECT_THAT(finding.fixes, ElementsAre("tensorflow[and-cuda]>=2.14,<2.15.0",
                                         "tensorflow[and-cuda]>=2.15.0,<2.17",
                                         HasSubstr("cuda-cc matrix --runtime 'tensorflow")));
  // Built for CUDA 12, it allows any torch.
  Finding open = refusal({"xformers==0.0.35"});
  EXPECT_EQ(open.code, Code::SpansMajors);
  EXPECT_EQ(factOf(open, "splits at"), "torch 2.11.0, which xformers 0.0.35 requires (CUDA 13.0)");
  EXPECT_THAT(open.fixes,
              ElementsAre("declare torch too: torch<2.11.0", "declare torch too: torch>=2.11.0"));
  EXPECT_EQ(target({"xformers==0.0.35", "torch<2.11.0"}).line.str(), "12.8");
}

// F16
TEST(ResolveFramework, UnknownReleaseNamesTheFixes) {
  Finding finding = refusal({"jax[cuda12]==99.0"});
  EXPECT_EQ(finding.code, Code::UnknownRelease);
  EXPECT_EQ(exitOf(finding), Exit::Undetermined);
  EXPECT_EQ(finding.message, "no known jax release satisfies jax[cuda12]==99.0");
  EXPECT_EQ(factOf(finding, "known"), "0.4.30 to 0.12.0.1 (CUDA 12)");
  EXPECT_THAT(finding.fixes, Contains(HasSubstr("env:PATH")));
  EXPECT_THAT(finding.fixes, Contains(HasSubstr("cuda==12.1")));
  EXPECT_EQ(refusal({"jax[cuda12]==0.4.29"}).code, Code::UnknownRelease);
  EXPECT_EQ(refusal({"jax[cuda13]==0.6.0"}).code, Code::UnknownRelease);
  EXPECT_EQ(refusal({"jax[cuda12]>=1"}).code, Code::UnknownRelease);
}

TEST(ResolveFramework, WhatPinsNoCudaIsUnknown) {
  for (const char *text : {"triton==3.1.0", "flash-attn==2.8.3.post2", "cuda-python==13.4.4",
                           "paddlepaddle-gpu==2.6.2", "nvidia-cutlass-dsl==4.8.1"}) {
    Finding finding = refusal({text});
    EXPECT_EQ(finding.code, Code::UnknownRelease) << text;
    EXPECT_EQ(factOf(finding, "because"), "its metadata pins no CUDA library") << text;
    EXPECT_THAT(finding.fixes, Contains(HasSubstr("env:PATH"))) << text;
  }
}

// In the data: a release outside the list is an extrapolation of the row.
TEST(ResolveFramework, ReleasesBetweenThoseThatWereRead) {
  EXPECT_EQ(frameworkRow(target({"jax[cuda12]==0.4.37"}), "libcublas.so.12"),
            ">=12.1.3.1, CUDA 12.1, floats in jax 0.4.37, floor (secondary source)");
  EXPECT_EQ(frameworkRow(target({"vllm==0.13.0"}), "libcublas.so.12").substr(0, 8), "12.8.4.1");
  EXPECT_THAT(frameworkRow(target({"vllm==0.13.0"}), "libcublas.so.12"),
              HasSubstr("(secondary source)"));
  EXPECT_THAT(frameworkRow(target({"vllm==0.9.0"}), "libcublas.so.12"),
              Not(HasSubstr("secondary")));
  EXPECT_THAT(frameworkRow(target({"cupy-cuda12x==13.4"}), "libcublas.so.12"),
              HasSubstr("(secondary source)"));
  // The next release that was read is of another CUDA major: which major this one has is unknown.
  EXPECT_EQ(refusal({"vllm==0.19.1"}).code, Code::UnknownRelease);
  EXPECT_EQ(refusal({"onnxruntime-gpu[cuda,cudnn]==1.27.0"}).code, Code::UnknownRelease);
}

TEST(ResolveFramework, CudaBesideChoosesTheLine) {
  Target jax = target({"jax[cuda12]==0.4.35", "cuda>=12.3"});
  EXPECT_EQ(jax.line.str(), "12.3");
  EXPECT_EQ(frameworkRow(jax, "libcublas.so.12"), "12.3.2.9, CUDA 12.3, floor of CUDA 12.3");
  EXPECT_EQ(frameworkRow(jax, "libcudnn.so.9"),
            ">=9.1.0.70, CUDA unknown, floats in jax 0.4.35, floor");
  EXPECT_EQ(target({"jax[cuda12]==0.4.35", "cuda==12.4.1"}).release, "12.4.1");
  // nvcc of 12.6.85 is required, and no other part of 12.6.
  EXPECT_EQ(target({"jax[cuda12]==0.6.0", "cuda==12.4"}).line.str(), "12.4");
  Finding finding = refusal({"jax[cuda12]==0.4.35", "cuda==12.0"});
  EXPECT_EQ(finding.code, Code::Constraint);
  EXPECT_EQ(factOf(finding, "requires"),
            "jax[cuda12]==0.4.35 in cuda-cc.toml:3, which is CUDA 12.1 or newer; cuda==12.0 in "
            "cuda-cc.toml:4");
  EXPECT_EQ(refusal({"jax[cuda12]==0.4.35", "cuda==13.0"}).code, Code::Constraint);
  EXPECT_EQ(refusal({"tensorflow[and-cuda]==2.18.0", "cuda==12.4"}).code, Code::Constraint);
  EXPECT_EQ(refusal({"cupy-cuda12x==13.2", "cuda==12.6"}).code, Code::Constraint);
  // cuBLAS below 12.9 exists only in this release.
  EXPECT_EQ(refusal({"jax[cuda12]==0.6.1", "cuda==12.9"}).code, Code::Constraint);
  EXPECT_EQ(target({"jax[cuda12]==0.6.2", "cuda==12.9"}).line.str(), "12.9");
}

TEST(ResolveFramework, TwoFrameworksShareTheirLibraries) {
  Target both = target({"torch==2.5.1", "jax[cuda12]==0.4.35"});
  EXPECT_EQ(both.line.str(), "12.4");
  EXPECT_EQ(both.release, "12.4.1");
  EXPECT_EQ(both.torch, "2.5.1");
  EXPECT_EQ(frameworkRow(both, "libcublas.so.12"), "12.4.5.8, CUDA 12.4, pinned by torch 2.5.1");
  EXPECT_EQ(frameworkRow(both, "libcudnn.so.9"), "9.1.0.70, CUDA unknown, pinned by torch 2.5.1");
  Target floors = target({"jax[cuda12]==0.4.35", "tensorflow[and-cuda]==2.20.0"});
  EXPECT_EQ(floors.line.str(), "12.5");
  EXPECT_EQ(frameworkRow(floors, "libcublas.so.12"),
            ">=12.5.3.2, CUDA 12.5, floats in tensorflow 2.20.0, floor");
  EXPECT_EQ(frameworkRow(floors, "libnvrtc.so.12"),
            ">=12.5.82, CUDA 12.5, floats in tensorflow 2.20.0, floor");
  // Of a range of torch, only the releases that fit are used.
  Target range = target({"torch>=2.4,<2.8", "jax[cuda12]==0.5.0"});
  EXPECT_EQ(frameworkRow(range, "libcudnn.so.9"), "9.1.0.70, CUDA unknown, pinned by torch 2.4.0");
  Target narrowed = target({"torch>=2.3", "jax[cuda12]==0.6.0"});
  EXPECT_EQ(frameworkRow(narrowed, "libcudnn.so.9"),
            "9.10.2.21, CUDA unknown, pinned by torch 2.8.0");
  EXPECT_EQ(narrowed.line.str(), "12.8");
}

TEST(ResolveFramework, AnExactPinBelowTheOthersFloorDoesNotGo) {
  Finding finding = refusal({"torch==2.5.1", "jax[cuda12]==0.6.0"});
  EXPECT_EQ(finding.code, Code::Constraint);
  EXPECT_EQ(factOf(finding, "requires"),
            "torch==2.5.1 in cuda-cc.toml:3; jax[cuda12]==0.6.0 in cuda-cc.toml:4");
  EXPECT_EQ(factOf(finding, "because"),
            "nvidia-cudnn-cu12: torch 2.5.1 pins 9.1.0.70, jax 0.6.0 needs >=9.8,<10.0");
  EXPECT_EQ(factOf(refusal({"torch==2.5.1", "cudf-cu12==26.6.0"}), "because"),
            "nvidia-nvjitlink-cu12: torch 2.5.1 pins 12.4.127, cudf-cu12 26.6.0 needs >=12.9,<13");
  EXPECT_THAT(factOf(refusal({"torch==2.11.0", "jax[cuda12]==0.8.0"}), "because"),
              HasSubstr("is CUDA 13"));
  EXPECT_EQ(refusal({"jax[cuda12]==0.8.0", "jax[cuda13]==0.8.0"}).code, Code::Constraint);
}
