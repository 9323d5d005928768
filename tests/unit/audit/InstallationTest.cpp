// SPDX-License-Identifier: Apache-2.0
#include "Audited.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::test {

using namespace audit;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

const std::string wheels = "$ORIGIN/../nvidia/cuda_runtime/lib", beside = "$ORIGIN/../lib",
                  built = "/b", toolkit = "/cuda/lib64", installed = "/env";

std::vector<std::string> partsOf(const std::string &path) {
  std::vector<std::string> out;
  if (!path.empty())
    for (llvm::StringRef part : llvm::split(path, ':'))
      out.push_back(part.str());
  return out;
}

/// Search path after installing, joined; "stops": the installation fails.
std::string after(const std::string &built, PathEdit edit) {
  auto installed = installedPath(partsOf(built), edit);
  return installed ? llvm::join(*installed, ":") : "stops";
}

PathEdit change(const std::string &from, const std::string &to, bool drops = false) {
  return {"/b/libk.so", from, to, drops, false};
}

struct Row {
  const char *name;
  std::string built, from, to;
  bool drops;
  std::string installed;
};

} // namespace

// Values before and after CMake's own edit.
TEST(InstalledPath, asCMakeMakesThem) { // V2 to V27
  const Row rows[] = {
      {"V2 T1", wheels + ":" + built + ":", built + ":", "", false, wheels},
      {"V2 T2", wheels + ":" + toolkit + ":", toolkit + ":", "", false, wheels},
      {"V3 T0", wheels + "::::::::::::::", "::::::::::::::", beside, false, wheels + ":" + beside},
      {"V3 T1", wheels + ":" + built + "::::::::::::", built + "::::::::::::", beside, false,
       wheels + ":" + beside},
      {"V8 T1", wheels + ":$ORIGIN:", "$ORIGIN:", "", false, wheels},
      {"V9 T2", wheels + ":" + toolkit + ":", toolkit + ":", toolkit, false,
       wheels + ":" + toolkit},
      {"V9 T2 O", wheels + ":" + toolkit + "::::::::", toolkit + "::::::::", beside + ":" + toolkit,
       false, wheels + ":" + beside + ":" + toolkit},
      {"V11 T1", wheels + ":" + installed + ":" + built + ":", built + ":", "", false,
       wheels + ":" + installed},
      {"V12 T1", wheels + ":" + installed + ":" + built + ":", built + ":", "", true, ""},
      {"V13 T2", wheels + ":" + toolkit + ":", toolkit + ":", "", true, ""},
      {"V14 T2", toolkit + ":" + toolkit + ":", toolkit + ":", "", false, toolkit},
      {"V20 T0", wheels + ":", wheels + ":", wheels, false, wheels},
      {"V21 T1", wheels + ":" + built + ":", wheels + ":" + built + ":", wheels + ":" + beside,
       false, wheels + ":" + beside},
      {"V22 T1", wheels + ":" + built + ":", wheels + ":" + built + ":", wheels + ":" + beside,
       true, wheels + ":" + beside},
      {"V27 T1", wheels + ":" + built + ":", wheels + ":" + built + ":", "", false, ""},
      {"V1 T1", built + ":", built + ":", "", false, ""},
  };
  for (const Row &row : rows)
    EXPECT_EQ(after(row.built, change(row.from, row.to, row.drops)), row.installed) << row.name;
}

TEST(InstalledPath, stopsWhereTheOldOneIsNotFound) { // V19b
  EXPECT_EQ(after(wheels, change(built + ":", beside)), "stops");
  EXPECT_EQ(after("/bx:" + wheels, change("/b", beside)), "stops") << "whole elements";
  EXPECT_EQ(after(wheels + ":" + beside, change(built + ":", beside)), wheels + ":" + beside)
      << "there already";
}

TEST(InstalledPath, mayBeSetWhateverItWas) {
  EXPECT_EQ(after(wheels + ":" + built, {"/b/libk.so", "", beside, false, true}), beside);
  EXPECT_EQ(after(wheels, {"/b/libk.so", "", "", false, true}), "");
}

namespace {

/// \p gone is removed element by element, with padding; \p to is put in front (3.4).
PathEdit byElement(const std::string &gone, const std::string &to) {
  return {"/b/libk.so", gone, to, false, false, true, 'X'};
}

} // namespace

TEST(InstalledPath, mayBeEditedElementByElement) {
  EXPECT_EQ(after(wheels + ":$ORIGIN/", byElement("$ORIGIN/", "")), wheels);
  EXPECT_EQ(after(wheels + ":$ORIGIN/:XXXXXX", byElement("$ORIGIN/", beside)),
            beside + ":" + wheels);
  EXPECT_EQ(after("XXXX", byElement("", "")), "");
  EXPECT_EQ(after(wheels + ":" + beside + ":XaX", byElement("", beside)),
            beside + ":" + wheels + ":XaX")
      << "each once";
}

