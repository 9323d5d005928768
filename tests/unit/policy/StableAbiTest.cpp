// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/StableAbi.h"
#include "driver/tables/lookup/Symbols.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct StableAbi : test::BinaryJudging {
  static BinaryFacts file(const char *path, std::initializer_list<const char *> imports) {
    BinaryFacts facts = test::extension({});
    facts.path = path;
    for (const char *name : imports)
      facts.imports.push_back({name, "", "", false});
    return facts;
  }
  /// Includes remarks with that code.
  const Finding *found(const BinaryFacts &facts, Code code) {
    judge("torch==2.11.0", facts);
    for (const Finding &finding : findings)
      if (finding.code == code)
        return &finding;
    return nullptr;
  }
};

constexpr const char *wheel = "dist/x-1.0-cp39-abi3-manylinux_2_28_x86_64.whl!x/_C.abi3.so";

TEST(LimitedApi, names) {
  EXPECT_EQ(tables::limitedApiSince("PyList_New"), 2u);
  EXPECT_EQ(tables::limitedApiSince("PyType_GetName"), 11u);
  EXPECT_EQ(tables::limitedApiSince("_Py_Dealloc"), 2u);
  EXPECT_EQ(tables::limitedApiSince("PyFrame_GetBack"), std::nullopt);
  EXPECT_EQ(tables::limitedApiSince("PyErr_SetFromWindowsErr"), std::nullopt) << "Windows alone";
  EXPECT_TRUE(tables::isPythonName("_PyObject_New"));
  EXPECT_TRUE(tables::isPythonName("Py_BuildValue"));
  EXPECT_FALSE(tables::isPythonName("Pyramid_new"));
  EXPECT_FALSE(tables::isPythonName("_ZN5PyFooC1Ev"));
}

TEST_F(StableAbi, theWheelsStatedVersionIsChecked) {
  const Finding *finding = found(file(wheel, {"PyList_New", "PyType_GetName", "PyFrame_GetBack"}),
                                 Code::BeyondLimitedApi);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::Warning);
  EXPECT_EQ(finding->message, "it imports more than Python's limited API of 3.9");
  EXPECT_EQ(finding->facts[0].text, "PyType_GetName, since 3.11");
  EXPECT_EQ(finding->facts[1].text, "PyFrame_GetBack, in no limited API");
  EXPECT_EQ(finding->facts[2].text, "cp39-abi3 in the wheel's name");
  EXPECT_THAT(finding->fixes, ElementsAre("define -DPy_LIMITED_API=0x03090000 in every source file",
                                          "build a wheel for each Python, without abi3"));
  EXPECT_EQ(outcome(), Outcome::Accept);
  finding = found(file(wheel, {"PyType_GetName"}), Code::BeyondLimitedApi);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->fixes[1], "state what it needs: py_limited_api = cp311");
}

TEST_F(StableAbi, whatFitsIsARemarkWithItsFloor) {
  const Finding *finding =
      found(file(wheel, {"PyList_New", "PyInterpreterState_Get"}), Code::StableAbi);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->message, "Python's limited API alone, Python >= 3.9");
  EXPECT_EQ(finding->severity, Severity::Remark);
  EXPECT_FALSE(found(file(wheel, {"PyList_New"}), Code::BeyondLimitedApi));
  input.atLink = true;
  EXPECT_FALSE(found(file(wheel, {"PyList_New"}), Code::StableAbi)) << "a link is silent";
  input.remarks = true;
  EXPECT_TRUE(found(file(wheel, {"PyList_New"}), Code::StableAbi));
}

TEST_F(StableAbi, theFirstNamesAreListed) {
  BinaryFacts facts = file(wheel, {"PyFrame_New", "PyFrame_GetBack", "PyFrame_GetLocals",
                                   "PyFrame_GetGlobals", "PyFrame_GetBuiltins",
                                   "PyFrame_GetGenerator", "PyFrame_GetLasti", "PyFrame_GetVar"});
  EXPECT_EQ(labels(*found(facts, Code::BeyondLimitedApi)).back(), "stated");
  EXPECT_EQ(fact(*found(facts, Code::BeyondLimitedApi), "and"), "");
  facts.imports.push_back({"PyFrame_GetVarString", "", "", false});
  EXPECT_EQ(fact(*found(facts, Code::BeyondLimitedApi), "and"), "1 more");
}

