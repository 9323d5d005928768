// SPDX-License-Identifier: Apache-2.0
// The host compile of what nvcc 13.0 prints with --dryrun, recorded in dryruns/, in two steps.
#include "driver/plan/ninja/HostSplit.h"
#include "driver/plan/ninja/BuildFile.h"
#include "driver/plan/ninja/EmbeddedFatbin.h"
#include "tests/unit/plan/Recorded.h"
#include <gmock/gmock.h>

using namespace cudacc::plan;
using llvm::StringRef;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::string stem = "tmpxft_00000000_00000000-0_a.";

/// The graph of two architectures, with \p after instead of \p before in what nvcc printed.
StepGraph splitGraph(StringRef before = "", StringRef after = "") {
  std::string text = recorded("two-archs"), unknown;
  if (!before.empty()) {
    EXPECT_NE(text.find(before), std::string::npos);
    for (size_t at = 0; (at = text.find(before, at)) != std::string::npos; at += after.size())
      text.replace(at, before.size(), after);
  }
  Dryrun dryrun = readDryrun(text);
  StepGraph graph = makeGraph(dryrun, {}, "/b", unknown).value_or(StepGraph());
  splitHostCompiles(graph, dryrun, "/b");
  return graph;
}

std::vector<std::string> lastNames(const StepGraph &graph, size_t count) {
  std::vector<std::string> names;
  for (const Step &step : llvm::ArrayRef(graph.steps).take_back(count))
    names.push_back(step.name);
  return names;
}

/// What fatbinary writes, as far as its form is of interest.
std::string embedded(StringRef strings, StringRef size = "3", StringRef head = "#define A \"b\"") {
  return (head + "\nasm(\n" + strings + ");\nextern const unsigned long long d[" + size +
          "];\nint x = { d, 0 };\n")
      .str();
}

} // namespace

TEST(HostSplit, theAssemblerAloneWaitsForTheImages) {
  StepGraph graph = splitGraph();
  EXPECT_THAT(lastNames(graph, 6),
              ElementsAre("fatbinary.0_a.fatbin.c", "example.fatbinary.0_a.fatbin.c",
                          "include.1-a.o", "gcc.1-a.o", "data.1-a.o", "as.1-a.o"));
  const Step &compile = stepIn(graph, "gcc.1-a.o");
  EXPECT_THAT(compile.inputs,
              ElementsAre(stem + "cudafe1.cpp", stem + "cudafe1.stub.c", stem + "fatbin.c"));
  EXPECT_THAT(compile.command, HasSubstr(" -S -x c++  -DCUDA_DOUBLE_MATH_FUNCTIONS "));
  EXPECT_THAT(compile.command, EndsWith("cudafe1.cpp -o /b/1-a.o.s -MD -MF /b/gcc.1-a.o.d -MT x"));
  const Step &include = stepIn(graph, "include.1-a.o"), &data = stepIn(graph, "data.1-a.o");
  EXPECT_THAT(include.inputs, ElementsAre("example-" + stem + "fatbin.c"));
  EXPECT_THAT(include.outputs, ElementsAre(stem + "fatbin.c"));
  EXPECT_EQ(include.includedPath, "/b/" + data.outputs[0]);
  EXPECT_THAT(data.inputs, ElementsAre("data-" + stem + "fatbin.c", stem + "fatbin.c"));
  const Step &as = stepIn(graph, "as.1-a.o");
  EXPECT_THAT(as.inputs, ElementsAre("1-a.o.s", data.outputs[0]));
  EXPECT_THAT(as.command, HasSubstr(" -c -x assembler  -DCUDA_DOUBLE_MATH_FUNCTIONS "));
  EXPECT_THAT(as.command, EndsWith(" /b/1-a.o.s -o /b/1-a.o"));
  ASSERT_EQ(graph.deliveries.size(), 2u);
  EXPECT_EQ(graph.steps[graph.deliveries[0].step].name, "depfile.0-a.d");
  EXPECT_EQ(graph.steps[graph.deliveries[1].step].name, "as.1-a.o");
}

