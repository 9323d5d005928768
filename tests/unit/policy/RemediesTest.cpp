// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/Processes.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using cudacc::test::Processes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = policy::Remedy::Kind;

namespace {

struct Remedies : Processes {
  std::vector<Kind> kinds() {
    std::vector<Kind> out;
    for (const policy::Remedy &remedy : ways())
      if (out.empty() || out.back() != remedy.kind)
        out.push_back(remedy.kind);
    return out;
  }
  policy::Remedy first(Kind kind) {
    for (policy::Remedy &remedy : ways())
      if (remedy.kind == kind)
        return remedy;
    ADD_FAILURE() << "no way of kind " << str(kind);
    return {};
  }
  void newer() {
    lacks("__nvJitLinkCreate_12_5", "libnvJitLink.so.12");
    take("libnvJitLink.so.12", (std::string(test::site) + "/nvidia/nvjitlink/lib").c_str(),
         "12.4.127", "RPATH");
    file.needed = {"libnvJitLink.so.12"};
  }
};

} // namespace

TEST_F(Remedies, bestKindsStandFirst) {
  newer();
  installed.torch = "2.5.1+cu124";
  libraryPath = {"/old"};
  loaded[0].element = "/old";
  toolkits = {{"/opt/cuda-12.4", {12, 4}}};
  before = {"other"};
  policy::FoundCopy copy;
  copy.soname = "libnvJitLink.so.12";
  copy.path = "/opt/cuda-12.6/lib64/libnvJitLink.so.12";
  copy.where = "loader's cache";
  copies = {copy};
  EXPECT_THAT(kinds(), ElementsAre(Kind::Undo, Kind::Framework, Kind::Wheel, Kind::Rebuild,
                                   Kind::Relink, Kind::Order, Kind::Variable));
}

TEST_F(Remedies, whatIsInTheWayIsTakenAway) {
  newer();
  libraryPath = {"/a", "/old it's", "/b"};
  loaded[0].element = "/old it's";
  policy::Remedy remedy = first(Kind::Undo);
  EXPECT_THAT(remedy.commands, ElementsAre("export LD_LIBRARY_PATH=/a:/b"));
  EXPECT_THAT(*remedy.change.libraryPath, ElementsAre("/a", "/b"));
  libraryPath = {"/old it's"};
  EXPECT_THAT(first(Kind::Undo).commands, ElementsAre("unset LD_LIBRARY_PATH"));
  loaded[0].element.clear();
  for (const policy::Remedy &each : ways())
    EXPECT_NE(each.kind, Kind::Undo);
}

TEST_F(Remedies, oneWheelIsRaisedToTheFirstThatHasAllNames) {
  newer();
  policy::Remedy remedy = first(Kind::Wheel);
  EXPECT_THAT(remedy.commands, ElementsAre("pip install 'nvidia-nvjitlink-cu12>=12.5,<13'"));
  ASSERT_EQ(remedy.change.wheels.size(), 1u);
  EXPECT_EQ(remedy.change.wheels[0].second, "12.5.40");
  EXPECT_EQ(remedy.price, "");
  installed.torch = "2.5.1+cu124";
  EXPECT_THAT(first(Kind::Wheel).price, HasSubstr("requires 12.4.127"));
}

TEST_F(Remedies, whatTheFrameworkRequiresComesBeforeAnotherFramework) {
  lacksFile("libcupti.so.12");
  installed.torch = "2.6.0+cu124";
  ASSERT_THAT(kinds(), testing::SizeIs(testing::Ge(2u)));
  EXPECT_THAT(kinds()[0], Kind::Wheel);
  EXPECT_THAT(first(Kind::Wheel).commands,
              ElementsAre("pip install nvidia-cuda-cupti-cu12==12.4.127"));
  EXPECT_THAT(kinds()[1], Kind::Framework);
}

// Torch's own names come and go with its releases; CUDA's stay.
TEST_F(Remedies, anOlderTorchOfTheSameCudaIsForWhatUsesTorch) {
  newer();
  installed.torch = "2.6.0+cu124";
  auto lowered = [&] {
    return llvm::any_of(ways(), [](const policy::Remedy &each) {
      return each.text == "lower torch to 2.5.1 (CUDA 12.4)" && each.change.torch == "2.5.1";
    });
  };
  EXPECT_FALSE(lowered());
  file.needed.push_back("libc10.so");
  EXPECT_TRUE(lowered());
}

