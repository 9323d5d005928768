// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Inspect.h"
#include "llvm/ADT/SmallVector.h"
#include "gmock/gmock.h"

using namespace cudacc;

namespace {

bool isNvidia(llvm::StringRef soname) {
  return soname.starts_with("libnv") || soname.starts_with("libcu");
}

core::LinkRecord link() {
  core::LinkRecord record;
  record.tool = "cuda-cc-0.1.0";
  record.targetCuda = "12.4";
  record.targetSpec = "torch==2.5.1";
  record.toolkitMax = "12.4.131";
  record.toolkitMin = "12.0.140";
  record.host = "gcc-12.2.0";
  record.linker = "bfd-2.40";
  record.cudart = "shared";
  record.floor = {{"libcudart.so.12", "12.0.107"}, {"libnvJitLink.so.12", "12.4.99"}};
  record.noted = 11;
  record.unnoted = 1;
  return record;
}

core::BinaryFacts extension() {
  core::BinaryFacts file;
  file.path = "ext.so";
  file.kind = core::BinaryKind::SharedObject;
  file.machine = 62;
  file.needed = {"libnvJitLink.so.12", "libcudart.so.12", "libstdc++.so.6", "libc.so.6"};
  file.hasRpath = true;
  file.rpath = {"$ORIGIN/../nvidia/nvjitlink/lib", "$ORIGIN/nvidia/nvjitlink/lib"};
  file.imports = {{"__nvJitLinkCreate_12_4", "libnvJitLink.so.12", "libnvJitLink.so.12"},
                  {"printf", "GLIBC_2.2.5", "libc.so.6"},
                  {"cudaA", "libcudart.so.12", "libcudart.so.12"},
                  {"cudaB", "libcudart.so.12", "libcudart.so.12"},
                  {"cudaC", "libcudart.so.12", "libcudart.so.12"},
                  {"cudaD", "libcudart.so.12", "libcudart.so.12"}};
  file.manifest.links = {link()};
  file.manifest.sealed = true;
  file.manifest.objects = {{{"cuda-cc-0.1.0", "12.4.131", "12.4", "gcc-12.2.0"}, 10},
                           {{"cuda-cc-0.1.0", "", "12.4", "gcc-12.2.0"}, 1}};
  return file;
}

} // namespace

TEST(Inspect, sharedObject) {
  EXPECT_EQ(report::inspect({extension(), {}, {}}, isNvidia),
            "ext.so: shared object, x86_64\n"
            "  manifest     for torch==2.5.1 (CUDA 12.4), sealed, by cuda-cc-0.1.0\n"
            "  built with   CUDA 12.0.140 to 12.4.131, gcc-12.2.0, bfd-2.40, cudart shared\n"
            "  floor        libcudart.so.12     >= 12.0.107\n"
            "               libnvJitLink.so.12  >= 12.4.99\n"
            "  objects      10x  nvcc 12.4.131, headers 12.4, gcc-12.2.0, cuda-cc-0.1.0\n"
            "                1x  headers 12.4, gcc-12.2.0, cuda-cc-0.1.0\n"
            "               1 of 12 without a record\n"
            "  needs        libnvJitLink.so.12  __nvJitLinkCreate_12_4\n"
            "               libcudart.so.12     cudaA, cudaB, cudaC and 1 more\n"
            "               libstdc++.so.6, libc.so.6\n"
            "  search path  RPATH  $ORIGIN/../nvidia/nvjitlink/lib\n"
            "                      $ORIGIN/nvidia/nvjitlink/lib\n");
}

