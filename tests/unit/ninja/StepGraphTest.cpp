// SPDX-License-Identifier: Apache-2.0
// The graphs of what nvcc 13.0 prints with --dryrun, recorded in dryruns/.
#include "driver/ninja/graph/StepGraph.h"
#include "driver/ninja/graph/BuildFile.h"
#include "tests/unit/ninja/Recorded.h"
#include <gmock/gmock.h>
#include <set>

using namespace cudacc::ninja;
using llvm::StringRef;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

namespace {

std::optional<StepGraph> graphOf(StringRef text, const DepfileRequest &request = {}) {
  auto graph = makeGraph(readDryrun(text), request, "/b");
  if (graph)
    return std::move(*graph);
  EXPECT_NE(llvm::toString(graph.takeError()), "");
  return std::nullopt;
}

StepGraph good(StringRef name) { return graphOf(recorded(name)).value_or(StepGraph()); }

std::vector<std::string> namesOf(const StepGraph &graph) {
  std::vector<std::string> names;
  for (const Step &step : graph.steps)
    names.push_back(step.name);
  return names;
}

} // namespace

TEST(StepGraph, stepsAreThoseOfNvccInItsOrder) {
  EXPECT_THAT(namesOf(good("two-archs")),
              ElementsAre("gcc.0_a.cpp1.800.ii", "gcc.0_a.cpp1.900.ii", "gcc.0_a.cpp4.ii",
                          "depfile.0-a.d", "cudafe++.0_a.cudafe1.cpp", "cicc.0_a.compute_80.ptx",
                          "ptxas.0_a.compute_80.sm_80.cubin", "cicc.0_a.compute_90.ptx",
                          "copy.0_a.cudafe1.stub.c", "ptxas.0_a.compute_90.sm_90.cubin",
                          "fatbinary.0_a.fatbin.c", "gcc.1-a.o"));
}

TEST(StepGraph, temporaryFilesGetStableNamesInTheFolder) {
  StepGraph graph = good("two-archs");
  const std::string t = "tmpxft_00000000_00000000-0_a.";
  const Step &cicc = stepIn(graph, "cicc.0_a.compute_90.ptx");
  EXPECT_EQ(cicc.kind, StepKind::DeviceCompile);
  EXPECT_EQ(cicc.program, "/cuda/bin/../nvvm/bin/cicc");
  EXPECT_THAT(cicc.inputs, ElementsAre(t + "module_id", t + "cpp1.900.ii"));
  EXPECT_THAT(cicc.outputs, ElementsAre(t + "cudafe1.stub.compute_90.c", t + "compute_90.ptx"));
  EXPECT_THAT(cicc.command, HasSubstr("\"$CICC_PATH/cicc\" "));
  EXPECT_THAT(cicc.command, HasSubstr("--orig_src_path_name \"/src/a.cu\""));
  EXPECT_THAT(cicc.command, HasSubstr("--include_file_name " + t + "fatbin.c "));
  EXPECT_THAT(cicc.command, HasSubstr(" -o /b/" + t + "compute_90.ptx"));
  EXPECT_THAT(stepIn(graph, "gcc.0_a.cpp4.ii").sources, ElementsAre("a.cu"));
}

// The stub and the embedded images are included by what cudafe++ writes.
TEST(StepGraph, theHostCompileWaitsForWhatItIncludes) {
  StepGraph graph = good("two-archs");
  const std::string t = "tmpxft_00000000_00000000-0_a.";
  EXPECT_THAT(stepIn(graph, "gcc.1-a.o").inputs,
              ElementsAre(t + "cudafe1.cpp", t + "cudafe1.stub.c", t + "fatbin.c"));
  EXPECT_THAT(stepIn(graph, "copy.0_a.cudafe1.stub.c").inputs,
              ElementsAre(t + "cudafe1.stub.compute_90.c"));
  ASSERT_EQ(graph.deliveries.size(), 2u);
  EXPECT_EQ(graph.deliveries[1].path, "a.o");
  EXPECT_EQ(graph.steps[graph.deliveries[1].step].name, "gcc.1-a.o");
}