// pip takes 2.9.0+cu130 for torch==2.9.0.
TEST_F(Remedies, anotherBuildOfTheInstalledTorchIsForced) {
  lacksFile("libcudart.so.12");
  file.needed = {"libcudart.so.12"};
  installed.libraries.clear();
  installed.line = {13, 0};
  installed.torch = "2.9.0+cu130";
  policy::Remedy change = first(Kind::Framework);
  EXPECT_EQ(change.text, "change torch to 2.9.0 (CUDA 12.8)");
  EXPECT_THAT(change.commands, ElementsAre("pip install --force-reinstall torch==2.9.0"));
  installed.torch = "2.11.0+cu130";
  EXPECT_THAT(first(Kind::Framework).commands, ElementsAre("pip install torch==2.10.0"));
}

TEST_F(Remedies, aNewerWheelIsNoFixForACopyFromElsewhere) {
  newer();
  Target taken = installed;
  for (TargetLibrary &row : taken.libraries)
    if (row.soname == "libnvJitLink.so.12")
      row.path = "/old/libnvJitLink.so.12";
  policy::RemedyContext context;
  context.pip = "pip install";
  made().target = &taken;
  for (const policy::Remedy &each : policy::remediesFor(process, context))
    EXPECT_NE(each.kind, Kind::Wheel);
}

TEST_F(Remedies, aWheelThatIsNotThereIsInstalled) {
  lacksFile("libcublas.so.12");
  EXPECT_THAT(first(Kind::Wheel).commands,
              ElementsAre(HasSubstr("pip install nvidia-cublas-cu12==12.4.")));
  lacksFile("libcudart.so.13");
  EXPECT_THAT(first(Kind::Wheel).commands, ElementsAre(HasSubstr("nvidia-cuda-runtime==13.")));
  lacksFile("libcudart.so.12");
  for (const policy::Remedy &each : ways())
    EXPECT_NE(each.kind, Kind::Wheel) << "it is there";
}

TEST_F(Remedies, whatALibraryOpensComesWithItsOwnWheel) {
  const char *cudnn = "/env/nvidia/cudnn/lib/libcudnn.so.9";
  load.notOpened = {{"libcudnn_ops.so.9", cudnn}};
  copies = {{"libcudnn.so.9", cudnn, "environment", "nvidia-cudnn-cu12", "9.1.0.70", {}}};
  EXPECT_THAT(first(Kind::Wheel).commands,
              ElementsAre("pip install --force-reinstall --no-deps nvidia-cudnn-cu12==9.1.0.70"));
  // What Python code opens may be another package's.
  load.notOpened = {{"libcufft.so.11", "jax-cuda12-plugin"}};
  EXPECT_EQ(first(Kind::Wheel).text, "install nvidia-cufft-cu12");
}

TEST_F(Remedies, withoutPipNothingIsInstalled) {
  newer();
  installed.torch = "2.5.1+cu124";
  for (const policy::Remedy &each : ways(""))
    EXPECT_TRUE(each.kind != Kind::Wheel && each.kind != Kind::Framework);
}

TEST_F(Remedies, condasPackagesAreRaisedByConda) {
  newer();
  for (TargetLibrary &row : installed.libraries)
    if (row.soname == "libnvJitLink.so.12") {
      row.folder.clear();
      row.path = "/w/conda/lib/libnvJitLink.so.12";
    }
  policy::FoundCopy copy;
  copy.soname = "libnvJitLink.so.12";
  copy.path = "/w/conda/lib/libnvJitLink.so.12";
  copy.dist = "libnvjitlink";
  copies = {copy};
  policy::RemedyContext context;
  context.conda = "conda install -p /w/conda";
  std::vector<policy::Remedy> ways = policy::remediesFor(made(), context);
  ASSERT_FALSE(ways.empty());
  EXPECT_THAT(ways[0].commands, ElementsAre("conda install -p /w/conda 'libnvjitlink>=12.5,<13'"));
}

TEST_F(Remedies, onlyToolkitsOfTheRuntimesLineBuildAgain) {
  newer();
  toolkits = {{"/opt/13", {13, 0}}, {"/opt/12.6", {12, 6}}, {"/opt/12.4", {12, 4}}};
  std::vector<CudaVersion> with;
  for (const policy::Remedy &each : ways())
    if (each.kind == Kind::Rebuild)
      with.push_back(each.change.toolkit);
  EXPECT_THAT(with, ElementsAre(CudaVersion{12, 4}));
  EXPECT_THAT(first(Kind::Rebuild).commands[0], HasSubstr("--toolkit=/opt/12.4"));
}