// The example has one image without code, and no command of nvcc fails with it.
TEST(HostSplit, anExampleOfTheImages) {
  StepGraph graph = splitGraph();
  const Step &example = stepIn(graph, "example.fatbinary.0_a.fatbin.c");
  EXPECT_TRUE(example.isAdded);
  EXPECT_THAT(example.inputs, ElementsAre());
  EXPECT_THAT(example.command,
              HasSubstr(" --image3=kind=ptx,sm=80,file=/b/none.ptx --embedded-fatbin=/b/example-" +
                        stem + "fatbin.c"));
  EXPECT_THAT(example.command, Not(HasSubstr("cubin")));
  const Step &real = stepIn(graph, "fatbinary.0_a.fatbin.c");
  EXPECT_THAT(real.command, HasSubstr("--embedded-fatbin=/b/data-" + stem + "fatbin.c"));
  EXPECT_THAT(real.outputs, ElementsAre("data-" + stem + "fatbin.c"));
}

TEST(HostSplit, otherObjectsStayOneCommand) {
  for (const char *option : {"-g", "-ggdb3", "-flto", "-Wa,--noexecstack", "-frecord-gcc-switches"})
    EXPECT_THAT(lastNames(splitGraph("-Wno-psabi", option), 2),
                ElementsAre("fatbinary.0_a.fatbin.c", "gcc.1-a.o"))
        << option;
  EXPECT_THAT(lastNames(splitGraph("-Wno-psabi", "-O2"), 1), ElementsAre("as.1-a.o"));
  EXPECT_THAT(lastNames(splitGraph("--gnu_version=120200", "--clang --clang_version=140000"), 1),
              ElementsAre("gcc.1-a.o"));
  EXPECT_THAT(lastNames(splitGraph("#$ gcc ", "#$ /nv/bin/nvc++ "), 1), ElementsAre("nvc++.1-a.o"));
  EXPECT_THAT(lastNames(splitGraph("#$ gcc ", "#$ /usr/bin/c++ "), 1), ElementsAre("as.1-a.o"));
  EXPECT_THAT(lastNames(splitGraph(",sm=", ",arch="), 1), ElementsAre("gcc.1-a.o"));
}

// Without them one of two processors waits while the other compiles for the host.
TEST(BuildFile, whatTheHostCompileNeedsComesFirst) {
  StepGraph graph = splitGraph();
  std::string text = *buildFile(graph, std::vector<std::string>(graph.steps.size(), "k"), "run");
  auto at = [&](StringRef name) { return text.find(("step = " + name + "\n").str()); };
  EXPECT_LT(at("cicc.0_a.compute_90.ptx"), at("gcc.1-a.o"));
  EXPECT_LT(at("gcc.1-a.o"), at("gcc.0_a.cpp1.800.ii"));
  EXPECT_LT(at("gcc.0_a.cpp1.800.ii"), at("as.1-a.o"));
  EXPECT_NE(at("as.1-a.o"), std::string::npos);
}

TEST(EmbeddedFatbin, theDataAreThoseOfTheStrings) {
  std::string example = embedded("\".quad 0\\n\"\n"),
              including = withIncludedData(example, "/b/x y.s").value_or("");
  EXPECT_EQ(including, "#define A \"b\"\nasm(\".include \\\"/b/x y.s\\\"\\n\");\n"
                       "extern const unsigned long long d[3];\nint x = { d, 0 };\n");
  EXPECT_EQ(includedData(embedded("\".section a, \\\"a\\\"\\n\"\n\".quad 1\\n\"", "45"), including),
            ".section a, \"a\"\n.quad 1\n");
}

TEST(EmbeddedFatbin, anotherFormIsRefused) {
  std::string text = embedded("\".quad 0\\n\"\n"), path = "/b/x.s";
  EXPECT_FALSE(withIncludedData("int x;\n", path));
  EXPECT_FALSE(withIncludedData(text + "\nasm(\"\");\n", path));
  EXPECT_FALSE(withIncludedData(text, "/b/\"x.s"));
  std::string including = withIncludedData(text, path).value_or("");
  EXPECT_TRUE(includedData(text, including));
  EXPECT_FALSE(includedData(embedded("\".quad 0\\n\"\n", "3", "#define A 2"), including));
  EXPECT_FALSE(includedData(text + "int y;\n", including));
  for (const char *strings : {"\".quad 0\\x\"\n", "\"a\" \"b\"\n", "\"a\n", "DATA\n", "\"\\\"\n"})
    EXPECT_FALSE(includedData(embedded(strings), including)) << strings;
}