// One more -gencode: no command of another architecture changes.
TEST(StepGraph, commandsOfAnArchitectureDoNotDependOnOthers) {
  StepGraph two = good("two-archs"), three = good("three-archs");
  for (const char *name :
       {"cicc.0_a.compute_80.ptx", "ptxas.0_a.compute_80.sm_80.cubin", "cicc.0_a.compute_90.ptx",
        "ptxas.0_a.compute_90.sm_90.cubin", "cudafe++.0_a.cudafe1.cpp"})
    EXPECT_EQ(stepIn(two, name).command, stepIn(three, name).command);
  EXPECT_THAT(namesOf(three), Contains("cicc.0_a.compute_100.ptx"));
}

TEST(StepGraph, otherModes) {
  EXPECT_THAT(namesOf(good("lto")),
              IsSupersetOf({"cicc.0_a.compute_80.ltoir", "cicc.0_a.compute_90.ptx", "gcc.0-a.o"}));
  StepGraph cubin = good("cubin");
  ASSERT_EQ(cubin.deliveries.size(), 1u);
  EXPECT_EQ(cubin.deliveries[0].path, "x.cubin");
  EXPECT_EQ(cubin.deliveries[0].made, "0-x.cubin");
}

TEST(StepGraph, anArchiveIsAddedToAtTheEnd) {
  StepGraph graph = good("archive");
  EXPECT_THAT(graph.deliveries, IsEmpty());
  EXPECT_THAT(graph.archive, HasSubstr("\" cr \"l.a\" /b/tmpxft_00000000_00000000-0_a.o "
                                       "/b/tmpxft_00000000_00000000-0_b.o \"other.o\""));
  EXPECT_EQ(stepIn(graph, "gcc.0_b.o").kind, StepKind::HostCompile);
}

// --threads redirects the output of commands, and orders them otherwise.
TEST(StepGraph, redirectionsAreLeftOut) {
  std::string text = recorded("threads");
  StepGraph graph = graphOf(text).value_or(StepGraph());
  EXPECT_EQ(readDryrun(text).diagnostics,
            "nvcc warning : Cannot find valid GPU for '-arch=native', default arch is used\n");
  for (const Step &step : graph.steps)
    EXPECT_EQ(step.command.find("_stdout"), std::string::npos) << step.command;
  std::set<std::string> paths;
  for (const Delivery &delivery : graph.deliveries)
    paths.insert(delivery.path);
  EXPECT_THAT(paths, ElementsAre("a.d", "a.o", "b.d", "b.o"));
  EXPECT_EQ(stepIn(graph, "depfile.2-b.d").depfile.target, "b.o");
}

// Such a blank belongs to the word.
TEST(StepGraph, aCommandMayEndInABlank) {
  for (StringRef end : {"a.o\v", "a.o\\ ", "\"a.o \""}) {
    StepGraph graph =
        graphOf(("#$ gcc -c -x c++ a.cpp -o " + end + "  \n").str()).value_or(StepGraph());
    ASSERT_EQ(graph.deliveries.size(), 1u) << end.str();
    EXPECT_EQ(graph.deliveries[0].path.size(), 4u);
    EXPECT_EQ(graph.steps[0].command,
              "gcc -c -x c++ a.cpp -o '/b/" + graph.deliveries[0].made + "'");
  }
}

