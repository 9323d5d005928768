// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/cli/Line.h"

using namespace cudacc;
using namespace cudacc::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

struct LinkRow {
  const char *from;
  const char *line;
  Strings expected;
};

struct LinkInputs : testing::TestWithParam<LinkRow> {};
TEST_P(LinkInputs, InTheirOrder) {
  EXPECT_EQ(texts(parsed(GetParam().line).linkInputs), GetParam().expected)
      << GetParam().from << ": " << GetParam().line;
}

const LinkRow inputRows[] = {
    {"plain",
     "cuda-cc g++ a.o -lfoo b.a -l bar c.so.1",
     {"a.o", "lib:foo", "b.a", "lib:bar", "c.so.1"}},
    {"-l:FILE", "cuda-cc g++ a.o -l:libx.so.12", {"a.o", "lib::libx.so.12"}},
    {"sources are compiled", "cuda-cc g++ a.cpp b.o", {"b.o"}},
    {"gcc gives the linker what it does not know", "cuda-cc g++ a.cu b", {"a.cu", "b"}},
    {"nested",
     "cuda-cc g++ a.o -Wl,--whole-archive,liba.a,--no-whole-archive,-lfoo -lbar",
     {"a.o", "liba.a*", "lib:foo*", "lib:bar"}},
    {"values are no inputs",
     "cuda-cc g++ a.o -Wl,-soname,libx.so -Wl,-Map,m.txt -Wl,-z,now -Wl,-T,s.ld",
     {"a.o"}},
    {"pairs over several words",
     "cuda-cc g++ a.o -Xlinker -soname -Xlinker libx.so -Wl,-h -Wl,y.so b.o",
     {"a.o", "b.o"}},
    {"-Xlinker",
     "cuda-cc g++ -Xlinker a.o -Xlinker -lb --for-linker=-lc",
     {"a.o*", "lib:b*", "lib:c*"}},
    {"N9: nvcc's list",
     "cuda-cc a.o -la,b -l c --library=d --library e,f",
     {"a.o", "lib:a*", "lib:b*", "lib:c", "lib:d", "lib:e*", "lib:f*"}},
    {"N9", "cuda-cc a.o -l=foo", {"a.o", "lib:foo"}},
    {"N7 T11", "cuda-cc -shared a.o -Xlinker -soname,libx.so", {"a.o"}},
    {"N7", "cuda-cc a.o -Xlinker -lfoo,libz.a", {"a.o", "lib:foo*", "libz.a*"}},
    {"N6",
     "cuda-cc a.o -Xcompiler=-Wl\\,-soname\\,libx.so.1 -Xcompiler -Wl\\,-lq",
     {"a.o", "lib:q*"}},
    {"T5", "cuda-cc a.o -Xcompiler ,\"-fopenmp\",\"-lm\",\"-O3\"", {"a.o", "lib:m*"}},
    {"T6", "cuda-cc a.o --compiler-options '-lm'", {"a.o", "lib:m*"}},
    {"N5", "cuda-cc -forward-unknown-to-host-compiler a.o -Wl,-lq", {"a.o", "lib:q*"}},
    {"T3: as written, twice",
     "cuda-cc g++ a.o /c/libcudart.so -lcudadevrt -lcudart_static -lcudart_static",
     {"a.o", "/c/libcudart.so", "lib:cudadevrt", "lib:cudart_static", "lib:cudart_static"}},
    {"T11", "cuda-cc -o prog -ccbin g++ a.o lib.a -L. -lX", {"a.o", "lib.a", "lib:X"}},
    {"nvcc's -x speaks for objects too", "cuda-cc -x cu a.o -lb", {"lib:b"}},
    {"clang", "cuda-cc clang++ a.o -z now -rpath /x -framework b.o -- -lfoo", {"a.o", "-lfoo"}},
    {"non-ASCII", "cuda-cc g++ \xc3\xa9.o -l\xc3\xa9", {"\xc3\xa9.o", "lib:\xc3\xa9"}},
};
INSTANTIATE_TEST_SUITE_P(All, LinkInputs, testing::ValuesIn(inputRows));