// For an archive on the link line, the number of its members without a record is unknown.
TEST(Inspect, anUnknownNumberIsReported) {
  core::BinaryFacts file = extension();
  auto has = [&](llvm::StringRef text) {
    return llvm::StringRef(report::inspect({file, {}, {}}, isNvidia)).contains(text);
  };
  file.manifest.links[0].unnoted.reset();
  EXPECT_TRUE(has("how many have no record is unknown"));
  file.manifest.objects.clear();
  EXPECT_TRUE(has("objects      how many have no record is unknown"));
  file.manifest.links[0].unnoted = 2;
  EXPECT_TRUE(has("objects      2 of 2 without a record"));
  file.manifest.links[0].unnoted = 0;
  EXPECT_FALSE(has("record"));
  // Without a link record there are no counts.
  file.manifest.links.clear();
  EXPECT_FALSE(has("record"));
}

TEST(Inspect, foreignObjectAndArchive) {
  core::BinaryFacts object;
  object.path = "a.o";
  object.kind = core::BinaryKind::Relocatable;
  object.machine = 183;
  EXPECT_EQ(report::inspect({object, {}, {}}, isNvidia), "a.o: object, aarch64\n"
                                                         "  manifest     none\n");

  core::BinaryFacts archive;
  archive.path = "liba.a";
  archive.kind = core::BinaryKind::Archive;
  EXPECT_EQ(report::inspect({archive, {}, {}}, isNvidia), "liba.a: archive\n"
                                                          "  members      none with a record\n");
  archive.members = {{"long_name.o", {}}, {"b.o", {}}};
  archive.members[0].manifest.objects = {{{"", "12.4.131", "", ""}, 1}, {{"", "", "12.4", ""}, 2}};
  EXPECT_EQ(report::inspect({archive, {}, {}}, isNvidia),
            "liba.a: archive\n"
            "  members      long_name.o  nvcc 12.4.131\n"
            "                            2x headers 12.4\n"
            "               b.o          no object record\n");
}

TEST(Inspect, whatIsWrongStandsOut) {
  core::BinaryFacts file;
  file.path = "x";
  file.kind = core::BinaryKind::Executable;
  file.hasRunpath = true;
  file.executableStack = true;
  file.imports = {{"nvFoo", "libnvFoo.so.1", "libnvFoo.so.1"}};
  file.manifest.links.resize(2);
  file.manifest.links[1].enforce = "off";
  file.manifest.links[1].waivers = {{"CC3005=warning", "CC4003: why, and how"}};
  file.manifest.links[1].develop = true;
  file.manifest.onlyInSections = true;
  file.manifest.problems = {"JSON without NUL"};
  EXPECT_EQ(report::inspect({file, {}, {}}, isNvidia),
            "x: executable\n"
            "  manifest     no runtime was declared, not sealed\n"
            "  manifest     no runtime was declared, not sealed\n"
            "               enforce = off\n"
            "               develop: its search path names directories of the build machine\n"
            "               waived: CC3005=warning\n"
            "               waived: CC4003: why, and how\n"
            "               more than one link record [CC4110]\n"
            "               in sections only: nothing of it is seen at run time\n"
            "  objects      how many have no record is unknown\n"
            "  problem      JSON without NUL\n"
            "  needs        libnvFoo.so.1  not in NEEDED: nvFoo\n"
            "  search path  RUNPATH  (an empty element: the working directory)\n"
            "  stack        executable [CC4010]\n");
}

TEST(Inspect, staysWithin100ColumnsAndIsSafe) {
  core::BinaryFacts file = extension();
  file.soname = "lib\033[2Jx.so";
  for (int i = 0; i < 300; ++i)
    file.needed.push_back("libsomething" + std::to_string(i) + ".so.1");
  for (int i = 0; i < 100; ++i)
    file.rpath.push_back("/\xff" + std::to_string(i));
  std::string text = report::inspect({file, {}, {}}, isNvidia);
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("\033")));
  EXPECT_THAT(text, testing::HasSubstr("SONAME lib\\x1b[2Jx.so"));
  EXPECT_THAT(text, testing::HasSubstr("and 62 more\n"));
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines)
    EXPECT_LE(report::columns(line), 100u) << line.str();
}

