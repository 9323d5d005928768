// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/nvlink/Nvlink.h"
#include "driver/commands/nvlink/NvlinkInputs.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include "tests/support/FakeSystem.h"

using namespace cudacc;
using namespace cudacc::commands;
using core::Code;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static llvm::Expected<NvlinkCall> read(std::vector<llvm::StringRef> words) {
  auto readFile = [](llvm::StringRef path) -> llvm::Expected<std::string> {
    if (path == "loop")
      return std::string("-optf loop");
    return fmt::format("--arch sm_80\n x.o -l{}", path);
  };
  return readNvlinkCall(words, readFile);
}

static NvlinkCall good(std::vector<llvm::StringRef> words) {
  words.push_back("-arch=sm_90");
  auto call = read(std::move(words));
  if (call)
    return *call;
  ADD_FAILURE() << core::toFinding(call.takeError()).message;
  return {};
}

static core::Finding bad(std::vector<llvm::StringRef> words) {
  words.push_back("-arch=sm_90");
  auto call = read(std::move(words));
  if (!call)
    return core::toFinding(call.takeError());
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(NvlinkCall, theLineOfNvccIsRead) {
  NvlinkCall call = good({"-m64", "--arch=sm_90a", "--register-link-binaries=x.reg.c", "-lm",
                          "-L/a b", "-L/c", "-cpu-arch=X86_64", "a.o", "libb.a", "-lcudadevrt",
                          "-o", "x.cubin", "--host-ccbin", "gcc"});
  EXPECT_EQ(call.arch.str(), "sm_90"); // the one that good() adds
  EXPECT_EQ(call.registerFile, "x.reg.c");
  EXPECT_EQ(call.output, "x.cubin");
  EXPECT_THAT(call.files, ElementsAre("a.o", "libb.a"));
  EXPECT_THAT(call.libraries, ElementsAre("m", "cudadevrt"));
  EXPECT_THAT(call.folders, ElementsAre("/a b", "/c"));
  EXPECT_THAT(call.options, IsEmpty());
  EXPECT_FALSE(call.lto);
}

TEST(NvlinkCall, everySpellingIsRead) {
  for (std::vector<llvm::StringRef> words :
       {std::vector<llvm::StringRef>{"-o", "x", "-l", "q,m", "-L", "l1,l2"},
        {"-o=x", "-l=q,m", "-L=l1,l2"},
        {"--output-file", "x", "--library", "q", "-lm", "--library-path=l1", "-Ll2"}}) {
    NvlinkCall call = good(words);
    EXPECT_EQ(call.output, "x");
    EXPECT_THAT(call.libraries, ElementsAre("q", "m"));
    EXPECT_THAT(call.folders, ElementsAre("l1", "l2"));
  }
}

TEST(NvlinkCall, optionsThatBothHaveArePassed) {
  NvlinkCall call = good({"-dlto", "-nvvmpath=/x", "-maxrregcount=32", "-Xptxas", "-O1 -v ",
                          "-split-compile", "4", "-split-compile-extended", "2", "-g", "-v",
                          "-kernels-used=a,b", "-variables-used", "c"});
  EXPECT_TRUE(call.lto);
  EXPECT_THAT(call.options,
              ElementsAre("-maxrregcount=32", "-Xptxas=-O1", "-Xptxas=-v", "-split-compile=4",
                          "-split-compile-extended=2", "-g", "-verbose", "-kernels-used=a",
                          "-kernels-used=b", "-variables-used=c"));
}

TEST(NvlinkCall, optionsWithoutCounterpartAreRefused) {
  for (llvm::StringRef option :
       {"-r", "--relocatable-link", "-dump-callgraph", "-Werror", "-extrawarn", "-time=x",
        "-Ofc=max", "-Xnvvm=-x", "-uidx=f", "-keep-system-libraries", "-preserve-relocs",
        "-suppress-debug-info", "-device-stack-protector", "--never-heard-of"}) {
    core::Finding finding = bad({option});
    EXPECT_EQ(finding.code, Code::Usage) << option.str();
    EXPECT_THAT(finding.message, HasSubstr(option.split('=').first.str()));
    EXPECT_THAT(finding.fixes, testing::Contains(HasSubstr("device-linker = \"nvlink\"")));
  }
}

TEST(NvlinkCall, whatLinksNoDeviceCodeIsLeftToNvlink) {
  for (llvm::StringRef option : {"--gen-host-linker-script=lcs-abs", "-V", "--help"}) {
    auto call = read({option});
    ASSERT_TRUE(bool(call)) << option.str();
    EXPECT_TRUE(call->linksNothing);
  }
  EXPECT_FALSE(good({"--shared", "a.o"}).linksNothing);
}

TEST(NvlinkCall, aLineThatCannotBeReadIsRefused) {
  EXPECT_EQ(bad({"-arch=compute_90"}).code, Code::Usage);
  EXPECT_EQ(bad({"-arch=sm_x"}).code, Code::Usage);
  EXPECT_EQ(bad({"-dlto=1"}).code, Code::Usage);
  EXPECT_EQ(bad({"-optf", "loop"}).code, Code::Usage);
  EXPECT_EQ(core::toFinding(read({"-arch=sm_90", "-o"}).takeError()).code, Code::Usage);
  EXPECT_EQ(core::toFinding(read({"a.o"}).takeError()).code, Code::Usage);
}

TEST(NvlinkCall, anOptionFileIsReadInItsPlace) {
  auto call = read({"a.o", "-optf", "opts", "b.o"});
  ASSERT_TRUE(bool(call));
  EXPECT_EQ(call->arch.str(), "sm_80");
  EXPECT_THAT(call->files, ElementsAre("a.o", "x.o", "b.o"));
  EXPECT_THAT(call->libraries, ElementsAre("opts"));
}

TEST(RegisterText, isWhatNvlinkWrites) {
  EXPECT_EQ(registerText({"_b51ce050_4_a_cu_k", "_c"}),
            "#define NUM_PRELINKED_OBJECTS 2\nDEFINE_REGISTER_FUNC(_b51ce050_4_a_cu_k)\n"
            "DEFINE_REGISTER_FUNC(_c)\n");
  EXPECT_EQ(registerText({}), "#define NUM_PRELINKED_OBJECTS 0\n");
}

static NvlinkInput input(std::vector<core::DeviceImage> images) {
  NvlinkInput input;
  input.name = "a.o";
  input.object.device.units.push_back(
      {core::DeviceUnit::Home::Relocatable, false, 1, std::move(images)});
  return input;
}

static core::DeviceImage image(core::ImageKind kind, unsigned arch,
                               versions::CudaVersion version = {}) {
  core::DeviceImage image;
  image.kind = kind;
  image.arch.number = uint16_t(arch);
  image.version = version;
  return image;
}

using core::ImageKind;

TEST(NvlinkInput, hasCodeIfAnImageLinksForTheArchitecture) {
  const versions::Arch sm90{90, 0};
  EXPECT_TRUE(hasCodeFor(input({image(ImageKind::Cubin, 90)}), sm90));
  EXPECT_TRUE(hasCodeFor(input({image(ImageKind::Cubin, 80), image(ImageKind::Ptx, 80)}), sm90));
  EXPECT_TRUE(hasCodeFor(input({image(ImageKind::LtoIr, 80)}), sm90));
  EXPECT_TRUE(hasCodeFor(input({image(ImageKind::Unknown, 0)}), sm90));
  EXPECT_FALSE(hasCodeFor(input({image(ImageKind::Cubin, 80)}), sm90));
  EXPECT_FALSE(hasCodeFor(input({image(ImageKind::Ptx, 100)}), sm90));
  EXPECT_FALSE(hasCodeFor(input({}), sm90));
}

TEST(NvlinkInput, isJudgedByTheImageThatIsLinked) {
  const versions::Arch sm90{90, 0};
  NvlinkInput both = input({image(ImageKind::Ptx, 80, {9, 0}), image(ImageKind::Cubin, 90)});
  both.object.manifest.objects.push_back({{"", "13.0.88", "", ""}, 1});
  EXPECT_EQ(linkInputFor(both, sm90, false).kind, policy::Artifact::Cubin);
  EXPECT_EQ(linkInputFor(both, sm90, false).producer, (versions::CudaVersion{13, 0}));
  EXPECT_EQ(linkInputFor(both, {100, 0}, false).kind, policy::Artifact::Ptx);
  EXPECT_EQ(linkInputFor(both, {100, 0}, false).isa, (versions::CudaVersion{9, 0}));
  NvlinkInput lto = input({image(ImageKind::LtoIr, 90, {1, 61})});
  EXPECT_EQ(linkInputFor(lto, sm90, true).kind, policy::Artifact::LtoIr);
  EXPECT_TRUE(linkInputFor(lto, sm90, true).producer.known());
}

static NvlinkInput referring(std::vector<std::string> kernels, std::vector<std::string> variables) {
  NvlinkInput input;
  input.object.kernels = std::move(kernels);
  input.object.variables = std::move(variables);
  return input;
}

TEST(ReferenceOptions, nameWhatHostCodeRefersTo) {
  NvlinkInput one = referring({"_Z1k*"}, {}), two = referring({"_Z1k*", "_Z1l*"}, {"v"});
  EXPECT_THAT(referenceOptions({&one, &two}, false),
              ElementsAre("-kernels-used=_Z1k*", "-kernels-used=_Z1l*"));
  EXPECT_THAT(referenceOptions({&one, &two}, true),
              ElementsAre("-kernels-used=_Z1k*", "-kernels-used=_Z1l*", "-variables-used=v"));
  EXPECT_THAT(referenceOptions({&one}, true),
              ElementsAre("-kernels-used=_Z1k*", "-optimize-unused-variables"));
}

TEST(ReferenceOptions, keepAllIfNoKernelIsReferredTo) {
  NvlinkInput none = referring({}, {"v"});
  EXPECT_THAT(referenceOptions({&none}, true), IsEmpty());
}

TEST(Nvlink, isAnsweredOnlyInItsDirectory) {
  test::FakeSystem fake;
  EXPECT_EQ(commands::nvlink(fake.system, {"nvlink"}), std::nullopt);
  fake.system.self = "/bin/nvlink";
  EXPECT_EQ(commands::nvlink(fake.system, {"nvlink"}), std::nullopt);
  fake.files.file("/d/cuda-cc.facts", "cuda-cc-toolchain\t2\tanonymous\n"
                                      "device-linker-program\t/t/nvlink\t/l.so\t13.0\tx\t/h\n");
  fake.files.program("/d/bin/nvlink", "cuda-cc");
  fake.system.self = "/d/bin/nvlink";
  EXPECT_EQ(commands::nvlink(fake.system, {"nvlink", "--version"}), 0);
  ASSERT_EQ(fake.runner.started.size(), 1u);
  EXPECT_THAT(fake.runner.started[0].argv.strings(), ElementsAre("/t/nvlink", "--version"));
  EXPECT_EQ(commands::nvlink(fake.system, {"nvlink", "-arch=sm_90", "missing.o"}), 4);
  EXPECT_EQ(fake.runner.started.size(), 1u);
}