TEST(LinkInputs, KnowTheirWord) {
  Invocation call = parsed("cuda-cc g++ -o x a.o -l foo -lbar -Wl,-lq");
  ASSERT_EQ(call.linkInputs.size(), 4u);
  EXPECT_EQ(call.words[call.linkInputs[0].word].text, "a.o");
  EXPECT_EQ(call.words[call.linkInputs[1].word].text, "foo");
  EXPECT_EQ(call.words[call.linkInputs[2].word].text, "-lbar");
  EXPECT_EQ(call.words[call.linkInputs[3].word].text, "-Wl,-lq");
  for (uint32_t i = 0; i != call.words.size(); ++i)
    EXPECT_EQ(call.words[i].arg, i);
}

struct Rpaths : testing::TestWithParam<LinkRow> {};
TEST_P(Rpaths, AreCollected) {
  EXPECT_EQ(parsed(GetParam().line).rpaths, GetParam().expected)
      << GetParam().from << ": " << GetParam().line;
}
const LinkRow rpathRows[] = {
    {"-Wl,-rpath,X", "cuda-cc g++ a.o -Wl,-rpath,/a:/b", {"/a", "/b"}},
    {"-Wl,-rpath=X", "cuda-cc g++ a.o -Wl,-rpath=$ORIGIN/x -Wl,--rpath=/y", {"$ORIGIN/x", "/y"}},
    {"-Wl,-rpath -Wl,X", "cuda-cc g++ a.o -Wl,-rpath -Wl,/a -Wl,-rpath-link,/no", {"/a"}},
    {"-Xlinker pairs",
     "cuda-cc g++ a.o -Xlinker -rpath -Xlinker /a -Xlinker -rpath=/b",
     {"/a", "/b"}},
    {"mixed", "cuda-cc g++ a.o -Xlinker -rpath -Wl,/a", {"/a"}},
    {"-R", "cuda-cc g++ a.o -Wl,-R,/a -R/b", {"/a", "/b"}},
    {"clang", "cuda-cc clang a.o -rpath /a", {"/a"}},
    {"T21: padding", "cuda-cc g++ a.o -Wl,-rpath,/a:::", {"/a", "", "", ""}},
    {"N7", "cuda-cc a.o -Xlinker -rpath,$ORIGIN/x", {"$ORIGIN/x"}},
    {"N7", "cuda-cc a.o -Xlinker=-rpath=/x --linker-options -rpath -Xlinker /y", {"/x", "/y"}},
    {"N8: a blank splits", "cuda-cc a.o -Xlinker -rpath,/x~y/z", {"/x"}},
    {"N6", "cuda-cc a.o -Xcompiler -Wl\\,-rpath\\,/x", {"/x"}},
    {"R34: Meson's quotes inside the argument",
     "cuda-cc a.o -Xcompiler='-Wl\\,-rpath\\,$ORIGIN/x'",
     {"$ORIGIN/x"}},
    {"N5", "cuda-cc -forward-unknown-to-host-compiler a.o -Wl,-rpath,/x", {"/x"}},
};
INSTANTIATE_TEST_SUITE_P(All, Rpaths, testing::ValuesIn(rpathRows));

