// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/LoadFailure.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using policy::fileFailure;
using testing::ElementsAre;

namespace {
LoadResult failed(const char *words, bool byPath = true) {
  LoadResult load;
  load.missing = "libx.so";
  load.askedBy = "/v/user.so";
  load.unloadable = "/w/libx.so";
  load.failure = (byPath ? load.unloadable : load.missing) + ": " + words;
  return load;
}
std::string codeOf(const LoadResult &load) {
  auto finding = fileFailure(load);
  return finding ? str(finding->code) + " " + finding->message : "";
}
std::vector<std::string> labelsOf(const LoadResult &load) {
  auto finding = fileFailure(load);
  std::vector<std::string> labels;
  for (const Fact &fact : finding.value().facts)
    labels.push_back(fact.label);
  return labels;
}
} // namespace

TEST(FileFailure, byTheLoadersWords) {
  EXPECT_EQ(codeOf(failed("file too short")), "CC4123 libx.so is truncated");
  EXPECT_EQ(codeOf(failed("cannot read file data")), "CC4123 libx.so is truncated");
  EXPECT_EQ(codeOf(failed("failed to map segment from shared object", false)),
            "CC4124 libx.so cannot be mapped");
  for (const char *words :
       {"cannot read file data: Is a directory", "object file has no dynamic section",
        "invalid ELF header", "only ET_DYN and ET_EXEC can be loaded",
        "cannot dynamically load executable",
        "cannot dynamically load position-independent executable"})
    EXPECT_EQ(codeOf(failed(words)), "CC4125 libx.so is not a library") << words;
  for (const char *words :
       {"ELF file OS ABI invalid", "ELF load command address/offset not page-aligned",
        "object file has no loadable segments", "nonzero padding in e_ident",
        "unsupported version 2 of Verneed record", "unexpected reloc type 0x29"})
    EXPECT_EQ(codeOf(failed(words)), "CC4123 libx.so is damaged") << words;
  EXPECT_EQ(codeOf(failed("shared object cannot be dlopen()ed")),
            "CC4125 libx.so cannot be opened by dlopen");
}

TEST(FileFailure, whatIsNotThereIsNoDamagedFile) {
  LoadResult load = failed("cannot open shared object file: No such file or directory", false);
  EXPECT_EQ(codeOf(load), "");
  load.unloadable.clear();
  EXPECT_EQ(codeOf(load), "");
  EXPECT_EQ(codeOf(LoadResult()), "");
  EXPECT_EQ(codeOf(failed("wrong ELF class: ELFCLASS32", false)), "");
  load.missing = "ELF file.so";
  load.failure = "ELF file.so: cannot open shared object file: No such file or directory";
  EXPECT_EQ(codeOf(load), "") << "a library may have the name of a message";
}

TEST(FileFailure, hasTheFactsThatAreKnown) {
  LoadResult load = failed("ELF file OS ABI invalid");
  load.askedBy.clear();
  EXPECT_THAT(labelsOf(load), ElementsAre("file", "loader"));
  EXPECT_THAT(fileFailure(load)->fixes, testing::IsEmpty());
  EXPECT_THAT(labelsOf(failed("invalid ELF header")),
              ElementsAre("file", "because", "loader", "needed by"));
  load = failed("failed to map segment from shared object", false);
  load.detail = "on a file system that is mounted noexec";
  EXPECT_THAT(labelsOf(load), ElementsAre("file", "where", "loader", "needed by"));
}

TEST(FileFailure, namesWhatBroughtIt) {
  LoadResult load = failed("it is truncated", false);
  load.endsProcess = true;
  load.detail = "5 bytes";
  load.package = "x==1";
  auto finding = fileFailure(load);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->code, Code::Damaged);
  EXPECT_THAT(finding->fixes, ElementsAre("pip install --force-reinstall --no-deps x==1"));
  EXPECT_EQ(finding->message, "libx.so is truncated");
  EXPECT_EQ(finding->facts[1].label, "size");
  EXPECT_EQ(finding->facts[1].text, "5 bytes");
  EXPECT_EQ(finding->facts.back().text, "/v/user.so");
}

TEST(FileFailure, saysWhatContradictsItself) {
  LoadResult load = failed("it is damaged: SIGBUS or SIGSEGV when it is mapped", false);
  load.endsProcess = true;
  load.detail = "its dynamic section names no symbols or no strings";
  auto finding = fileFailure(load);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->message, "libx.so is damaged");
  EXPECT_EQ(finding->facts[1].label, "because");
  EXPECT_EQ(finding->facts[1].text, load.detail);
}

TEST(KindFailure, byKindAndName) {
  auto code = [](const char *path, BinaryKind kind, bool lacksDynamic, bool isFixed = false) {
    BinaryFacts facts;
    facts.isFixed = isFixed;
    facts.path = path;
    facts.kind = kind;
    facts.lacksDynamic = lacksDynamic;
    return policy::kindFailure(facts).has_value();
  };
  EXPECT_TRUE(code("/w/_C.abi3.so", BinaryKind::Executable, false));
  EXPECT_FALSE(code("/w/tool", BinaryKind::Executable, false));
  EXPECT_FALSE(code("/w/tool.so", BinaryKind::Executable, false)) << "some programs have that name";
  EXPECT_FALSE(code("/w/libx.so", BinaryKind::Executable, false)) << "dlopen takes it";
  EXPECT_TRUE(code("/w/libx.so.1", BinaryKind::Executable, false, true));
  EXPECT_FALSE(code("/w/tool.so", BinaryKind::Executable, false, true));
  EXPECT_TRUE(code("/w/libx.so.1", BinaryKind::SharedObject, true));
  EXPECT_FALSE(code("/w/libx.so.1.debug", BinaryKind::SharedObject, true));
  EXPECT_FALSE(code("/w/x.debug", BinaryKind::SharedObject, true));
  EXPECT_FALSE(code("/w/libx.so.1", BinaryKind::SharedObject, false));
}

TEST(InitFunction, isAnErrorOfAnImport) {
  EXPECT_EQ(policy::lacksInitFunction("/w/_C.so", "PyInit__C", true).severity, Severity::Error);
  EXPECT_EQ(policy::lacksInitFunction("/w/_C.so", "PyInit__C", false).severity, Severity::Warning);
}

TEST(KindFailure, whatDebuggersReadIsNamedSo) {
  BinaryFacts facts;
  facts.lacksDynamic = true;
  for (const char *path : {"/w/libx.so.debug", "/w/libx.debug", "/usr/lib/debug/.build-id/ab/cd"}) {
    facts.path = path;
    EXPECT_TRUE(policy::isForDebuggers(facts)) << path;
  }
  facts.path = "/w/libx.so.1";
  EXPECT_FALSE(policy::isForDebuggers(facts));
  facts.path = "/w/x.debug";
  facts.lacksDynamic = false;
  EXPECT_FALSE(policy::isForDebuggers(facts));
}
