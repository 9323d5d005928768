// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/Explain.h"
#include "tests/unit/resolve/Resolving.h"
#include <gmock/gmock.h>
#include <set>

using namespace cudacc;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

explain::Explained explainAll(llvm::StringRef text, const core::Target *runtime = nullptr,
                              size_t step = 1 << 20) {
  explain::Explainer explainer(runtime);
  for (; !text.empty(); text = text.drop_front(std::min(step, text.size())))
    explainer.add(text.take_front(step));
  return explainer.finish(true);
}

std::vector<std::string> idsOf(const explain::Explained &explained) {
  std::vector<std::string> ids;
  for (const explain::Explanation &message : explained.messages)
    ids.push_back(message.id);
  return ids;
}

std::string textsOf(const std::vector<std::string> &texts) {
  std::string all;
  for (const std::string &text : texts)
    all += text + "\n";
  return all;
}

/// A message as programs print it, its row, and texts that the explanation must contain.
struct Real {
  const char *text, *id;
  std::vector<const char *> said;
};

const Real realMessages[] = {
    {"ImportError: libcudart-96c42e41.so.12: cannot open shared object file: No such file",
     "grafted-library",
     {"libcudart.so.12", "PACKAGE.libs"}},
    {"OSError: /x/a.so: failed to map segment from shared object", "map-segment", {"noexec"}},
    {"OSError: /x/a.so: wrong ELF class: ELFCLASS32", "wrong-class", {"another kind of machine"}},
    {"/x/a.so: cannot read file data: Is a directory", "no-file-data", {"Is a directory"}},
    {"ImportError: dynamic module does not define module export function (PyInit_a)",
     "no-module-function",
     {"PyInit_a"}},
    {"a.so: cannot dynamically load position-independent executable", "executable-as-library", {}},
    {"error: only position independent executables (PIE) are supported",
     "executable-as-library",
     {}},
    {"/build/lib/libcudart.so.12: cannot open shared object file: No such file or directory",
     "needed-by-path",
     {"/build/lib/libcudart.so.12", "--replace-needed"}},
    {"libstdc++.so.6: version `CXXABI_1.3.13' not found", "libstdcxx", {"gcc 11.1 or newer"}},
    {"python: symbol lookup error: /x/libcusparse.so.12: undefined symbol: "
     "__nvJitLinkComplete_12_4, version libnvJitLink.so.12",
     "nvjitlink-symbol",
     {"CUDA 12.4", "nvidia-nvjitlink-cu12>=12.4,<13"}},
    {"/usr/bin/ld: ext.o: undefined reference to `__nvJitLinkCreate_12_5@libnvJitLink.so.12'",
     "nvjitlink-symbol",
     {"CUDA 12.5"}},
    {"/usr/bin/ld: x.o: in function `f':\nx.c:(.text+0x1): undefined reference to "
     "`cudaLaunchKernelExC'",
     "undefined-reference",
     {"libcudart.so.11.0"}},
    {"ImportError: x.so: undefined symbol: cublasLtGetEnvironmentMode, version libcublasLt.so.12",
     "library-symbol",
     {"libcublasLt.so.12", "CUDA 12.9"}},
    {"ImportError: x.so: undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationESs",
     "torch-symbol",
     {"another torch"}},
    {"libcuda.so.1: cannot open shared object file: No such file or directory",
     "driver-library",
     {"libcuda.so.1"}},
    {"\tlibcublas.so.11 => not found", "missing-library", {"CUDA 11", "nvidia-cublas-cu11"}},
    {"nvrtc: error: failed to open libnvrtc-builtins.so.12.8.",
     "nvrtc-builtins",
     {"CUDA 12.8", "nvidia-cuda-nvrtc-cu12==12.8.*"}},
    {"OSError: libnvrtc.so: cannot open shared object file: No such file or directory",
     "development-name",
     {"libnvrtc.so.12", "libnvrtc.so.13"}},
    {"/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /x/y.so)",
     "cpp-runtime",
     {"glibc 2.38", "/x/y.so"}},
    {"/opt/conda/lib/libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by /x/y.so)",
     "libstdcxx",
     {"3.4.32"}},
    {"version `libcublas.so.12' not found (required by ./a.out)", "version-node", {"CUDA 12"}},
    {"ImportError: /x/libgomp-d22c30c5.so.1: cannot allocate memory in static TLS block",
     "static-tls",
     {}},
    {"RuntimeError: CUDA error: the provided PTX was compiled with an unsupported toolchain.",
     "ptx-too-new",
     {"222"}},
    {"ptxas application ptx input, line 9; fatal   : Unsupported .version 8.5; current version is "
     "'8.4'",
     "ptx-driver",
     {"up to ISA 8.4 (CUDA 12.4)", "was given 8.5 (CUDA 12.5)", "driver 555.42.02"}},
    {"ptxas k.ptx, line 9; fatal   : Unsupported .version 8.5; current version is '8.4'",
     "ptx-assembler",
     {"PTX ISA 8.5 (CUDA 12.5)", "PTX ISA 8.4 (CUDA 12.4)"}},
    {"RuntimeError: CUDA error: no kernel image is available for execution on the device",
     "no-kernel-image",
     {"209"}},
    {"NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current "
     "PyTorch installation.",
     "no-kernel-image",
     {"sm_120", "CUDA 12.8"}},
    {"nvcc fatal   : Unsupported gpu architecture 'compute_120'",
     "unknown-arch",
     {"compute_120", "CUDA 12.8 is the first"}},
    {"nvcc fatal   : Unsupported gpu architecture 'compute_70'",
     "unknown-arch",
     {"CUDA 12.9 was the last"}},
    {"ptxas fatal   : Value 'sm_120' is not defined for option 'gpu-name'",
     "ptxas-arch",
     {"CUDA 12.8"}},
    {"RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please "
     "update your GPU driver",
     "driver-too-old",
     {"CUDA 11.4"}},
    {"Insufficient driver: 12040 < 13000",
     "driver-too-old",
     {"CUDA 12.4", "CUDA 13.0", "580.65.06"}},
    {"CUDA driver version is insufficient for CUDA runtime version", "driver-too-old", {"35"}},
    {"RuntimeError: CUDA error: device kernel image is invalid", "invalid-image", {"200"}},
    {"cudaGetDeviceCount returned 35", "driver-too-old", {"35"}},
    {"CUDA error: 803", "driver-mismatch", {"803"}},
    {"RuntimeError: \nThe detected CUDA version (12.5) mismatches the version that was used to "
     "compile\nPyTorch (11.8). Please make sure to use the same CUDA versions.",
     "torch-cuda-mismatch",
     {"CUDA 12.5", "CUDA 11.8"}},
    {"OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.",
     "nvcc-missing",
     {}},
    {"/usr/local/cuda/include/crt/host_config.h:143:2: error: #error -- unsupported GNU version! "
     "gcc versions later than 13 are not supported!",
     "host-gcc",
     {"gcc up to 13"}},
    {"RuntimeError: The current installed version of g++ (14.2.0) is greater than the maximum "
     "required version by CUDA 12.4.",
     "host-gcc",
     {"CUDA 12.4", "g++ 14.2.0"}},
    {"/usr/bin/ld: cannot find -lcudart: No such file or directory",
     "cannot-find-library",
     {"libcudart.so.12"}},
    {"nvlink fatal   : Input file 'k.o' newer than toolkit (130 vs 124) (target: sm_90)",
     "nvlink-newer",
     {"CUDA 13.0", "CUDA 12.4"}},
    {"nvlink warning : SM Arch ('sm_86') not found in 'k90.o'", "nvlink-arch", {"sm_86", "k90.o"}},
    {"undefined reference to `__cudaRegisterLinkedBinary_a626af1e_4_k_cu__Z1kv'",
     "generated-name",
     {"without its device link", "nvcc -dlink"}},
    {"RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
     "library-not-initialized",
     {}},
    {"undefined symbol: ncclCommRegister",
     "library-symbol",
     {"libnccl.so.2 is too old", "version 2.19.3"}},
    {"symbol lookup error: x.so: undefined symbol: _ZN5cudnn7backend3fooEv, version "
     "libcudnn_graph.so.9",
     "symbol-of-library",
     {"libcudnn_graph.so.9 lacks _ZN5cudnn7backend3fooEv"}},
    {"undefined symbol: cuGetErrorString", "driver-symbol", {"libcuda.so.1"}},
    {"undefined symbol: cuLogsCurrent", "driver-symbol", {"the driver is too old"}},
    {"ImportError: libc10.so: cannot open shared object file", "torch-library", {"import torch"}},
    {"a.cpp:1:10: fatal error: cusparse.h: No such file or directory",
     "header-missing",
     {"nvidia-cusparse-cu12"}},
    {"a.cpp:1:10: fatal error: 'cuda_runtime.h' file not found", "header-missing", {}},
    {"a.cpp:1:10: fatal error: nv/target: No such file or directory", "header-missing", {}},
    {"nvlink error   : Undefined reference to '_Z3foov' in 'main.o' (target: sm_80)",
     "nvlink-undefined",
     {"_Z3foov", "main.o"}},
    {"ValueError: Unknown CUDA arch (12.0) or GPU not supported", "unknown-arch", {"sm_120"}},
    {"torch 2.5.1 requires nvidia-nvjitlink-cu12==12.4.127; platform_system == \"Linux\", but you "
     "have nvidia-nvjitlink-cu12 12.5.82 which is incompatible.",
     "pip-conflict",
     {"nvidia-nvjitlink-cu12 12.5.82"}},
};

} // namespace

