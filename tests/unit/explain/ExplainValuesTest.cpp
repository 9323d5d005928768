// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/Explain.h"
#include "driver/explain/MessagePlaceholders.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

std::vector<explain::Explanation> messagesIn(llvm::StringRef text) {
  explain::Explainer explainer;
  explainer.add(text);
  return explainer.finish(true).messages;
}

explain::Explanation first(llvm::StringRef text) {
  auto messages = messagesIn(text);
  return messages.empty() ? explain::Explanation() : messages[0];
}

std::vector<std::string> idsOf(llvm::StringRef text) {
  std::vector<std::string> ids;
  for (const explain::Explanation &message : messagesIn(text))
    ids.push_back(message.id);
  return ids;
}

} // namespace

TEST(ExplainValues, aSentenceEndsWhatIsCaptured) {
  auto reason = [](llvm::StringRef text) {
    for (const auto &[name, value] : first(text).values)
      if (name == "reason")
        return value;
    return std::string();
  };
  EXPECT_EQ(reason("a.so: cannot read file data: Is a directory. Try another one."),
            "Is a directory");
  EXPECT_EQ(reason("a.so: cannot read file data: Input/output error in v1.2 here"),
            "Input/output error in v1.2 here");
  EXPECT_EQ(reason("a.so: cannot read file data: Is a directory."), "Is a directory");
}

TEST(ExplainValues, versionsOfCudnnInAllTheirForms) {
  auto version = [](llvm::StringRef text) {
    auto read = explain::cudnnVersionOf(text);
    return read ? read->str() : "";
  };
  EXPECT_EQ(version("9.10.1"), "9.10.1");
  EXPECT_EQ(version("(8, 5, 0)"), "8.5.0");
  EXPECT_EQ(version("8904"), "8.9.4");
  EXPECT_EQ(version("7102"), "7.1.2");
  EXPECT_EQ(version("91002"), "9.10.2");
  for (const char *other : {"", "9", "904", "(8)", "x", "(, )"})
    EXPECT_EQ(version(other), "") << other;
}

// A range, which pip takes, and only wheels that have so new a version.
TEST(ExplainValues, anOlderCudnnIsRaised) {
  EXPECT_THAT(first("Loaded runtime CuDNN library: 9.10.1 but source was compiled with: 9.13.1.  "
                    "CuDNN library needs to have matching major version")
                  .fixes[0],
              HasSubstr("\"nvidia-cudnn-cu12>=9.13.1,<10\" or \"nvidia-cudnn-cu13>=9.13.1,<10\""));
  EXPECT_THAT(first("Found cuDNN version 8600, but JAX was built against version 8904").fixes[0],
              HasSubstr("nvidia-cudnn-cu12>=8.9.4,<9"));
  // No wheel ever had it.
  EXPECT_THAT(first("Loaded runtime CuDNN library: 7201 (compatibility version 7200) but source "
                    "was compiled with 7004 (compatibility version 7000)")
                  .fixes[0],
              HasSubstr("cudnn>=7.0.4,<8"));
}

// "Could not load" does not say "not found": the loader's own reason counts, where it stands there.
TEST(ExplainValues, theReasonInsideAMessageCounts) {
  EXPECT_THAT(idsOf("Could not load library libcudnn_cnn_train.so.8. Error: "
                    "/x/libcudnn_ops_train.so.8: undefined symbol: _ZN5cudnn1fEv, version "
                    "libcudnn_ops_infer.so.8"),
              ElementsAre("symbol-of-library"));
  EXPECT_THAT(idsOf("Could not load dynamic library 'libcusolver.so.11'; dlerror: "
                    "libnvJitLink.so.12: cannot open shared object file: No such file"),
              ElementsAre("missing-library"));
  EXPECT_THAT(first("Could not load dynamic library 'libcusolver.so.11'; dlerror: "
                    "libnvJitLink.so.12: cannot open shared object file: No such file")
                  .what,
              HasSubstr("libnvJitLink.so.12 was not found"));
  EXPECT_THAT(idsOf("Could not load library libcudnn_ops_infer.so.8"), ElementsAre("load-failed"));
  EXPECT_THAT(first("Could not load library libcudnn_ops_infer.so.8. Error: bad weather").what,
              HasSubstr("could not be loaded: bad weather"));
}

