// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Expansion.h"
#include "driver/cli/Quoting.h"
#include "tests/unit/cli/Line.h"

using namespace cudacc;
using namespace cudacc::test;
using core::Code;
using core::Word;
using testing::ElementsAre;

namespace {

struct Case {
  const char *text;
  Strings words;
};
using Split = void (*)(llvm::StringRef, llvm::BumpPtrAllocator &, cli::Words &);

void check(Split split, std::initializer_list<Case> cases) {
  for (const Case &item : cases) {
    llvm::BumpPtrAllocator arena;
    llvm::SmallVector<llvm::StringRef, 8> found;
    split(item.text, arena, found);
    EXPECT_EQ(Strings(found.begin(), found.end()), item.words) << item.text;
  }
}

TEST(Quoting, clangReadsByteOrderMarks) { // clang 14.0, 19.1
  auto splitClang = [](llvm::StringRef text) {
    llvm::BumpPtrAllocator arena;
    llvm::SmallVector<llvm::StringRef, 8> found;
    cli::splitClangFile(text, arena, found);
    return Strings(found.begin(), found.end());
  };
  EXPECT_EQ(splitClang("\xef\xbb\xbf-c x.c"), (Strings{"-c", "x.c"}));
  EXPECT_EQ(splitClang(llvm::StringRef("\xff\xfe-\0c\0 \0x\0", 10)), (Strings{"-c", "x"}));
  EXPECT_EQ(splitClang(llvm::StringRef("\xfe\xff\0-\0c", 6)), (Strings{"-c"}));
}

TEST(Quoting, GccFile) { // R9; gcc 12.2
  check(cli::splitGccFile, {{"", {}},
                            {" \n\t", {}},
                            {"a b\nc\td\re\vf\fg", {"a", "b", "c", "d", "e", "f", "g"}},
                            {"'a b' \"c d\" e' 'f", {"a b", "c d", "e f"}},
                            {"a\\ b \\\"c\\\" 'd\\'e'", {"a b", "\"c\"", "d'e"}},
                            {"\"\" x ''", {"", "x", ""}},
                            {"\"unterminated x", {"unterminated x"}},
                            {"end\\", {"end\\"}},
                            {"# no comment", {"#", "no", "comment"}},
                            {"-DX=\xc3\xbc", {"-DX=\xc3\xbc"}}});
}

TEST(Quoting, ClangFile) { // R9; clang 14.0, 19.1
  check(cli::splitClangFile, {{"\"\" x.o a\\\"b 'c\\'d'", {"x.o", "a\"b", "c'd"}},
                              {"e\\\n f\vg\th", {"e\n", "f\vg", "h"}}});
}

TEST(Quoting, OptionsFile) { // N4; nvcc 13.0.88
  check(cli::splitOptionsFile,
        {{"-DX=1 -DY\n-DZ\r\n-DW\t-DV", {"-DX=1", "-DY", "-DZ", "-DW", "-DV"}},
         {"-DX=\"a b\" -D\"X Y\"=3", {"-DX=a b", "-DX Y=3"}},
         {"-DX='a b'", {"-DX='a", "b'"}},
         {"-DX=a\\ b a\\nb a\\\\b", {"-DX=a b", "anb", "a\\b"}},
         {"# -DX", {"#", "-DX"}},
         {"a\vb", {"a\vb"}},
         {"-DX=$HOME", {"-DX=$HOME"}},
         {"x \"\" y", {"x", "", "y"}}});
}

TEST(Quoting, Variable) { // R10; nvcc 13.0.88
  check([](llvm::StringRef text, llvm::BumpPtrAllocator &,
           cli::Words &found) { cli::splitVariable(text, found); },
        {{" -DX=1\t-DY ", {"-DX=1", "-DY"}},
         {"-DX=1\n-DY", {"-DX=1\n-DY"}},
         {"-DX=\"a b\" c", {"-DX=\"a b\"", "c"}},
         {"\"a\\\" b\" c", {"\"a\\\" b\"", "c"}},
         {"-DX='a b'", {"-DX='a", "b'"}},
         {"a\\ b", {"a\\", "b"}},
         {"", {}}});
}

TEST(Quoting, List) { // N6, N9, T5
  check(cli::splitList, {{"a,b", {"a", "b"}},
                         {",a,,b,", {"a", "b"}},
                         {"a\\,b,c", {"a,b", "c"}},
                         {"\"a,b\",c", {"\"a,b\"", "c"}},
                         {"a\\\\b\\n", {"a\\bn"}},
                         {"a\\", {"a\\"}},
                         {"", {}},
                         {"F=f(a,b)", {"F=f(a", "b)"}}});
}

TEST(Quoting, Forwarded) { // T5, T6, T7, N8; nvcc 13.0.88 and the shell that it starts
  check(cli::splitForwarded, {{"-a,-b", {"-a", "-b"}},
                              {",\"-fopenmp\",\"-fPIC\"", {"-fopenmp", "-fPIC"}},
                              {"'-fPIC'", {"-fPIC"}},
                              {"-Wall -Wextra -DX", {"-Wall", "-Wextra", "-DX"}},
                              {"\"-a -b\"", {"-a -b"}},
                              {"'-a,-b'", {"-a -b"}},
                              {"-Wl\\,-soname\\,x", {"-Wl,-soname,x"}},
                              {"'-Wl\\,-rpath\\,$ORIGIN/x'", {"-Wl,-rpath,$ORIGIN/x"}},
                              {"-isystem,DIR,-fPIC", {"-isystem", "DIR", "-fPIC"}},
                              {"", {}}});
}

Line responseLine(llvm::StringRef text) {
  Line line(words(text));
  line.files.file("/project/a", "x.o '@b c' -lz").file("/project/b c", "y.o \"z 1.o\"");
  line.files.file("/project/o", "-o out @b p.o\n").file("/project/sub/n", "@a");
  return line;
}

TEST(ResponseFile, HostIsExpandedWhereItStands) { // R9
  Invocation call = responseLine("cuda-cc g++ -shared @a -o z.so").parse();
  EXPECT_THAT(texts(call.words),
              ElementsAre("-shared", "x.o", "y.o", "z 1.o", "-lz", "-o", "z.so"));
  EXPECT_THAT(texts(call.linkInputs), ElementsAre("x.o", "y.o", "z 1.o", "lib:z"));
  EXPECT_THAT(texts(call.args), ElementsAre("-shared", "@a", "-o", "z.so"));
  EXPECT_EQ(call.words[0].source, Word::Source::Argv);
  for (unsigned i = 1; i != 5; ++i) {
    EXPECT_EQ(call.words[i].source, Word::Source::ResponseFile);
    EXPECT_EQ(call.words[i].arg, 1u);
  }
  EXPECT_EQ(call.words[5].arg, 2u);
}

TEST(ResponseFile, NestedOnesAreRelativeToTheWorkingDirectory) { // gcc 12.2, clang 19
  EXPECT_THAT(texts(responseLine("cuda-cc clang @sub/n").parse().linkInputs),
              ElementsAre("x.o", "y.o", "z 1.o", "lib:z"));
}

TEST(ResponseFile, WhatCannotBeReadIsAnOrdinaryWord) {
  Line line = responseLine("cuda-cc g++ @none @dir @pipe @secret @");
  line.files.directory("/project/dir").other("/project/pipe").file("/project/secret", "x");
  line.files.unreadable.insert("/project/secret");
  EXPECT_THAT(texts(line.parse().words), ElementsAre("@none", "@dir", "@pipe", "@secret", "@"));
}

TEST(ResponseFile, OfTheLinkerIsReadWhereItStands) {
  for (const char *text : {"cuda-cc g++ a.o -Wl,--start-group,@f,--end-group last.o",
                           "cuda-cc clang a.o -Wl,@f last.o", "nvcc a.o -Xlinker=@f last.o",
                           "nvcc a.o -Xcompiler -Wl\\,@f last.o"}) {
    Line line(words(text));
    line.files.file("/project/f", "-o made.so -L/l @g -rpath").file("/project/g", "-lq 'z 1.a'");
    Invocation call = line.parse();
    EXPECT_THAT(texts(call.linkInputs), ElementsAre("a.o", "lib:q*", "z 1.a*", "last.o")) << text;
    EXPECT_EQ(call.output, "made.so") << text;
    EXPECT_THAT(call.libraryDirs, ElementsAre("/l")) << text;
  }
  Line unreadable(words("cuda-cc g++ a.o -Wl,@none,@self"));
  unreadable.files.file("/project/self", "-lq @self");
  EXPECT_EQ(unreadable.parse().linkInputs[1].text, "@none");
}

TEST(ResponseFile, NvccRejectsAtFiles) { // N4, T13
  Invocation call = responseLine("nvcc @a -o x").parse();
  EXPECT_THAT(texts(call.linkInputs), ElementsAre("@a"));
  EXPECT_EQ(call.kind, CallKind::Link);
}

TEST(ResponseFile, OfNvccsHostCompilerIsNotNvccs) { // nvcc 13.0.88
  for (const char *text : {"nvcc a.o -Xcompiler @f", "nvcc a.o --compiler-options=-g,@f"}) {
    Line line(words(text));
    line.files.file("/project/f", "-c -o made b.o -I i @g").file("/project/g", "-shared -lz");
    Invocation call = line.parse();
    EXPECT_EQ(call.kind, CallKind::Link) << text;
    EXPECT_TRUE(call.shared) << text;
    EXPECT_FALSE(call.output) << text;
    EXPECT_EQ(call.includes.size(), 1u) << text;
    EXPECT_THAT(texts(call.linkInputs), ElementsAre("a.o", "lib:z*")) << text;
  }
}

TEST(ResponseFile, WordsOfConfigurationFilesComeFirst) { // clang 14.0, 19.1
  Line line(words("cuda-cc clang++ a.o --config ./f --config=sub/g -o x"));
  line.files.file("/project/f", "# -c\n-o f -lz \\\n #b.o 'c 1.o'\n'd.o\n@sub/h\n")
      .file("/project/sub/g", "-L<CFGDIR>/l -I<CFGDIR>")
      .file("/project/sub/h", "e.o --config=./g");
  Invocation call = line.parse();
  EXPECT_EQ(call.kind, CallKind::Link);
  EXPECT_EQ(call.output, "x");
  EXPECT_THAT(texts(call.linkInputs), ElementsAre("lib:z*", "#b.o", "c 1.o", "d.o", "e.o", "a.o"));
  EXPECT_THAT(call.libraryDirs, ElementsAre("./sub/./l", "sub/l"));
  EXPECT_EQ(call.words[0].source, Word::Source::ConfigFile);
  EXPECT_EQ(call.args.size(), 6u);
  EXPECT_FALSE(call.unread);
}

TEST(ResponseFile, ConfigurationFilesThatAreSearched) {
  for (const char *text : {"--config f", "--config=f", "--config-user-dir=.", "--config ./named"}) {
    Line line(words(("cuda-cc clang a.o " + llvm::Twine(text)).str()));
    line.files.file("/project/f", "-c").file("/project/named", "--config=f");
    EXPECT_TRUE(line.parse().unread) << text;
  }
  Line none(words("cuda-cc clang a.o --config-user-dir= --config ./none"));
  EXPECT_FALSE(none.parse().unread);
  Line loop(words("cuda-cc clang a.o --config ./f"));
  loop.files.file("/project/f", "@f @f");
  EXPECT_EQ(loop.finding().code, Code::BrokenResponseFile);
}

TEST(ResponseFile, OptionsFileInEverySpelling) { // N4, R9
  for (const char *text : {"nvcc -c --options-file f,g x.cu", "nvcc -c --options-file=f,g x.cu",
                           "nvcc -c -optf f,g x.cu", "nvcc -c -optf=f,g x.cu"}) {
    Line line(words(text));
    line.files.file("/project/f", "-ccbin \"my g++\"\n-optf h\n").file("/project/g", "-Ig");
    line.files.file("/project/h", "-Ih");
    Invocation call = line.parse();
    EXPECT_THAT(texts(call.words), ElementsAre("-c", "-ccbin", "my g++", "-Ih", "-Ig", "x.cu"))
        << text;
    EXPECT_EQ(call.ccbin, "my g++"); // R9: a -ccbin in an options file must not bypass the shim
    EXPECT_THAT(call.ccbinWords, ElementsAre(1u, 2u));
    for (unsigned i = 1; i != 5; ++i) {
      EXPECT_EQ(call.words[i].source, Word::Source::ResponseFile);
      EXPECT_EQ(call.words[i].arg, 1u);
    }
    EXPECT_EQ(call.words[5].arg, uint32_t(call.args.size() - 1));
  }
}

TEST(ResponseFile, TwoOptionsFilesOfADeviceLink) { // T12
  Line line(words("nvcc -shared -dlink --options-file o.rsp --options-file l.rsp -o d.o"));
  line.files.file("/project/o.rsp", "a.o b.o").file("/project/l.rsp", "-Xlinker=-z -lcudadevrt");
  Invocation call = line.parse();
  EXPECT_EQ(call.kind, CallKind::DeviceLink);
  EXPECT_THAT(texts(call.linkInputs), ElementsAre("a.o", "b.o", "lib:cudadevrt"));
}

TEST(ResponseFile, MissingOptionsFileIsLeftToNvcc) {
  Line line(words("nvcc -c x.cu -optf none,f"));
  line.files.file("/project/f", "-DF");
  EXPECT_THAT(texts(line.parse().words), ElementsAre("-c", "x.cu", "-optf", "none,f"));
}

TEST(ResponseFile, AnOptionsFileNamedAsAValueIsNone) {
  Line line(words("nvcc x.cu -o -optf f"));
  line.files.file("/project/f", "-DF");
  EXPECT_THAT(texts(line.parse().words), ElementsAre("x.cu", "-o", "-optf", "f"));
}

TEST(ResponseFile, RecursionOfOptionsFilesEndsInAnError) {
  Line nvcc(words("nvcc -optf r"));
  nvcc.files.file("/project/r", "a.o -optf r");
  EXPECT_EQ(nvcc.finding().code, Code::BrokenResponseFile);
}

std::string limitReached(cli::ExpansionLimits limits) {
  Line line;
  for (int i = 0; i != 9; ++i) {
    std::string next = "@r" + std::to_string(i + 1) + " ";
    line.files.file("/project/r" + std::to_string(i), next + next + next + next);
  }
  line.files.file("/project/r9", "a.o b.o c.o");
  llvm::BumpPtrAllocator arena;
  std::vector<Word> list = {{"@r0"}};
  llvm::Error error = cli::Expansion(Dialect::Gcc, line.files, arena, limits).expandHost(list);
  return error ? core::toFinding(std::move(error)).message : "";
}

TEST(ResponseFile, GrowthIsBounded) {
  EXPECT_THAT(limitReached({.bytes = 1000}), testing::HasSubstr("over 1000 bytes"));
  EXPECT_THAT(limitReached({.words = 100}), testing::HasSubstr("over 100 words"));
}

// F1: gcc and clang each report in their own words that a response file contains itself.
TEST(ResponseFile, ALoopIsTheCompilersToRefuse) {
  Line line(words("cuda-cc g++ @r -o x"));
  line.files.file("/project/r", "a.o @r");
  Invocation call = line.parse();
  EXPECT_EQ(call.words.back().text, "x");
  EXPECT_EQ(call.args[0], "@r");
  // Two references to itself: the doubling ends at gcc's limit.
  Line twice(words("cuda-cc g++ @r -o x"));
  twice.files.file("/project/r", "@r @r");
  EXPECT_LE(twice.parse().words.size(), 4100u);
  Line clang(words("cuda-cc clang++ @r -o x"));
  clang.files.file("/project/r", "@r @r");
  EXPECT_EQ(clang.finding().code, Code::BrokenResponseFile);
}

TEST(ResponseFile, OneMegabyte) {
  Line line(words("cuda-cc g++ @r -o x"));
  std::string text;
  for (int i = 0; text.size() < 1 << 20; ++i)
    text += "dir/object" + std::to_string(i) + ".o\n";
  line.files.file("/project/r", text);
  Invocation call = line.parse();
  EXPECT_GT(call.linkInputs.size(), 40000u);
  EXPECT_EQ(call.output, "x");
}

TEST(Variables, AreMergedInTheirPlaces) { // R10, N3
  Line line(words("nvcc -c x.cu -o a.o"));
  line.variables.push_back("NVCC_PREPEND_FLAGS=-ccbin  clang++");
  line.variables.push_back("NVCC_APPEND_FLAGS=-o other.o -optf f");
  line.files.file("/project/f", "-DF");
  Invocation call = line.parse();
  EXPECT_THAT(texts(call.words),
              ElementsAre("-ccbin", "clang++", "-c", "x.cu", "-o", "a.o", "-o", "other.o", "-DF"));
  EXPECT_EQ(call.words[0].source, Word::Source::Prepend);
  EXPECT_EQ(call.words[2].source, Word::Source::Argv);
  EXPECT_EQ(call.words[2].arg, 0u);
  EXPECT_EQ(call.words[7].source, Word::Source::Append);
  EXPECT_EQ(call.words[8].source, Word::Source::Append);
  EXPECT_EQ(call.output, "other.o");
  EXPECT_EQ(call.ccbin, "clang++");
  EXPECT_TRUE(call.hasVariableFlags);
  EXPECT_THAT(texts(call.args), ElementsAre("-c", "x.cu", "-o", "a.o"));
}

TEST(Variables, AreNvccsAlone) {
  Line line(words("g++ -c x.cc"));
  line.variables.push_back("NVCC_APPEND_FLAGS=-DX");
  EXPECT_FALSE(line.parse().hasVariableFlags);
  line.argv = words("nvcc -c x.cu");
  EXPECT_TRUE(line.parse().hasVariableFlags);
  line.variables.back() = "NVCC_APPEND_FLAGS=";
  EXPECT_FALSE(line.parse().hasVariableFlags);
}

TEST(Words, AreUntouched) {
  Strings argv = {"g++", "-DX=\xc3\xbc\xff", "a b.c", "", "-DS=\"x y\"", "-", "--", "\\"};
  Invocation call = Line(argv).parse();
  EXPECT_EQ(texts(call.args), Strings(argv.begin() + 1, argv.end()));
  EXPECT_EQ(texts(call.words), texts(call.args));
}

TEST(Words, TenThousand) {
  Strings argv = {"nvcc", "-c", "x.cu"};
  for (int i = 0; i != 10000; ++i)
    argv.push_back((i % 2 ? "-DMACRO" : "-Idir") + std::to_string(i));
  Invocation call = Line(argv).parse();
  EXPECT_EQ(call.words.size(), 10002u);
  EXPECT_EQ(call.includes.size(), 5000u);
  EXPECT_EQ(call.kind, CallKind::Compile);
}

} // namespace