TEST(Explain, realMessagesHaveTheirRow) { // KC-1, KC-7, KC-12, KC-13
  for (const Real &real : realMessages) {
    explain::Explained explained = explainAll(real.text);
    EXPECT_THAT(idsOf(explained), ElementsAre(real.id)) << real.text;
    if (explained.messages.empty())
      continue;
    const explain::Explanation &message = explained.messages[0];
    std::string all = message.what + "\n" + textsOf(message.fixes);
    for (const core::Fact &fact : message.facts)
      all += fact.label + ": " + fact.text + "\n";
    for (const char *said : real.said)
      EXPECT_THAT(all, HasSubstr(said)) << real.text;
    EXPECT_THAT(message.what, Not(HasSubstr("{")));
  }
}

// Every row can be found, by its first pattern without types.
TEST(Explain, everyRowIsReachedByItsPlainPatterns) {
  for (const tables::Message &row : tables::messages())
    for (llvm::StringRef pattern : row.patterns) {
      if (pattern.contains('{'))
        continue;
      explain::Explained explained = explainAll(pattern);
      ASSERT_EQ(explained.messages.size(), 1u) << pattern.str();
      EXPECT_EQ(explained.messages[0].id, row.id.str()) << pattern.str();
    }
}

// Fixes are existing commands and existing pages.
TEST(Explain, whatIsNamedExists) {
  const std::set<std::string> known = {
      "wheel",     "check", "inspect", "target",  "config", "explain", "doctor", "g++",
      "toolchain", "links", "puts",    "refuses", "judges", "does),",  "does",   "names"};
  for (const tables::Message &row : tables::messages())
    for (const tables::Message::Texts *list : {&row.causes, &row.fixes})
      for (llvm::StringRef text : *list) {
        for (llvm::StringRef rest = text.split("cuda-cc ").second; !rest.empty();
             rest = rest.split("cuda-cc ").second) {
          std::string word = rest.split(' ').first.str();
          EXPECT_TRUE(known.count(word) || word.starts_with("--cudacc-")) << text.str();
        }
        if (size_t at = text.find("(CC"); at != llvm::StringRef::npos)
          EXPECT_TRUE(core::parseCode(text.substr(at + 1, 6))) << text.str();
      }
}