TEST(ExplainValues, whoAsksForASymbolDecidesTheFix) {
  const char *symbol = "undefined symbol: cublasLtGetVersion, version libcublasLt.so.12";
  EXPECT_THAT(first(std::string("/x/libcublas.so.12: ") + symbol).fixes[0],
              HasSubstr("unset LD_LIBRARY_PATH: libcublas.so.12"));
  EXPECT_THAT(first(std::string("/x/ext.so: ") + symbol).fixes[0], Not(HasSubstr("libcublas.so")));
  EXPECT_THAT(first("/x/libtorch_cuda.so: undefined symbol: ncclCommRegister").fixes[0],
              HasSubstr("\"nvidia-nccl-cu12>=2.19,<3\""));
  // The words of a relocation error, with and without a comma.
  for (const char *text :
       {"/x/libcublas.so.12: symbol cublasLtGetVersion version libcublasLt.so.12 not defined in "
        "file libcublasLt.so.12 with link time reference",
        "/x/libcublas.so.12: symbol cublasLtGetVersion, version libcublasLt.so.12 not defined in "
        "file libcublasLt.so.12 with link time reference"})
    EXPECT_THAT(first(text).fixes[0], HasSubstr("unset LD_LIBRARY_PATH: libcublas.so.12")) << text;
}

// What pip is told to install has the library.
TEST(ExplainValues, wheelsAreOfTheVersionThatHasTheLibrary) {
  auto fix = [](const char *soname) {
    return first(std::string(soname) + ": cannot open shared object file: No such file").fixes[0];
  };
  EXPECT_THAT(fix("libcudnn.so.8"), HasSubstr("\"nvidia-cudnn-cu12==8.*\""));
  EXPECT_THAT(fix("libcudnn.so.9"), HasSubstr("nvidia-cudnn-cu12 or nvidia-cudnn-cu13"));
  EXPECT_THAT(fix("libcupti.so.11.7"), HasSubstr("\"nvidia-cuda-cupti-cu11==11.7.*\""));
  EXPECT_THAT(fix("libcudart.so.10.1"), HasSubstr("of none that the tables have"));
  EXPECT_THAT(first("failed to open libnvrtc-builtins.so.11.1").fixes[0],
              Not(HasSubstr("pip install")));
  EXPECT_THAT(first("failed to open libnvrtc-builtins.so.12.8").fixes[0],
              HasSubstr("nvidia-cuda-nvrtc-cu12==12.8.*"));
}

TEST(ExplainValues, anExtensionsOwnFunctionIsNotTorchs) {
  EXPECT_THAT(idsOf("undefined symbol: _Z24silu_and_mul_nvfp4_quantRN2at6TensorES1_S1_S1_"),
              ElementsAre("extension-symbol"));
  EXPECT_THAT(idsOf("undefined symbol: _ZN2at4_ops5zeros4callEv"), ElementsAre("torch-symbol"));
  EXPECT_THAT(idsOf("undefined symbol: _Z3fooi"), ElementsAre("other-cxx-symbol"));
}

TEST(ExplainValues, namesThatCompilersGenerate) {
  EXPECT_EQ(first("undefined symbol: __cudaRegisterLinkedBinary_1_4_k_cu__Z1kv").what,
            "relocatable device code without its device link");
  EXPECT_THAT(
      first("undefined reference to `__fatbinwrap_38_cuda_device_runtime_compute_86_cpp1_ii_8b'")
          .fixes[0],
      HasSubstr("-lcudadevrt"));
  EXPECT_THAT(first("undefined reference to `__fatbinwrap_85e8a02e_15_Model_cu_9d'").what,
              HasSubstr("lacks an object of the device link"));
  EXPECT_THAT(first("undefined reference to `__nv_expf'").what, HasSubstr("libdevice"));
  EXPECT_THAT(first("undefined symbol: _Z20__device_stub__Z1kPiPi").what,
              HasSubstr("the object that has the kernel"));
  // Exported by libcudart.
  EXPECT_THAT(idsOf("undefined symbol: __cudaRegisterFatBinary"), ElementsAre("cudart-symbol"));
}

