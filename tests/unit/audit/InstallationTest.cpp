// SPDX-License-Identifier: Apache-2.0
#include "Audited.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::test {

using namespace audit;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

const std::string D = "$ORIGIN/../nvidia/cuda_runtime/lib", O = "$ORIGIN/../lib", B = "/b",
                  K = "/cuda/lib64", E = "/env";

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
      {"V2 T1", D + ":" + B + ":", B + ":", "", false, D},
      {"V2 T2", D + ":" + K + ":", K + ":", "", false, D},
      {"V3 T0", D + "::::::::::::::", "::::::::::::::", O, false, D + ":" + O},
      {"V3 T1", D + ":" + B + "::::::::::::", B + "::::::::::::", O, false, D + ":" + O},
      {"V8 T1", D + ":$ORIGIN:", "$ORIGIN:", "", false, D},
      {"V9 T2", D + ":" + K + ":", K + ":", K, false, D + ":" + K},
      {"V9 T2 O", D + ":" + K + "::::::::", K + "::::::::", O + ":" + K, false,
       D + ":" + O + ":" + K},
      {"V11 T1", D + ":" + E + ":" + B + ":", B + ":", "", false, D + ":" + E},
      {"V12 T1", D + ":" + E + ":" + B + ":", B + ":", "", true, ""},
      {"V13 T2", D + ":" + K + ":", K + ":", "", true, ""},
      {"V14 T2", K + ":" + K + ":", K + ":", "", false, K},
      {"V20 T0", D + ":", D + ":", D, false, D},
      {"V21 T1", D + ":" + B + ":", D + ":" + B + ":", D + ":" + O, false, D + ":" + O},
      {"V22 T1", D + ":" + B + ":", D + ":" + B + ":", D + ":" + O, true, D + ":" + O},
      {"V27 T1", D + ":" + B + ":", D + ":" + B + ":", "", false, ""},
      {"V1 T1", B + ":", B + ":", "", false, ""},
  };
  for (const Row &row : rows)
    EXPECT_EQ(after(row.built, change(row.from, row.to, row.drops)), row.installed) << row.name;
}

TEST(InstalledPath, stopsWhereTheOldOneIsNotFound) { // V19b
  EXPECT_EQ(after(D, change(B + ":", O)), "stops");
  EXPECT_EQ(after("/bx:" + D, change("/b", O)), "stops") << "whole elements";
  EXPECT_EQ(after(D + ":" + O, change(B + ":", O)), D + ":" + O) << "there already";
}

TEST(InstalledPath, mayBeSetWhateverItWas) {
  EXPECT_EQ(after(D + ":" + B, {"/b/libk.so", "", O, false, true}), O);
  EXPECT_EQ(after(D, {"/b/libk.so", "", "", false, true}), "");
}

namespace {

/// \p gone is removed element by element, with padding; \p to is put in front (3.4).
PathEdit byElement(const std::string &gone, const std::string &to) {
  return {"/b/libk.so", gone, to, false, false, true, 'X'};
}

} // namespace

TEST(InstalledPath, mayBeEditedElementByElement) {
  EXPECT_EQ(after(D + ":$ORIGIN/", byElement("$ORIGIN/", "")), D);
  EXPECT_EQ(after(D + ":$ORIGIN/:XXXXXX", byElement("$ORIGIN/", O)), O + ":" + D);
  EXPECT_EQ(after("XXXX", byElement("", "")), "");
  EXPECT_EQ(after(D + ":" + O + ":XaX", byElement("", O)), O + ":" + D + ":XaX") << "each once";
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
  EXPECT_THAT(Installed(D + ":" + B + ":").edited(change(B + ":", "")).findings(), IsEmpty());
}

TEST(AuditInstallation, nameWhatIsLost) { // V12, V13, V27, V29
  const PathEdit edits[] = {change(B + ":", "", true), change(D + ":" + B + ":", "")};
  for (const PathEdit &edit : edits) {
    Installed build(D + ":" + B + ":");
    build.edited(edit);
    EXPECT_THAT(build.findings(), ElementsAre("CC6008 k install /s/CMakeLists.txt:5"));
    core::Finding finding = build.report().findings[0].finding;
    EXPECT_EQ(finding.message, "install drops " + D);
    EXPECT_EQ(factOf(finding, "installed"), "no search path");
  }
}

TEST(AuditInstallation, whatIsNotInstalledLosesNothing) {
  Installed build(D + ":" + B + ":");
  build.edited(change(B + ":", "", true)).model.targets[0].destinations.clear();
  EXPECT_THAT(build.findings(), IsEmpty());
}

TEST(AuditInstallation, CMakesOwnOriginIsNotOurs) { // V8
  EXPECT_THAT(Installed(D + ":$ORIGIN:").edited(change("$ORIGIN:", "")).findings(), IsEmpty());
}

// In layouts other than wheels, the element itself does not show its origin: elements that the
// build system did not write.
TEST(AuditInstallation, otherLayoutsCountByWhoPutThem) {
  Installed build("$ORIGIN/../../lib:" + B + ":");
  build.edited(change(B + ":", "", true));
  EXPECT_THAT(build.findings(), ElementsAre("CC6008 k install /s/CMakeLists.txt:5"));
  Installed theirs("$ORIGIN/../../lib:" + B + ":");
  theirs.edited(change("$ORIGIN/../../lib:" + B + ":", ""));
  EXPECT_THAT(theirs.findings(), IsEmpty());
}

TEST(AuditInstallation, namePathsOfThisMachine) { // V9, V25
  for (const std::string &left : {std::string("/td/lib64"), std::string("/b/sub"), K}) {
    Installed build(D + ":" + left + ":");
    build.model.targets[0].linkWords = {"/cuda/lib64/libcudart.so"};
    build.edited(change(left + ":", left));
    EXPECT_THAT(build.findings(), ElementsAre("CC6009 k install /s/CMakeLists.txt:5")) << left;
    EXPECT_EQ(build.report().findings[0].finding.message, "install leaves " + left);
    EXPECT_EQ(build.report().verdict().outcome(), core::Outcome::Accept) << "a warning";
  }
}

TEST(AuditInstallation, withoutAnEditTheBuiltPathIsInstalled) { // V5
  EXPECT_THAT(Installed(D).findings(), IsEmpty());
  EXPECT_THAT(Installed(D + ":/td/lib64").findings(),
              ElementsAre("CC6009 k install /s/CMakeLists.txt:5"));
}

TEST(AuditInstallation, anEditByElementFollowsTheSameRules) {
  EXPECT_THAT(Installed(D + ":/b/sub").edited(byElement("/b/sub", O)).findings(), IsEmpty());
  EXPECT_THAT(Installed(D + ":$ORIGIN/").edited(byElement(D + ":$ORIGIN/", "")).findings(),
              ElementsAre("CC6008 k install /s/CMakeLists.txt:5"));
  EXPECT_THAT(Installed(D + ":/b/sub").edited(byElement("", "")).findings(),
              ElementsAre("CC6009 k install /s/CMakeLists.txt:5"));
}

TEST(AuditInstallation, directoriesOfOthersAreTheProjectsMatter) {
  EXPECT_THAT(Installed(D + ":/opt/vendor/lib").findings(), IsEmpty());
  EXPECT_THAT(Installed(D + ":/tdx/lib").findings(), IsEmpty()) << "whole folders";
}

} // namespace cudacc::test