TEST_F(Remedies, searchPathAndNeededAreMended) { // LS-2
  file.needed = {"libcusparse.so.12"};
  file.hasRunpath = true;
  file.runpath = {"$ORIGIN/own", "${ORIGIN}/braced", "/build"};
  LoadStep step;
  step.name = "libnvJitLink.so.12";
  load.steps.push_back(step);
  lacks("__nvJitLinkComplete_12_4", "libnvJitLink.so.12", "/w/libcusparse.so.12");
  policy::Remedy remedy = first(Kind::Relink);
  EXPECT_THAT(remedy.change.needed, ElementsAre("libnvJitLink.so.12"));
  EXPECT_THAT(remedy.change.rpath,
              ElementsAre("$ORIGIN/../nvidia/nvjitlink/lib", "$ORIGIN/../nvidia/cusparse/lib",
                          "$ORIGIN/own", "${ORIGIN}/braced"));
  EXPECT_THAT(remedy.commands[0], HasSubstr("patchelf --add-needed libnvJitLink.so.12"));
  BinaryFacts mended = policy::relinked(file, remedy.change);
  EXPECT_FALSE(mended.hasRunpath);
  EXPECT_THAT(mended.needed, ElementsAre("libnvJitLink.so.12", "libcusparse.so.12"));
}

TEST_F(Remedies, aGraftedNameGetsItsOwnAgain) { // LS-44
  file.needed = {"libnvJitLink-96c42e41.so.12"};
  file.imports = {{"x", "libnvJitLink.so.12", "libnvJitLink-96c42e41.so.12", false},
                  {"cos", "GLIBC_2.2.5", "libm.so.6", false}};
  lacksFile("libnvJitLink-96c42e41.so.12");
  policy::Remedy remedy = first(Kind::Relink);
  BinaryFacts mended = policy::relinked(file, remedy.change);
  EXPECT_THAT(mended.needed, ElementsAre("libnvJitLink.so.12"));
  EXPECT_EQ(mended.imports[0].file, "libnvJitLink.so.12");
  EXPECT_EQ(mended.imports[1].file, "libm.so.6");
}

TEST_F(Remedies, anotherOrderOfImports) { // LS-20
  newer();
  before = {"torch"};
  policy::Remedy remedy = first(Kind::Order);
  EXPECT_THAT(remedy.commands, ElementsAre("python -c 'import ext.native, torch'"));
  EXPECT_THAT(*remedy.change.before, IsEmpty());
  file.needed.push_back("libtorch.so");
  for (const policy::Remedy &each : ways())
    EXPECT_NE(each.kind, Kind::Order) << "it can only be loaded behind torch";
}

TEST_F(Remedies, aFileBuiltAgainHasTheToolkitsNames) {
  file.needed = {"libcudart.so.13", "libm.so.6"};
  file.imports = {{"cudaMalloc", "libcudart.so.13", "libcudart.so.13", false},
                  {"cudaFree", "", "libcudart.so.13", false}};
  BinaryFacts built = policy::rebuilt(file, {12, 4}, installed);
  EXPECT_THAT(built.needed, ElementsAre("libcudart.so.12", "libm.so.6"));
  EXPECT_EQ(built.imports[0].version, "libcudart.so.12");
  EXPECT_EQ(built.imports[1].version, "");
  file.imports = {{"__nvJitLinkCreate_12_5", "libnvJitLink.so.12", "libnvJitLink.so.12", false},
                  {"__nvJitLinkCreate_12_3", "libnvJitLink.so.12", "libnvJitLink.so.12", false},
                  {"cudaGetDriverEntryPointByVersion", "libcudart.so.12", "libcudart.so.12", false},
                  {"cudaMalloc", "libcudart.so.12", "libcudart.so.12", false}};
  built = policy::rebuilt(file, {12, 4}, installed);
  ASSERT_EQ(built.imports.size(), 2u);
  EXPECT_EQ(built.imports[0].symbol, "__nvJitLinkCreate_12_3");
  EXPECT_EQ(built.imports[1].symbol, "cudaMalloc");
  // Nothing is known of a toolkit that no table has, and of a library whose names were not read.
  file.imports = {{"cudaGetDriverEntryPointByVersion", "libcudart.so.12", "libcudart.so.12", false},
                  {"nvmlInit_v2", "libnvidia-ml.so.1", "libnvidia-ml.so.1", false}};
  EXPECT_EQ(policy::rebuilt(file, {12, 99}, installed).imports.size(), 2u);
  EXPECT_EQ(policy::rebuilt(file, {12, 4}, installed).imports.size(), 1u);
}