TEST_F(StableAbi, outsideAWheelTheFloorItselfIsStated) {
  auto abi = policy::pythonAbiOf(file("build/_C.abi3.so", {"PyType_GetName"}));
  ASSERT_TRUE(abi);
  EXPECT_FALSE(abi->stated);
  EXPECT_EQ(abi->leastText(), "3.11");
  EXPECT_THAT(abi->beyond, IsEmpty());
  const Finding *finding =
      found(file("build/_C.abi3.so", {"PyFrame_GetBack"}), Code::BeyondLimitedApi);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->message, "it imports more than Python's limited API");
  EXPECT_THAT(labels(*finding), ElementsAre("symbol")) << "no name states anything";
}

TEST_F(StableAbi, whichFilesSayThatTheyAreForEveryPython) {
  auto states = [](const char *path) {
    auto abi = policy::pythonAbiOf(file(path, {"PyList_New"}));
    return abi ? int(abi->stated.value_or(99)) : -1;
  };
  EXPECT_EQ(states("x-1-cp38.cp39-abi3-linux_x86_64.whl!x/_C.abi3.so"), 8);
  EXPECT_EQ(states("d/x-1-2build-cp310-abi3-linux_x86_64.whl!x/_C.so"), 10);
  for (const char *tag : {"py3", "cp3", "cp3x", "pp39", "39"})
    EXPECT_EQ(states(fmt::format("x-1-{}-abi3-linux_x86_64.whl!x/_C.so", tag).c_str()), 99) << tag;
  EXPECT_EQ(states("x-1-cp39-abi3-linux_x86_64.whl!x/_C.cpython-311-x86_64-linux-gnu.so"), -1);
  EXPECT_EQ(states("x-1-cp311-cp311-linux_x86_64.whl!x/_C.so"), -1);
  EXPECT_EQ(states("x-1-cp311-cp311-linux_x86_64.whl!x/_C.abi3.so"), 99);
  EXPECT_EQ(states("ext.so"), -1);
  EXPECT_FALSE(policy::pythonAbiOf(file("x.abi3.so", {"malloc"}))) << "nothing of CPython's";
  EXPECT_FALSE(policy::pythonAbiOf(file("cp39-abi3-x.whl", {"PyList_New"})));
}

TEST_F(StableAbi, weakNamesAndThoseOfOthersAreLeftOut) {
  BinaryFacts facts = file(wheel, {"PyList_New", "PyFrame_GetBack"});
  facts.imports.back().weak = true;
  EXPECT_FALSE(found(facts, Code::BeyondLimitedApi));
  facts.imports.back().weak = false;
  input.others = ofOthers;
  others = Exported::Yes;
  EXPECT_FALSE(found(facts, Code::BeyondLimitedApi));
}

TEST_F(StableAbi, torchsCFunctionsAlone) {
  BinaryFacts stable =
      file("ext.so", {"aoti_torch_get_data_ptr", "torch_call_dispatcher", "malloc"});
  EXPECT_TRUE(policy::usesStableTorchOnly(stable));
  ASSERT_TRUE(found(stable, Code::StableAbi));
  EXPECT_THAT(found(stable, Code::StableAbi)->message, HasSubstr("torch's stable ABI alone"));
  for (const char *name :
       {"_ZNK3c1010TensorImpl15incref_pyobjectEv", "_ZN5torch7LibraryC1Ev",
        "_Z16THPVariable_WrapN2at6TensorE", "_ZTIN3c105ErrorE", "THPVariableClass"}) {
    BinaryFacts more = file("ext.so", {"aoti_torch_get_data_ptr", name});
    EXPECT_TRUE(policy::usesUnstableTorch(more)) << name;
    EXPECT_FALSE(found(more, Code::StableAbi)) << name;
  }
  EXPECT_FALSE(policy::usesStableTorchOnly(file("ext.so", {"malloc"})));
  EXPECT_FALSE(policy::usesUnstableTorch(file("ext.so", {"malloc", "_ZNSt6vectorIiE4dataEv"})));
}

TEST_F(StableAbi, theFloorOfWhatTorchPromises) {
  TorchRange range;
  range.releases = {{"2.8.0", Exported::Yes},
                    {"2.9.0", Exported::No},
                    {"2.10.0", Exported::Yes},
                    {"2.11.0", Exported::Yes}};
  EXPECT_EQ(policy::stableFloorOf(range), "2.10.0");
  range.releases.back().has = Exported::Unknown;
  EXPECT_EQ(policy::stableFloorOf(range), "");
  EXPECT_EQ(policy::stableTorchText("2.10.0"), "torch's stable ABI alone, torch >= 2.10.0");
  EXPECT_EQ(policy::stableTorchText(""), "torch's stable ABI alone");
}

} // namespace