struct Includes : testing::TestWithParam<LinkRow> {};
TEST_P(Includes, AreCollected) {
  EXPECT_EQ(texts(parsed(GetParam().line).includes), GetParam().expected)
      << GetParam().from << ": " << GetParam().line;
}
const LinkRow includeRows[] = {
    {"gcc",
     "cuda-cc g++ -Ia -I b -isystem c -isystemd -iquote e -idirafter f x.cc",
     {"I:a", "I:b", "s:c", "s:d", "q:e", "a:f"}},
    {"GNU long forms",
     "cuda-cc g++ --include-directory=a --include-directory b "
     "--include-directory-after=c x.cc",
     {"I:a", "I:b", "a:c"}},
    {"gcc: = means the sysroot", "cuda-cc g++ -I=a x.cc", {"I:=a"}},
    {"clang", "cuda-cc clang++ -cxx-isystem a -isystem-after b x.cc", {"s:a", "a:b"}},
    {"N9: lists",
     "cuda-cc -c x.cu -Ia,b -I c -I=d --include-path e --include-path=f,g",
     {"I:a", "I:b", "I:c", "I:d", "I:e", "I:f", "I:g"}},
    {"T20",
     "cuda-cc -c x.cu -isystem=a -isystem b,c --system-include d",
     {"s:a", "s:b", "s:c", "s:d"}},
    {"T7", "cuda-cc -c x.cu -Xcompiler -isystem,a,-isystem,b,-fPIC", {"s:a", "s:b"}},
    {"T7: over two words",
     "cuda-cc -c x.cu -Xcompiler -isystem -Xcompiler a -Xcompiler -iquoteb",
     {"s:a", "q:b"}},
    {"T7: blanks", "cuda-cc -c x.cu --compiler-options -Ia~-I~b~-Wall", {"I:a", "I:b"}},
    {"N9: \\, protects", "cuda-cc -c x.cu -Ia\\,b", {"I:a,b"}},
    {"forwarded words take no value",
     "cuda-cc -forward-unknown-to-host-compiler -c x.cu -iquotea "
     "-idirafter b.cu",
     {"q:a"}},
    {"lines that broke nvcc_wrapper", "cuda-cc -c x.cu -isystem dir", {"s:dir"}},
    {"T25 T20", "cuda-cc -c x.cu -I../up -I/include/", {"I:../up", "I:/include/"}},
};
INSTANTIATE_TEST_SUITE_P(All, Includes, testing::ValuesIn(includeRows));

struct NoOrdinaryFile : testing::TestWithParam<std::pair<const char *, bool>> {};
TEST_P(NoOrdinaryFile, IsSaidByTheLine) {
  EXPECT_EQ(parsed(GetParam().first).freestanding, GetParam().second) << GetParam().first;
}
const std::pair<const char *, bool> freestandingRows[] = {
    {"cuda-cc g++ a.o -nostdlib", true},
    {"cuda-cc g++ a.o --no-standard-libraries", true},
    {"cuda-cc g++ a.o -nostartfiles", true},
    {"cuda-cc g++ a.c -ffreestanding", true},
    {"cuda-cc g++ a.o -Ttext=0x7c00", true},
    {"cuda-cc g++ a.o -Tdata 0x7c00", true},
    {"cuda-cc g++ a.o -Wl,--oformat=binary", true},
    {"cuda-cc g++ a.o -Wl,--oformat,binary", true},
    {"cuda-cc g++ a.o -Wl,-oformat -Wl,binary", true},
    {"cuda-cc g++ a.o -Xlinker -Ttext -Xlinker 0", true},
    {"cuda-cc clang a.o -nostdlib", true},
    {"cuda-cc a.o -Xcompiler -nostdlib", true},
    {"cuda-cc a.o -Xlinker --oformat=binary", true},
    {"cuda-cc g++ a.o -nodefaultlibs", false},
    {"cuda-cc g++ a.o -static", false},
    {"cuda-cc g++ a.o -Wl,-Ttext-segment=0x400000", false},
    {"cuda-cc g++ a.o -Wl,-Map,--oformat", false},
    {"cuda-cc g++ a.o -Wl,-T,s.ld", false},
};
INSTANTIATE_TEST_SUITE_P(All, NoOrdinaryFile, testing::ValuesIn(freestandingRows));