TEST(Explain, otherTextsAreNotKnown) {
  for (const char *text :
       {"Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    import foo\n"
        "ModuleNotFoundError: No module named 'foo'",
        "ValueError: not enough values to unpack (expected 2, got 1)",
        "ImportError: cannot import name 'x' from 'y' (/x/y.py)",
        "RuntimeError: ncclCommInitRank failed: internal error", "cudaMalloc(&p, n)",
        "libfoo.so.3: cannot open shared object file", "/usr/bin/ld: cannot find -lfoo",
        "fatal error: curl/curl.h: No such file or directory",
        "fatal error: nvme.h: No such file or directory", "command failed with error code 35",
        "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB", "CUDA error: 2097", "",
        "cuda", "E", "{symbol}", "torch.cuda.is_available() is False", "version 12.4"})
    EXPECT_THAT(idsOf(explainAll(text)), IsEmpty()) << text;
}

// A symbol name alone is explained if it is the whole text, not wherever it appears in a log.
TEST(Explain, namesAreExplainedWhereNothingElseIs) {
  EXPECT_THAT(idsOf(explainAll("cudaGetDriverEntryPointByVersion")), ElementsAre("cudart-symbol"));
  EXPECT_THAT(idsOf(explainAll("what is __nvJitLinkCreate_12_5?")),
              ElementsAre("nvjitlink-symbol"));
  explain::Explainer log;
  log.add("calling cudaGetDriverEntryPointByVersion\n");
  EXPECT_TRUE(log.finish(false).messages.empty());
}