TEST_F(Remedies, aFileOfAnOlderMajorIsServedByAnOlderTorch) {
  lacksFile("libcudart.so.12");
  file.needed = {"libcudart.so.12"};
  installed.libraries.clear();
  installed.line = {13, 0};
  installed.torch = "2.11.0+cu130";
  std::vector<std::string> torch;
  for (const policy::Remedy &each : ways())
    if (each.kind == Kind::Framework)
      torch.push_back(each.change.torch);
  ASSERT_FALSE(torch.empty());
  EXPECT_EQ(torch.front(), "2.10.0");
  EXPECT_THAT(first(Kind::Framework).text, HasSubstr("lower torch to 2.10.0 (CUDA 12.8)"));
}

TEST_F(Remedies, whatAnInstallerPutThereIsNotBuiltAgainFirst) {
  newer();
  toolkits = {{"/opt/12.4", {12, 4}}};
  policy::RemedyContext context;
  context.pip = "pip install";
  context.toolkits = toolkits;
  auto ownerOf = [](llvm::StringRef) { return policy::Owner{"some-package", "1.0"}; };
  context.ownerOf = ownerOf;
  before = {"other"};
  std::vector<Kind> kinds;
  for (const policy::Remedy &each : policy::remediesFor(made(), context))
    kinds.push_back(each.kind);
  EXPECT_THAT(kinds, ElementsAre(Kind::Wheel, Kind::Order, Kind::Rebuild, Kind::Relink));
}

TEST_F(Remedies, aWheelThatItsMetadataStillClaimsIsForced) {
  lacksFile("libcublas.so.12");
  std::vector<InstalledDistribution> claimed(1);
  policy::RemedyContext context;
  context.pip = "pip install";
  context.claimed = claimed;
  auto command = [&] { return policy::remediesFor(made(), context).front().commands.front(); };
  std::string plain = command();
  EXPECT_THAT(plain, testing::Not(HasSubstr("--force-reinstall")));
  claimed[0].name = "nvidia-cublas-cu12";
  claimed[0].version = llvm::StringRef(plain).rsplit("==").second.str();
  EXPECT_EQ(command(),
            "pip install --force-reinstall --no-deps nvidia-cublas-cu12==" + claimed[0].version);
  // What was installed counts where nothing else tells the line.
  claimed[0].version = "12.1.3.1";
  EXPECT_EQ(command(), plain);
  installed.line = {};
  EXPECT_EQ(command(), "pip install --force-reinstall --no-deps nvidia-cublas-cu12==12.1.3.1");
}

TEST_F(Remedies, aDamagedFileOfAPackageIsOnlyInstalledAgain) {
  lacksFile("libcublas.so.12");
  load.unloadable = "/site/nvidia/cublas/lib/libcublas.so.12";
  policy::RemedyContext context;
  context.pip = "pip install";
  std::string owner = "nvidia-cublas-cu12";
  auto ownerOf = [&](llvm::StringRef) { return policy::Owner{owner, "12.4.5.8"}; };
  context.ownerOf = ownerOf;
  load.failure = load.unloadable + ": invalid ELF header";
  EXPECT_THAT(policy::remediesFor(made(), context), IsEmpty());
  load.failure = load.unloadable + ": ELF file OS ABI invalid";
  EXPECT_THAT(policy::remediesFor(made(), context), IsEmpty());
  std::vector<Finding> findings(1);
  findings[0].code = Code::Damaged;
  findings[0].severity = Severity::Error;
  policy::advise(made(), context, findings);
  EXPECT_THAT(findings[0].facts, IsEmpty());
  EXPECT_THAT(findings[0].fixes,
              ElementsAre("pip install --force-reinstall --no-deps nvidia-cublas-cu12==12.4.5.8"));
  // Another version may do without, and nobody installs a file again that belongs to no package.
  load.failure = load.unloadable + ": cannot enable executable stack as shared object requires";
  EXPECT_THAT(policy::remediesFor(made(), context), Not(IsEmpty()));
  load.failure = load.unloadable + ": invalid ELF header";
  owner.clear();
  EXPECT_THAT(policy::remediesFor(made(), context), Not(IsEmpty()));
}