TEST(LinkerScripts, AreCollected) {
  for (const char *line :
       {"cuda-cc g++ a.o -Ts.ld", "cuda-cc g++ a.o -T s.ld", "cuda-cc g++ a.o -Wl,-T,s.ld",
        "cuda-cc g++ a.o -Wl,--script=s.ld", "cuda-cc g++ a.o -Xlinker -dT -Xlinker s.ld",
        "cuda-cc g++ a.o -Wl,--default-script,s.ld", "cuda-cc a.o -Xlinker -T,s.ld"})
    EXPECT_THAT(parsed(line).linkerScripts, testing::ElementsAre("s.ld")) << line;
  EXPECT_THAT(parsed("cuda-cc g++ a.o -Wl,--version-script=s.ld").linkerScripts, IsEmpty());
}

struct Ccbin : testing::TestWithParam<LinkRow> {};
TEST_P(Ccbin, LastWinsAndAllWordsAreKnown) { // N3, R11, T8
  Invocation call = parsed(GetParam().line);
  ASSERT_TRUE(call.ccbin);
  Strings found = {call.ccbin->str()};
  for (uint32_t index : call.ccbinWords)
    found.push_back(call.words[index].text.str());
  EXPECT_EQ(found, GetParam().expected) << GetParam().line;
}
const LinkRow ccbinRows[] = {
    {"T8", "cuda-cc -ccbin g++ x.cu", {"g++", "-ccbin", "g++"}},
    {"T8", "cuda-cc -ccbin=/b/gcc x.cu", {"/b/gcc", "-ccbin=/b/gcc"}},
    {"R11", "cuda-cc --compiler-bindir /b/cc x.cu", {"/b/cc", "--compiler-bindir", "/b/cc"}},
    {"R11", "cuda-cc --compiler-bindir=X x.cu", {"X", "--compiler-bindir=X"}},
    {"N3", "cuda-cc -ccbin a -ccbin=b x.cu", {"b", "-ccbin", "a", "-ccbin=b"}},
    {"blank", "cuda-cc -ccbin /my~dir/g++ x.cu", {"/my dir/g++", "-ccbin", "/my dir/g++"}},
};
INSTANTIATE_TEST_SUITE_P(All, Ccbin, testing::ValuesIn(ccbinRows));

TEST(Link, LastOutputWins) { // N3
  EXPECT_EQ(parsed("cuda-cc x.cu -o a --output-file b --output-file=c -o=d").output, "d");
  EXPECT_EQ(parsed("cuda-cc g++ x.o -oa -o b").output, "b");
  EXPECT_EQ(parsed("cuda-cc g++ x.o --output=a").output, "a");
  EXPECT_EQ(parsed("cuda-cc g++ x.o -o a -Wl,-o,b").output, "b");
  EXPECT_FALSE(parsed("cuda-cc g++ x.o").output);
}

TEST(Link, Flags) {
  Invocation call = parsed("cuda-cc g++ -shared a.o -nostdinc -nostdlib -static-pie -fuse-ld=mold "
                           "-Wl,--build-id=sha1 -L/x -L y --library-directory=z");
  EXPECT_TRUE(call.shared && call.nostdinc && call.nostdlib && call.staticLink &&
              call.givesBuildId);
  EXPECT_EQ(call.linkerName, "mold");
  EXPECT_THAT(texts(call.libraryDirs), ElementsAre("/x", "y", "z"));
  call = parsed("cuda-cc g++ a.o -static-libgcc -nostdinc++ -Wl,--no-shared");
  EXPECT_FALSE(call.shared || call.nostdinc || call.nostdlib || call.staticLink ||
               call.givesBuildId);
  EXPECT_TRUE(parsed("cuda-cc g++ a.o -Wl,-shared").shared);
  EXPECT_TRUE(parsed("cuda-cc g++ a.o -static").staticLink);
  EXPECT_EQ(parsed("cuda-cc clang a.o --ld-path=/b/ld").linkerName, "/b/ld");
  EXPECT_EQ(parsed("cuda-cc clang a.cu --cuda-path=/c").cudaPath, "/c");
}