// The suffix is a lower bound only (SY-3): the whole name is looked up.
TEST(Explain, aSuffixIsALowerBound) { // SY-3
  explain::Explained explained = explainAll("undefined symbol: __nvJitLinkGetLinkedLTOIR_13_0");
  ASSERT_EQ(explained.messages.size(), 1u);
  EXPECT_THAT(explained.messages[0].what, HasSubstr("CUDA 13.2"));
  // After the newest known line, the suffix is trusted.
  explained = explainAll("undefined symbol: __nvJitLinkCreate_13_99");
  ASSERT_EQ(explained.messages.size(), 1u);
  EXPECT_THAT(explained.messages[0].what, HasSubstr("__nvJitLinkCreate_13_99"));
}

// A name that the oldest opened version has does not prove a minor.
TEST(Explain, whatEveryVersionHasProvesAnotherFile) {
  explain::Explained explained =
      explainAll("undefined symbol: cudaMalloc, version libcudart.so.12");
  ASSERT_EQ(explained.messages.size(), 1u);
  EXPECT_THAT(explained.messages[0].what, HasSubstr("though every libcudart.so.12"));
  EXPECT_THAT(textsOf(explained.messages[0].causes), HasSubstr("a stub library"));
}

TEST(Explain, theRuntimeDecidesAmongCausesAndFixes) {
  const char *text = "undefined symbol: __nvJitLinkCreate_12_5, version libnvJitLink.so.12";
  core::Target older = test::target({"torch==2.5.1"}), newer = test::target({"torch==2.7.0"});
  explain::Explanation lacks = explainAll(text, &older).messages.at(0);
  explain::Explanation has = explainAll(text, &newer).messages.at(0);
  explain::Explanation alone = explainAll(text).messages.at(0);
  EXPECT_EQ(lacks.fixes[0], "raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6): "
                            "pip install 'torch>=2.7.0,<2.11'");
  EXPECT_EQ(lacks.causes[0], "the declared runtime's own libnvJitLink.so.12 is too old");
  EXPECT_THAT(textsOf(lacks.fixes), HasSubstr("CUDA toolkit <= 12.4"));
  EXPECT_THAT(has.causes[0], HasSubstr("an older copy was found first"));
  EXPECT_THAT(has.fixes[0], HasSubstr("keep the runtime's own copy first"));
  EXPECT_THAT(textsOf(has.fixes), Not(HasSubstr("upgrade the framework")));
  EXPECT_THAT(alone.fixes[0], HasSubstr("unset LD_LIBRARY_PATH"));
  EXPECT_THAT(alone.fixes[1], HasSubstr("upgrade the framework: torch>=2.7.0,<2.11 (CUDA 12.6)"));
  EXPECT_THAT(alone.fixes.back(), HasSubstr("as a last resort"));
  EXPECT_THAT(textsOf(alone.fixes), HasSubstr("torch 2.5.0 to 2.6.0 pin an older one"));
  EXPECT_EQ(explainAll(text, &older).runtime, older.describe());
}

TEST(Explain, everyDistinctMessageOnceInOrderWithItsLine) {
  explain::Explained explained =
      explainAll("start\n\n\033[31mE   libcudart.so.13: cannot open shared object file\033[0m\r\n"
                 "x\nCUDA error: no kernel image is available for execution on the device\n"
                 "libcudart.so.13: cannot open shared object file\n"
                 "libcublas.so.13: cannot open shared object file");
  ASSERT_THAT(idsOf(explained),
              ElementsAre("missing-library", "no-kernel-image", "missing-library"));
  EXPECT_EQ(explained.messages[0].line, 3u);
  EXPECT_EQ(explained.messages[0].count, 2u);
  EXPECT_EQ(explained.messages[1].line, 5u);
  EXPECT_EQ(explained.messages[2].line, 7u);
  EXPECT_EQ(explained.messages[0].message, "libcudart.so.13: cannot open shared object file");
}

TEST(Explain, whereATextIsCutDoesNotMatter) {
  std::string text;
  for (unsigned i = 0; i < 3000; ++i)
    text += "line of a build log that says nothing of interest " + std::to_string(i) + "\n";
  text += "The detected CUDA version (12.5) mismatches the version that was used to compile\n"
          "PyTorch (11.8).\n";
  for (unsigned i = 0; i < 3000; ++i)
    text += "nvcc -c file" + std::to_string(i) + ".cu\n";
  text += "nvcc fatal   : Unsupported gpu architecture 'compute_120'\n";
  for (size_t step : {size_t(1), size_t(777), size_t(4096), text.size()}) {
    explain::Explained explained = explainAll(text, nullptr, step);
    ASSERT_THAT(idsOf(explained), ElementsAre("torch-cuda-mismatch", "unknown-arch")) << step;
    EXPECT_EQ(explained.messages[0].line, 3001u) << step;
    EXPECT_EQ(explained.messages[1].line, 6003u) << step;
  }
}