TEST(ExplainValues, anOldGpuIsNotTakenForANewOne) {
  auto cause = [](const char *gpu) {
    return first(std::string("X with CUDA capability ") + gpu +
                 " is not compatible with the current PyTorch installation")
        .causes[0];
  };
  EXPECT_THAT(cause("sm_60"), HasSubstr("older than torch's build"));
  EXPECT_THAT(cause("sm_30"), HasSubstr("older than torch's build"));
  EXPECT_THAT(cause("sm_120"), HasSubstr("newer than torch's build"));
  EXPECT_THAT(cause("sm_75"), HasSubstr("or so old"));
}

// A sentence about something else follows the name: nothing is missing.
TEST(ExplainValues, aNameThatASentenceIsAboutIsNotMissing) {
  for (const char *text :
       {"ncclGroupEnd failed: internal error", "error in curandGenerateUniform(generator, p, n)",
        "'cudaMalloc' returned 2", "cublasCreate_v2 was slow"})
    EXPECT_TRUE(idsOf(text).empty()) << text;
  EXPECT_THAT(idsOf("__nvJitLinkComplete_12_4 in Docker"), ElementsAre("nvjitlink-symbol"));
  EXPECT_THAT(idsOf("error: 'ncclCommGetAsyncError' was not declared in this scope"),
              ElementsAre("undeclared-name"));
}

// libcufile and libnvcomp export names that were instantiated from std.
TEST(ExplainValues, namesOfTheCxxRuntimeAreNotCudas) {
  const char *stream = "_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEEC1Ev";
  EXPECT_THAT(idsOf(std::string("undefined symbol: ") + stream), ElementsAre("cxx-runtime-symbol"));
  EXPECT_THAT(idsOf("symbol _ZNSo9_M_insertImEERSoT_, version GLIBCXX_3.4.9 not defined in file "
                    "libstdc++.so.6 with link time reference"),
              ElementsAre("cxx-runtime-symbol"));
}

TEST(ExplainValues, whatIsOfNoneOfThemIsSaidToBeSo) {
  EXPECT_THAT(idsOf("undefined symbol: PyUnicode_AsUTF8AndSize"), ElementsAre("python-symbol"));
  EXPECT_THAT(idsOf("undefined symbol: dsyev_"), ElementsAre("other-symbol"));
  explain::Explanation own = first("undefined symbol: _ZN5faiss9ExceptionC1ERKSs");
  EXPECT_EQ(own.id, "other-cxx-symbol");
  EXPECT_THAT(own.what, HasSubstr("faiss::Exception::Exception"));
  EXPECT_THAT(idsOf("undefined symbol: __errno, version GLIBC_PRIVATE"),
              ElementsAre("glibc-mixed"));
}

// No copy of that SONAME is older.
TEST(ExplainValues, whatTheFirstOfAMajorHasIsNotNew) {
  explain::Explanation message =
      first("a.so: undefined reference to `cudaGetDeviceProperties_v2@libcudart.so.12'");
  EXPECT_THAT(message.what, HasSubstr("every libcudart.so.12"));
  EXPECT_THAT(message.causes[0], HasSubstr("did not find the libcudart.so.12 that a.so NEEDs"));
}

TEST(ExplainValues, whatEveryDriverOrToolkitHas) {
  EXPECT_THAT(first("undefined symbol: cuMemcpyHtoD_v2").what, HasSubstr("every driver"));
  EXPECT_THAT(first("undefined symbol: cuCtxCreate_v4").what, HasSubstr("driver is too old"));
  EXPECT_THAT(first("Unsupported gpu architecture 'compute_80'").fixes[0],
              HasSubstr("use a toolkit of CUDA"));
}