TEST(StepGraph, whatIsNotUnderstoodIsUnknown) {
  EXPECT_FALSE(graphOf(recorded("keep")));
  EXPECT_FALSE(graphOf(""));
  EXPECT_FALSE(graphOf("#$ nvlink a.o -o b\n"));
  EXPECT_FALSE(graphOf("#$ rm a.o\n"));
  EXPECT_FALSE(graphOf("#$ gcc -c -x c++ \"a.cpp\" -o \"a.o\n"));
  // An input that is no command's output, and two commands with one output.
  EXPECT_FALSE(graphOf("#$ gcc -c -x c++ /tmp/tmpxft_0_0-1_a.cpp -o a.o\n"));
  EXPECT_FALSE(graphOf("#$ gcc -c -x c++ a.cpp -o a.o\n#$ gcc -c -x c++ b.cpp -o a.o\n"));
  EXPECT_TRUE(graphOf("#$ gcc -c -x c++ a.cpp -o a.o\n#$ gcc -c -x c++ b.cpp -o b.o\n"));
  // An input that the command itself makes, or a later one.
  EXPECT_FALSE(graphOf("#$ cicc --module_id_file_name /tmp/tmpxft_0_0-1_a.id "
                       "--gen_c_file_name /tmp/tmpxft_0_0-1_a.id -o a.ptx\n"));
  StringRef first = "#$ gcc -E -x c++ a.cu -o /tmp/tmpxft_0_0-1_a.ii\n",
            second = "#$ gcc -c -x c++ /tmp/tmpxft_0_0-1_a.ii -o a.o\n";
  EXPECT_TRUE(graphOf((first + second).str()));
  EXPECT_FALSE(graphOf((second + first).str()));
}

TEST(StepGraph, filesOfOneNameStayApart) {
  StepGraph graph =
      graphOf("#$ gcc -E -x c++ x/a.cu -o \"/tmp/tmpxft_00000001_00000000-5_a.cpp4.ii\"\n"
              "#$ gcc -c -x c++ \"/tmp/tmpxft_00000001_00000000-5_a.cpp4.ii\" -o 1.o\n"
              "#$ gcc -E -x c++ y/a.cu -o \"/tmp/tmpxft_00000001_00000000-9_a.cpp4.ii\"\n"
              "#$ gcc -c -x c++ \"/tmp/tmpxft_00000001_00000000-9_a.cpp4.ii\" -o 2.o\n")
          .value_or(StepGraph());
  EXPECT_THAT(namesOf(graph),
              ElementsAre("gcc.0_a.cpp4.ii", "gcc.0-1.o", "gcc.1_a.cpp4.ii", "gcc.1-2.o"));
}

TEST(BuildFile, namesAreEscaped) {
  StepGraph graph;
  Step step;
  step.name = "gcc.a b$.o";
  step.inputs = {"in: put"};
  step.outputs = {"a b$.o"};
  graph.steps.push_back(step);
  EXPECT_EQ(*buildFile(graph, {"k"}, "exec '/o p$/cuda-cc' --step"),
            "rule step\n  command = exec '/o p$$/cuda-cc' --step $step $key\n"
            "build a$ b$$.o: step in$:$ put\n  step = 'gcc.a b$$.o'\n  key = k\n");
  graph.steps[0].inputs = {"a\nb"};
  EXPECT_FALSE(buildFile(graph, {"k"}, "x"));
}

TEST(Depfile, namesFilesThatAreEnteredInTheOrderOfNvcc) {
  std::string first = "# 0 \"b l.cu\"\n# 0 \"<built-in>\"\n# 1 \"/usr/x.h\" 1 3 4\ntext\n"
                      "# 1 \"c d/h x.h\" 1\n# 2 \"b l.cu\" 2\n",
              second = "# 1 \"/usr/x.h\" 1 3 4\n# 1 \"a\\\"b.h\" 1\n";
  EXPECT_EQ(depfileText({first, second}, "b l.cu", {"o p.o", false, false}),
            "o p.o : b\\ l.cu \\\n    /usr/x.h \\\n    c\\ d/h\\ x.h \\\n    a\"b.h\n");
  EXPECT_EQ(depfileText({first}, "b l.cu", {"x", true, true}),
            "x : b\\ l.cu \\\n    c\\ d/h\\ x.h\n\nc\\ d/h\\ x.h:\n");
}