TEST_F(Remedies, aTorchaudioOfAnotherReleaseIsNamedWithTorchs) {
  lacksFile("libcudart.so.13");
  installed.torch = "2.6.0+cu124";
  policy::RemedyContext context;
  context.pip = "pip install";
  std::string version = "2.9.0";
  auto ownerOf = [&](llvm::StringRef) { return policy::Owner{"torchaudio", version}; };
  context.ownerOf = ownerOf;
  std::vector<Finding> findings(1);
  findings[0].severity = Severity::Error;
  policy::advise(made(), context, findings);
  EXPECT_THAT(findings[0].fixes, ElementsAre("pip install torchaudio==2.6.0"));
  version = "2.6.0";
  findings[0].fixes.clear();
  policy::advise(made(), context, findings);
  EXPECT_THAT(findings[0].fixes, IsEmpty());
  version = "2.6.0+cu118";
  policy::advise(made(), context, findings);
  EXPECT_THAT(findings[0].fixes,
              ElementsAre("pip install --force-reinstall --no-deps torchaudio==2.6.0"));
}

// Who is asked for another build is who asks for another CUDA.
struct Advice : Remedies {
  Finding finding;

  Advice() {
    finding.severity = Severity::Error;
    installed.torch = "2.5.1+cu124";
  }
  const Finding &advised(Code code, const char *library) {
    finding = Finding();
    finding.code = code;
    finding.library = library;
    finding.severity = Severity::Error;
    std::vector<Finding> findings{finding};
    policy::RemedyContext context;
    context.pip = "pip install";
    auto ownerOf = [&](llvm::StringRef path) {
      if (path == Processes::path())
        return policy::Owner{"ext", "1.0"};
      return path.contains("site-packages/other/") ? policy::Owner{"other", "2.0"}
                                                   : policy::Owner{};
    };
    context.ownerOf = ownerOf;
    policy::advise(made(), context, findings);
    return finding = findings[0];
  }
};

TEST_F(Advice, namesThePackageThatAsksForAnotherCuda) {
  lacksFile("libcudart.so.13");
  EXPECT_THAT(advised(Code::NotFound, "libcudart.so.13").fixes,
              ElementsAre("install a release of ext that is built for CUDA 12, up to 12.4",
                          "ask the maintainers of ext for a build for CUDA 12.4"));
  EXPECT_THAT(finding.facts, IsEmpty());
  load.askedBy = std::string(test::site) + "/other/libmid.so";
  advised(Code::NotFound, "libcudart.so.13");
  EXPECT_EQ(finding.fixes[1], "ask the maintainers of other for a build for CUDA 12.4");
  ASSERT_EQ(finding.facts.size(), 1u);
  EXPECT_EQ(finding.facts[0].text, load.askedBy + ", of other 2.0");
}

TEST_F(Advice, asksNobodyForWhatIsNotThePackages) {
  // A library of the runtime's major that is not reached, and one of the package itself.
  lacksFile("libcudart.so.12");
  EXPECT_THAT(advised(Code::NotFound, "libcudart.so.12").fixes, IsEmpty());
  lacksFile("libmine.so.1");
  EXPECT_THAT(advised(Code::NotFound, "libmine.so.1").fixes, IsEmpty());
  // The system's libcusolver asks.
  lacksFile("libcublas.so.13");
  load.askedBy = "/usr/lib/x86_64-linux-gnu/libcusolver.so.12";
  EXPECT_THAT(advised(Code::NotFound, "libcublas.so.13").fixes, IsEmpty());
}

TEST_F(Advice, aCopyFromElsewhereIsNoFaultOfThePackage) {
  newer();
  EXPECT_EQ(advised(Code::NvJitLinkNewer, "libnvJitLink.so.12").fixes.size(), 2u);
  Target taken = installed;
  for (TargetLibrary &row : taken.libraries)
    row.path = "/old/" + row.soname;
  policy::ProcessCase &process = made();
  process.target = &taken;
  std::vector<Finding> findings{finding};
  findings[0].fixes.clear();
  policy::RemedyContext context;
  auto ownerOf = [](llvm::StringRef) { return policy::Owner{"ext", "1.0"}; };
  context.ownerOf = ownerOf;
  policy::advise(process, context, findings);
  EXPECT_THAT(findings[0].fixes, IsEmpty());
}

TEST_F(Advice, aMismatchWithTorchIsAReleaseForTorch) {
  file.needed = {"libc10.so"};
  lacks("_ZNK3c1010TensorImpl15decref_pyobjectEv", "");
  process.torch = "2.5.1+cu124";
  EXPECT_THAT(advised(Code::TorchLacks, "libc10.so").fixes,
              ElementsAre("install a release of ext that is built for torch 2.5"));
}