TEST(Inspect, colourIsForLabels) {
  core::BinaryFacts file;
  file.path = "a.o";
  file.kind = core::BinaryKind::Relocatable;
  EXPECT_EQ(report::inspect({file, {}, {}}, isNvidia, {true}),
            "a.o: object\n"
            "  \033[2mmanifest\033[0m     none\n");
}

TEST(Inspect, deviceCodePerUnitAndEvidence) {
  using enum core::ImageKind;
  report::Inspected file{extension(), {}, {}};
  file.facts.manifest = {};
  core::DeviceUnit unit;
  unit.count = 12;
  unit.images = {{Cubin, core::Compression::None, core::HasCode::Yes, false, {80, 0}, {}},
                 {Cubin, core::Compression::None, core::HasCode::No, false, {90, 'a'}, {}},
                 {Ptx, core::Compression::Zstd, core::HasCode::No, false, {90, 0}, {8, 4}}};
  core::DeviceUnit linked;
  linked.linked = true;
  core::DeviceUnit lto;
  lto.home = core::DeviceUnit::Home::Relocatable;
  lto.images = {{LtoIr, core::Compression::None, core::HasCode::No, false, {90, 0}, {1, 61}}};
  file.facts.device.units = {unit, linked, lto};
  file.facts.device.limits = {"2^20 entries"};
  file.facts.exports = {{"PyInit_ext", "", false, true}, {"g", "V1", true, true}};
  file.facts.definedVersions = {"V1"};
  file.facts.dlopens = {"libcudart.so.12"};
  file.evidence = {{"SY-21", "PTX ISA 8.4", {12, 4}, {}},
                   {"SY-22", "imports __nvJitLinkCreate_12_4", {12, 4}, {12, 4}}};
  core::LibraryFloor floor;
  floor.soname = "libcudart.so.12";
  floor.least = *versions::Version::parse("12.0.107");
  floor.requirement = "nvidia-cuda-runtime-cu12>=12.0.107,<13";
  file.floor = {floor};
  std::string text = report::inspect(file, isNvidia);
  EXPECT_THAT(text,
              testing::HasSubstr(
                  "  opens        libcudart.so.12\n"
                  "  at least     libcudart.so.12  >= 12.0.107  "
                  "nvidia-cuda-runtime-cu12>=12.0.107,<13\n"
                  "  evidence     CUDA >= 12.4  PTX ISA 8.4\n"
                  "               CUDA 12.4     imports __nvJitLinkCreate_12_4\n"
                  "  device code  12x  sm_80, sm_90a (no code), PTX ISA 8.4 for compute_90; zstd\n"
                  "                1x  device link: empty\n"
                  "                1x  for run-time linking: LTO-IR 1.61 of lto_90\n"
                  "  problem      2^20 entries\n"
                  "  exports      2 names, versions V1\n"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("PyInit_ext")));
  file.facts.exports.pop_back();
  file.evidence[1].text = "launches by cudaLaunchKernel and registers what it launches by name";
  text = report::inspect(file, isNvidia);
  EXPECT_THAT(text, testing::HasSubstr("  exports      1 name, versions V1\n"));
  EXPECT_THAT(text, testing::HasSubstr("\n               CUDA 12.4     launches by"));
  file.facts.exports.push_back({"g", "V1", true, true});
  file.listsExports = true;
  EXPECT_TRUE(llvm::StringRef(report::inspect(file, isNvidia))
                  .ends_with("               PyInit_ext\n               g@V1 (weak)\n"));
}

TEST(Inspect, whatWasNotLookedInto) {
  core::BinaryFacts file;
  file.path = "x";
  file.notAudited = "32-bit ELF";
  EXPECT_EQ(report::inspect({file, {}, {}}, isNvidia), "x: other\n"
                                                       "  not audited  32-bit ELF\n");
  core::BinaryFacts object;
  object.path = "a.o";
  object.kind = core::BinaryKind::Relocatable;
  object.compilerIr = true;
  EXPECT_THAT(
      report::inspect({object, {}, {}}, isNvidia),
      testing::HasSubstr("  imports      compiler IR: what it needs shows at the link only"));
}
