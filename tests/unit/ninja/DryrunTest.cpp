// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/graph/Dryrun.h"
#include "driver/ninja/graph/StepFiles.h"
#include <gmock/gmock.h>

using namespace cudacc::ninja;
using testing::ElementsAre;
using testing::Pair;

static std::vector<std::string> valuesIn(llvm::StringRef command) {
  std::vector<std::string> values;
  auto words = splitCommand(command, {{"A", "old"}, {"A", "/cuda/bin"}});
  for (const CommandWord &word : words.value_or(std::vector<CommandWord>()))
    values.push_back(word.isKnown ? word.value : "?" + word.value);
  return values;
}

TEST(Dryrun, variablesCommandsAndDiagnostics) {
  Dryrun read = readDryrun("#$ PATH=/a:/b\nnvcc warning : old\n#$ _SPACE_= \n#$ gcc -E \"a.cu\" \n"
                           "#$ -- Filter Dependencies -- > a.d\n");
  EXPECT_THAT(read.variables, ElementsAre(Pair("PATH", "/a:/b"), Pair("_SPACE_", " ")));
  EXPECT_THAT(read.commands, ElementsAre("gcc -E \"a.cu\" ", "-- Filter Dependencies -- > a.d"));
  EXPECT_EQ(read.diagnostics, "nvcc warning : old\n");
}

TEST(Dryrun, aCommandIsSplitLikeTheShellDoes) {
  EXPECT_THAT(valuesIn("\"$A/cicc\" -D \"X=\\\"a b\\\"\"  'c d' e\\ f"),
              ElementsAre("/cuda/bin/cicc", "-D", "X=\"a b\"", "c d", "e f"));
  EXPECT_THAT(valuesIn("\"/a\"/gcc --x=\"1 2\""), ElementsAre("/a/gcc", "--x=1 2"));
  EXPECT_THAT(valuesIn("\"\""), ElementsAre(""));
}

TEST(Dryrun, whatOnlyTheShellKnowsIsUnknown) {
  EXPECT_THAT(valuesIn("\"`gcc -p`\" $HOME a>b *.o"),
              ElementsAre("?`gcc -p`", "?$HOME", "?a>b", "?*.o"));
  EXPECT_FALSE(splitCommand("a \"b", {}));
  EXPECT_FALSE(splitCommand("a 'b", {}));
  EXPECT_FALSE(splitCommand("a b\\", {}));
}

static std::optional<StepKind> kindOf(llvm::StringRef command) {
  auto files = findFiles(*splitCommand(command, {}));
  return files ? std::optional(files->kind) : std::nullopt;
}

TEST(StepFiles, programsOfNvcc) {
  EXPECT_EQ(kindOf("gcc -E -x c++ a.cu -o a.ii"), StepKind::Preprocess);
  EXPECT_EQ(kindOf("/x/clang++ -c -x c++ a.cpp -o a.o"), StepKind::HostCompile);
  EXPECT_EQ(kindOf("cudafe++ --gen_c_file_name a.cpp a.ii"), StepKind::CudaFrontEnd);
  EXPECT_EQ(kindOf("/n/cicc -arch compute_80 a.ii -o a.ptx"), StepKind::DeviceCompile);
  EXPECT_EQ(kindOf("ptxas -arch=sm_80 a.ptx -o a.cubin"), StepKind::Assemble);
  EXPECT_EQ(kindOf("fatbinary -64 --image3=kind=elf,sm=80,file=a.cubin --create=a.fatbin"),
            StepKind::Fatbinary);
  EXPECT_EQ(kindOf("\"`gcc -print-prog-name=ar`\" cr l.a a.o"), StepKind::Archive);
}

TEST(StepFiles, commandsThatMayUseOtherFilesAreUnknown) {
  for (const char *command :
       {"nvlink a.o -o b", "gcc a.o -o a", "gcc -E -c -x c++ a.cu -o a.ii", "gcc -c a.s -o a.o",
        "gcc -c -x assembler a.s -o a.o", "gcc -c -x c++ a.cpp", "gcc -E -x c++ -MD a.cu -o a.ii",
        "gcc -c -x c++ --coverage a.cpp -o a.o", "gcc -c -x c++ @more a.cpp -o a.o",
        "gcc -c -x c++ -fprofile-use a.cpp -o a.o", "gcc -c -x c++ -gsplit-dwarf a.cpp -o a.o",
        "gcc -c -x c++ - -o a.o", "ptxas @more a.ptx -o a.cubin", "ptxas -x ../o a.ptx -o a.cubin",
        "ptxas --options-file o a.ptx -o a.cubin", "cicc $X a.ii -o a.ptx",
        "fatbinary --image3=kind=elf --create=a", "$(x) -c -x c++ a.cpp -o a.o"})
    EXPECT_EQ(kindOf(command), std::nullopt) << command;
}