TEST(Link, NvccFlags) {
  Invocation call = parsed("cuda-cc --shared a.o -cudart none --cudart=shared -L/b,/c "
                           "-Xcompiler -static,-fuse-ld=gold,-L/d -Xlinker --build-id");
  EXPECT_TRUE(call.shared && call.staticLink && call.givesBuildId);
  EXPECT_EQ(call.cudart, "shared");
  EXPECT_EQ(call.linkerName, "gold");
  EXPECT_THAT(texts(call.libraryDirs), ElementsAre("/b", "/c", "/d"));
  EXPECT_TRUE(parsed("cuda-cc a.o -Xcompiler -shared").shared);
}

TEST(Link, NeedsForwarding) { // N5, R13
  EXPECT_TRUE(parsed("cuda-cc a.o -Wl,-rpath,/x").needsForwarding);
  EXPECT_FALSE(
      parsed("cuda-cc a.o -forward-unknown-to-host-compiler -Wl,-rpath,/x").needsForwarding);
  EXPECT_FALSE(parsed("cuda-cc -Wl,-z a.o --forward-unknown-opts").needsForwarding);
  EXPECT_TRUE(parsed("cuda-cc -Wl,-z a.o -forward-unknown-to-host-linker").needsForwarding);
  EXPECT_FALSE(parsed("cuda-cc a.o -Xcompiler -Wl\\,-z").needsForwarding);
  EXPECT_FALSE(parsed("cuda-cc g++ a.o -Wl,-z").needsForwarding);
}

TEST(Link, MissingValueAtTheEnd) {
  for (const char *text :
       {"cuda-cc x.cu -o", "cuda-cc x.cu --include-path", "cuda-cc x.cu -Xlinker",
        "cuda-cc g++ a.o -o", "cuda-cc g++ a.o -l", "cuda-cc clang a.o -target",
        "cuda-cc clang a.o -sectcreate a b", "cuda-cc x.cu -ccbin", "cuda-cc x.cu -optf"})
    EXPECT_TRUE(parsed(text).danglingOption) << text;
  EXPECT_FALSE(parsed("cuda-cc x.cu -o x").danglingOption);
  EXPECT_THAT(parsed("cuda-cc x.cu -ccbin").ccbinWords, IsEmpty());
  EXPECT_FALSE(parsed("cuda-cc g++ a.o -lx").danglingOption);
}

TEST(Link, ValueThatMayBeLeftOut) {
  for (const char *text : {"cuda-cc -hls -o out x.o", "cuda-cc -hls use-lcs -o out x.o",
                           "cuda-cc -hls=use-lcs x.o -o out", "cuda-cc x.o -o out -hls"}) {
    Invocation call = parsed(text);
    EXPECT_EQ(call.output, "out") << text;
    EXPECT_EQ(call.linkInputs.size(), 1u) << text;
    EXPECT_FALSE(call.danglingOption) << text;
  }
  EXPECT_EQ(parsed("cuda-cc -hls - x.o").linkInputs.size(), 1u);
}

TEST(Link, LiteralQuotesAndBracketsInArchitectures) { // T5, T9: nvcc_wrapper failed on these
  Invocation call = parsed("cuda-cc -gencode=arch=compute_80,code=\"sm_80,compute_80\" "
                           "--generate-code arch=compute_80,code=[compute_80,sm_80] -gencode "
                           "arch=compute_75,code=lto_75 -arch=all-major -code sm_80 x.cu -o x");
  EXPECT_THAT(texts(call.sources), ElementsAre("x.cu"));
  EXPECT_THAT(call.linkInputs, IsEmpty());
  EXPECT_EQ(call.output, "x");
  EXPECT_EQ(call.words[0].text, "-gencode=arch=compute_80,code=\"sm_80,compute_80\"");
}

} // namespace