TEST(Explain, hostileTextsEnd) {
  std::string brackets(4 << 20, '('), blanks(4 << 20, ' '), placeholders;
  for (unsigned i = 0; i < 100000; ++i)
    placeholders += "undefined symbol: cudaMalloc" + std::to_string(i) + " version 'GLIBC_";
  std::string open = "Inconsistency detected by ld.so: " + std::string(4 << 20, 'x');
  std::string zeros(1 << 20, '\0'), high(1 << 20, '\xe2'), escapes(1 << 20, '\033');
  for (const std::string &text : {brackets, blanks, open, zeros, high, escapes})
    EXPECT_THAT(idsOf(explainAll(text)), IsEmpty()) << text.substr(0, 20);
  EXPECT_LE(explainAll(placeholders).messages.size(), explain::Explainer::most);
  // If there are more distinct messages than the limit, they are counted.
  std::string many;
  for (unsigned i = 0; i < 150; ++i)
    many += "version `GLIBC_2." + std::to_string(100 + i) + "' not found\n";
  explain::Explained explained = explainAll(many);
  EXPECT_EQ(explained.messages.size(), explain::Explainer::most);
  EXPECT_EQ(explained.more, 50u);
}

TEST(Explain, aNameThatVanishedIsGoneAndNotTooNew) {
  auto explained = explainAll("ImportError: /x/e.so: undefined symbol: cudaThreadSynchronize");
  ASSERT_THAT(idsOf(explained), ElementsAre("cudart-symbol"));
  const explain::Explanation &message = explained.messages[0];
  EXPECT_EQ(message.what, "cudaThreadSynchronize is gone since CUDA 13.0: call "
                          "cudaDeviceSynchronize instead");
  EXPECT_THAT(textsOf(message.causes), Not(HasSubstr("an older copy was found first")));
  EXPECT_THAT(textsOf(message.fixes), HasSubstr("call cudaDeviceSynchronize instead of"));
  EXPECT_THAT(textsOf(message.fixes), Not(HasSubstr("LD_LIBRARY_PATH")));
  // Its replacement is not known.
  explained = explainAll("undefined symbol: cusparseConstrainedGeMM, version libcusparse.so.12");
  ASSERT_THAT(idsOf(explained), ElementsAre("library-symbol"));
  EXPECT_EQ(explained.messages[0].what, "cusparseConstrainedGeMM is gone since CUDA 12.0");
  // A runtime that still has it.
  core::Target older = cudacc::test::target({"cuda==12.4"});
  explained = explainAll("undefined symbol: cudaThreadSynchronize", &older);
  EXPECT_THAT(explained.messages[0].what, Not(HasSubstr("gone")));
  core::Target newer = cudacc::test::target({"cuda==13.0"});
  explained = explainAll("undefined symbol: cudaThreadSynchronize", &newer);
  EXPECT_THAT(explained.messages[0].what, HasSubstr("is gone since CUDA 13.0"));
  // A name that was added later has not been removed.
  explained = explainAll("undefined symbol: cudaGetDriverEntryPointByVersion");
  EXPECT_THAT(explained.messages[0].what, Not(HasSubstr("gone")));
}

TEST(Explain, aRuntimeOfAnotherMajorIsLoweredOrRaised) {
  core::Target newer = cudacc::test::target({"torch==2.11.0"});
  core::Target older = cudacc::test::target({"torch==2.10.0"});
  core::Target line = cudacc::test::target({"cuda==13.0"});
  auto fixes = [](const char *text, const core::Target &runtime) {
    return textsOf(explainAll(text, &runtime).messages.at(0).fixes);
  };
  const char *twelve = "libcudart.so.12: cannot open shared object file: No such file or directory";
  const char *thirteen = "libcudart.so.13: cannot open shared object file";
  EXPECT_THAT(fixes(twelve, newer), HasSubstr("lower the runtime to torch==2.10.0 (CUDA 12.8)"));
  EXPECT_THAT(fixes(twelve, newer), Not(HasSubstr("import torch before")));
  EXPECT_THAT(fixes(twelve, newer), Not(HasSubstr("raise the runtime")));
  EXPECT_THAT(fixes(thirteen, older), HasSubstr("raise the runtime to torch>=2.11.0 (CUDA 13.0)"));
  EXPECT_THAT(fixes(twelve, line), HasSubstr("lower the runtime to cuda==12.9"));
  EXPECT_THAT(fixes(twelve, older), HasSubstr("import torch before"));
}