namespace {

/// A correct library that is installed, with this path and edit.
struct Installed : Audited {
  explicit Installed(const std::string &path) {
    good("k");
    model.targets[0].destinations = {"lib"};
    core::BinaryFacts &facts = artefact("/b/libk.so");
    facts.hasRpath = true;
    facts.rpath = partsOf(path);
  }
  Installed &edited(const PathEdit &edit) {
    model.edits.push_back(edit);
    return *this;
  }
};

} // namespace

TEST(AuditInstallation, keepsOursAndIsAccepted) { // V2
  EXPECT_THAT(Installed(wheels + ":" + built + ":").edited(change(built + ":", "")).findings(),
              IsEmpty());
}

TEST(AuditInstallation, nameWhatIsLost) { // V12, V13, V27, V29
  const PathEdit edits[] = {change(built + ":", "", true), change(wheels + ":" + built + ":", "")};
  for (const PathEdit &edit : edits) {
    Installed build(wheels + ":" + built + ":");
    build.edited(edit);
    EXPECT_THAT(build.findings(), ElementsAre("CC6008 k install /s/CMakeLists.txt:5"));
    core::Finding finding = build.report().findings[0].finding;
    EXPECT_EQ(finding.message, "install drops " + wheels);
    EXPECT_EQ(factOf(finding, "installed"), "no search path");
  }
}

TEST(AuditInstallation, whatIsNotInstalledLosesNothing) {
  Installed build(wheels + ":" + built + ":");
  build.edited(change(built + ":", "", true)).model.targets[0].destinations.clear();
  EXPECT_THAT(build.findings(), IsEmpty());
}

TEST(AuditInstallation, CMakesOwnOriginIsNotOurs) { // V8
  EXPECT_THAT(Installed(wheels + ":$ORIGIN:").edited(change("$ORIGIN:", "")).findings(), IsEmpty());
}

// In layouts other than wheels, the element itself does not show its origin: elements that the
// build system did not write.
TEST(AuditInstallation, otherLayoutsCountByWhoPutThem) {
  Installed build("$ORIGIN/../../lib:" + built + ":");
  build.edited(change(built + ":", "", true));
  EXPECT_THAT(build.findings(), ElementsAre("CC6008 k install /s/CMakeLists.txt:5"));
  Installed theirs("$ORIGIN/../../lib:" + built + ":");
  theirs.edited(change("$ORIGIN/../../lib:" + built + ":", ""));
  EXPECT_THAT(theirs.findings(), IsEmpty());
}

TEST(AuditInstallation, namePathsOfThisMachine) { // V9, V25
  for (const std::string &left : {std::string("/td/lib64"), std::string("/b/sub"), toolkit}) {
    Installed build(wheels + ":" + left + ":");
    build.model.targets[0].linkWords = {"/cuda/lib64/libcudart.so"};
    build.edited(change(left + ":", left));
    EXPECT_THAT(build.findings(), ElementsAre("CC6009 k install /s/CMakeLists.txt:5")) << left;
    EXPECT_EQ(build.report().findings[0].finding.message, "install leaves " + left);
    EXPECT_EQ(build.report().verdict().outcome(), core::Outcome::Accept) << "a warning";
  }
}

TEST(AuditInstallation, withoutAnEditTheBuiltPathIsInstalled) { // V5
  EXPECT_THAT(Installed(wheels).findings(), IsEmpty());
  EXPECT_THAT(Installed(wheels + ":/td/lib64").findings(),
              ElementsAre("CC6009 k install /s/CMakeLists.txt:5"));
}

TEST(AuditInstallation, anEditByElementFollowsTheSameRules) {
  EXPECT_THAT(Installed(wheels + ":/b/sub").edited(byElement("/b/sub", beside)).findings(),
              IsEmpty());
  EXPECT_THAT(
      Installed(wheels + ":$ORIGIN/").edited(byElement(wheels + ":$ORIGIN/", "")).findings(),
      ElementsAre("CC6008 k install /s/CMakeLists.txt:5"));
  EXPECT_THAT(Installed(wheels + ":/b/sub").edited(byElement("", "")).findings(),
              ElementsAre("CC6009 k install /s/CMakeLists.txt:5"));
}

TEST(AuditInstallation, directoriesOfOthersAreTheProjectsMatter) {
  EXPECT_THAT(Installed(wheels + ":/opt/vendor/lib").findings(), IsEmpty());
  EXPECT_THAT(Installed(wheels + ":/tdx/lib").findings(), IsEmpty()) << "whole folders";
}

} // namespace cudacc::test
