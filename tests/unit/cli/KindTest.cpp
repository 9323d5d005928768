// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/cli/Line.h"

using namespace cudacc;
using namespace cudacc::test;

namespace {

struct KindRow {
  /// Rules of docs/spec that the line tests.
  const char *from;
  const char *line;
  CallKind kind;
  bool takesRecord = false;
};

struct Kind : testing::TestWithParam<KindRow> {};

TEST_P(Kind, IsDecided) {
  Invocation call = parsed(GetParam().line);
  EXPECT_EQ(str(call.kind).str(), str(GetParam().kind).str())
      << GetParam().from << ": " << GetParam().line;
  EXPECT_EQ(call.takesRecord, GetParam().takesRecord) << GetParam().from << ": " << GetParam().line;
}

constexpr CallKind P = CallKind::Probe, E = CallKind::Preprocess, C = CallKind::Compile,
                   D = CallKind::DeviceLink, R = CallKind::RelocatableLink, A = CallKind::Archive,
                   L = CallKind::Link, X = CallKind::Run;

const KindRow nvccRows[] = {
    {"R15", "cuda-cc x.cu -o x", L, true},
    {"R15", "cuda-cc -c x.cu -o x.o", C, true},
    {"R15", "cuda-cc --compile x.cu", C, true},
    {"R15", "cuda-cc -dc x.cu", C, true},
    {"R15", "cuda-cc --device-c x.cu", C, true},
    {"R15", "cuda-cc -dw x.cu", C, true},
    {"R15", "cuda-cc -dlink a.o b.o -o d.o", D},
    {"R15 N14 T12: CMake's device link",
     "cuda-cc -forward-unknown-to-host-compiler -shared -dlink a.o -o d.o -Xlinker=-z -Xlinker=now",
     D},
    {"R15", "cuda-cc -lib a.o -o l.a", A},
    {"R15", "cuda-cc --lib x.cu -o l.a", A, true},
    {"R15", "cuda-cc --run x.cu", X},
    {"R5", "cuda-cc --run \"/path/exe\" x.cu", X},
    {"R15", "cuda-cc -run -run-args -c,d x.cu", X},
    {"R15", "cuda-cc -r a.o b.o -o c.o", R},
    {"N24", "cuda-cc --relocatable-link a.o", R},
    {"N24", "cuda-cc --host-relocatable-link a.o", R},
    {"R15", "cuda-cc -E x.cu", E},
    {"R15", "cuda-cc --preprocess x.cu", E},
    {"R14", "cuda-cc -M -D__CUDACC__ x.cu", E},
    {"R14", "cuda-cc -E -Xcompiler=-P x.cu", E},
    {"R15", "cuda-cc -MM -c x.cu", E},
    {"R14 N16", "cuda-cc -MD -MT x.o -MF x.d -c x.cu -o x.o", C, true},
    {"R14", "cuda-cc --generate-dependencies-with-compile --dependency-output x.d -c x.cu", C,
     true},
    {"R14", "cuda-cc -MMD -MF x.d x.cu", L, true},
    {"T10", "cuda-cc -ptx x.cu", C},
    {"T10", "cuda-cc -cubin x.cu -arch=sm_80", C},
    {"T10", "cuda-cc -fatbin x.cu", C},
    {"T10", "cuda-cc -rdc=true -fatbin x.cu", C},
    {"T10", "cuda-cc -rdc=true -ptx x.cu", C},
    {"T10", "cuda-cc -optix-ir x.cu", C},
    {"T10", "cuda-cc -dc -fatbin x.cu", C},
    {"R15", "cuda-cc -ltoir -dlto x.cu", C},
    {"R15", "cuda-cc -cuda x.cu", C},
    {"N24", "cuda-cc -tilefatbin x.cu", C},
    {"phases named twice: the earliest", "cuda-cc -c -link x.cu", C, true},
    {"phases named twice: the earliest", "cuda-cc -lib -c x.cu", C, true},
    {"phases named twice: the earliest", "cuda-cc -E -c x.cu", E},
    {"R1 N2", "cuda-cc --version", P},
    {"R1 N2: anywhere", "cuda-cc -c x.cu --version", P},
    {"R1 N2: beside a bad -ccbin", "cuda-cc -ccbin /no/such --version", P},
    {"T16", "cuda-cc -V", P},
    {"R2", "cuda-cc --help", P},
    {"R2", "cuda-cc -h", P},
    {"R2", "cuda-cc --list-gpu-arch", P},
    {"R2", "cuda-cc --list-gpu-code", P},
    {"R2", "cuda-cc -arch-ls", P},
    {"R2", "cuda-cc -v __cmake_determine_cuda", P},
    {"R3", "cuda-cc --keep --keep-dir tmp -v CMakeCUDACompilerId.cu", L, true},
    {"R15", "cuda-cc -v", P},
    {"R15", "cuda-cc --dryrun x.cu", P},
    {"R15", "cuda-cc -dryrun -c x.cu", P},
    {"R15", "cuda-cc -### x.cu", P},
    {"no input: nvcc stops", "cuda-cc", P},
    {"no input: nvcc stops", "cuda-cc -shared -lfoo", P},
    {"no input: nvcc stops", "cuda-cc -Xlinker liba.a -o x", P},
    {"T2", "cuda-cc .c -Xcompiler --version", P},
    {"T2", "cuda-cc .c -Xcompiler -dumpfullversion~-dumpversion", P},
    {"T2", "cuda-cc x.cu -Xcompiler=-print-file-name=libc.so", P},
    {"T2", "cuda-cc .c --compiler-options --version", P},
    {"T2: not a probe", "cuda-cc -c x.cu -Xcompiler -v", C, true},
    {"T2: not a probe", "cuda-cc -c x.cu -Xcompiler -dumpbase,--version", C, true},
    {"T6", "cuda-cc -c -c x.cu --compiler-options '-fPIC' -DA -DA", C, true},
    {"T7", "cuda-cc -c x.cu --compiler-options -Wall~-Wno-unused-result~-DGPU", C, true},
    {"T11", "cuda-cc -o prog -ccbin g++ a.o lib.a -L. -lX", L},
    {"T11", "cuda-cc -I DIR x.c -o x -lcusparse", L, true},
    {"T11", "cuda-cc a.cu -lcublas -o a", L, true},
    {"T11", "cuda-cc -shared a.o -Xlinker -soname,libx.so", L},
    {"T14", "cuda-cc -c x.cu --generate-code=arch=compute_No~CUDA~devices~found.,code=[sm_No]", C,
     true},
    {"T20", "cuda-cc -c x.cu -lX -isystem=DIR", C, true},
    {"EM-9", "cuda-cc -c x.ptx", C},
    {"EM-9", "cuda-cc -c x.ii", C},
    {"EM-9", "cuda-cc -c a.c b.cpp c.cu", C, true},
    {"EM-9: -x speaks for all inputs", "cuda-cc -c -x cu y", C, true},
    {"a host phase inside -Xcompiler is not nvcc's", "cuda-cc x.cu -Xcompiler -E", L, true},
    {"N5: forwarded words", "cuda-cc -forward-unknown-to-host-compiler -fPIC -c x.cu", C, true},
    {"lines that broke nvcc_wrapper", "cuda-cc -c x.c", C, true},
    {"lines that broke nvcc_wrapper", "cuda-cc -t 4 -odir out -c x.cu", C, true},
    {"lines that broke nvcc_wrapper", "cuda-cc -D NDEBUG -DS=\"x~y\" -c x.cu", C, true},
};
INSTANTIATE_TEST_SUITE_P(Nvcc, Kind, testing::ValuesIn(nvccRows));

const KindRow gccRows[] = {
    {"R15", "cuda-cc g++ a.o -o a", L},
    {"R15", "cuda-cc g++ a.cpp", L, true},
    {"R15", "cuda-cc g++ -shared a.o -o a.so", L},
    {"R15", "cuda-cc g++ -c a.cpp", C, true},
    {"R15", "cuda-cc g++ --compile a.cpp", C, true},
    {"R15", "cuda-cc gcc -S a.c", C},
    {"R15", "cuda-cc gcc -fsyntax-only a.c", C},
    {"R15", "cuda-cc gcc -E a.c", E},
    {"R15", "cuda-cc gcc -M a.c", E},
    {"R15", "cuda-cc gcc -MM a.c", E},
    {"R15", "cuda-cc gcc -MD -MF a.d -c a.c", C, true},
    {"R15", "cuda-cc gcc -r a.o b.o -o c.o", R},
    {"R15", "cuda-cc gcc -Wl,-r a.o -o c.o", R},
    {"R15", "cuda-cc gcc -print-search-dirs", P},
    {"R15", "cuda-cc gcc -print-file-name=libc.so", P},
    {"R15", "cuda-cc gcc --print-file-name libc.so", P},
    {"R15", "cuda-cc gcc -dumpmachine", P},
    {"R15", "cuda-cc gcc -dumpversion", P},
    {"R15", "cuda-cc gcc -dumpfullversion -dumpversion", P},
    {"R15", "cuda-cc gcc --version", P},
    {"R15", "cuda-cc gcc a.c --version", P},
    {"R15", "cuda-cc gcc -### a.c", P},
    {"R15", "cuda-cc gcc --help=common", P},
    {"R15", "cuda-cc gcc --target-help", P},
    {"R15: torch", "cuda-cc g++ -v", P},
    {"R15: -v beside inputs", "cuda-cc g++ -v a.cpp", L, true},
    {"R15: Meson", "cuda-cc g++ -Wl,--version", P},
    {"R15: Meson", "cuda-cc g++ -fuse-ld=lld -Wl,--version", P},
    {"R15: a linker that tells its version and links", "cuda-cc g++ -Wl,-v a.o", L},
    {"R15", "cuda-cc gcc -E -dM -", E},
    {"R15", "cuda-cc gcc -E -dM -x c /dev/null", E},
    {"no input", "cuda-cc gcc", P},
    {"libraries are inputs", "cuda-cc gcc -shared -lfoo -o x.so", L},
    {"libraries are inputs", "cuda-cc gcc -shared -Wl,--whole-archive,liba.a -o x.so", L},
    {"standard input", "cuda-cc gcc -xc - -o x", L, true},
    {"standard input", "cuda-cc gcc -xc -c -", C, true},
    {"EM-9", "cuda-cc gcc -c a.i", C},
    {"EM-9", "cuda-cc gcc -c a.s", C},
    {"EM-9", "cuda-cc gcc -c a.S", C},
    {"EM-9", "cuda-cc gcc -c a.c b.s", C, true},
    {"EM-9", "cuda-cc gcc -c -x c++ a.inc", C, true},
    {"EM-9", "cuda-cc gcc -c -x objective-c a.m", C},
    {"EM-9", "cuda-cc gcc -c a.c -x fortran b.f", C},
    {"EM-9", "cuda-cc gcc -c -x fortran b.f -x none a.c", C},
    {"EM-9", "cuda-cc gcc -c b.f90 a.c", C},
    {"EM-9: a precompiled header", "cuda-cc g++ a.h", C},
    {"EM-9: a precompiled header", "cuda-cc g++ -x c++-header a.h -o a.h.gch", C},
    {"EM-9: a precompiled header", "cuda-cc g++ -x c++-header a.hxx -c", C},
    {"EM-9: modules", "cuda-cc g++ -fmodules-ts -c a.cpp", C},
    {"EM-9: gcc leaves -include out", "cuda-cc g++ -g -grecord-gcc-switches -c a.cpp", C, true},
    {"EM-9: modules", "cuda-cc g++ -fmodule-mapper=x -c a.cpp", C},
    {"EM-9: modules", "cuda-cc g++ -fdeps-format=p1689r5 -c a.cpp", C},
    {"EM-9: modules", "cuda-cc g++ -c a.cppm", C},
    {"EM-9: modules", "cuda-cc g++ -c a.ixx", C},
    {"EM-9: modules", "cuda-cc g++ -c -x c++-module a.cpp", C},
    {"one step", "cuda-cc g++ a.cpp -shared -o a.so", L, true},
    {"gcc knows no .cu", "cuda-cc g++ -c a.cu", C},
    {"values are no inputs",
     "cuda-cc g++ -o a.c -MF b.c -T c.c -u d.c -Xassembler e.c -aux-info f.c", P},
    {"values are no inputs", "cuda-cc g++ -wrapper gdb,--args --param a=b -dumpbase x -dumpdir y",
     P},
    {"-dumpdir and -dumpbase are no probes", "cuda-cc g++ -dumpdir a.c -c b.c", C, true},
};
INSTANTIATE_TEST_SUITE_P(Gcc, Kind, testing::ValuesIn(gccRows));

const KindRow clangRows[] = {
    {"CUDA", "cuda-cc clang++ -x cuda a.cpp -c", C, true},
    {"CUDA", "cuda-cc clang++ a.cu -o a", L, true},
    {"CUDA", "cuda-cc clang++ --cuda-device-only a.cu -o a.fatbin", C},
    {"CUDA", "cuda-cc clang++ --offload-device-only -S a.cu", C},
    {"CUDA", "cuda-cc clang++ --cuda-host-only -c a.cu", C, true},
    {"no object", "cuda-cc clang -c -emit-llvm a.c", C},
    {"no object", "cuda-cc clang --analyze a.c", C},
    {"EM-9: modules", "cuda-cc clang++ --precompile a.cppm", C},
    {"EM-9: modules", "cuda-cc clang++ -fmodules -c a.cpp", C},
    {"EM-9: the line in the object", "cuda-cc clang++ -grecord-gcc-switches -c a.cpp", C},
    {"EM-9: the line in the object", "cuda-cc clang++ -frecord-command-line -c a.cpp", C},
    {"the compiler proper", "cuda-cc clang -cc1 -emit-obj a.c", P},
    {"R15", "cuda-cc clang -print-resource-dir", P},
    {"R15", "cuda-cc clang --autocomplete=-f", P},
    {"everything behind -- is an input", "cuda-cc clang -c -- -a.c", C, true},
    {"values are no inputs", "cuda-cc clang -target x.c -Xclang y.c -mllvm z.c -MJ w.c", P},
    {"values are no inputs",
     "cuda-cc clang -Xarch_device a.c -Xarch_x86_64 b.c -sectcreate 1 2 3.c", P},
};
INSTANTIATE_TEST_SUITE_P(Clang, Kind, testing::ValuesIn(clangRows));

TEST(Kind, CmakesFileThatExistsIsAnInput) {
  Line line(words("cuda-cc -v __cmake_determine_cuda"));
  line.files.file("/project/__cmake_determine_cuda");
  EXPECT_EQ(line.parse().kind, CallKind::Link);
}

TEST(Kind, DryRunAndVerboseAreRecognised) {
  EXPECT_TRUE(parsed("cuda-cc --dryrun x.cu").dryRun);
  EXPECT_TRUE(parsed("cuda-cc -### x.cu").dryRun);
  EXPECT_TRUE(parsed("cuda-cc g++ -### x.c").dryRun);
  EXPECT_TRUE(parsed("cuda-cc -v x.cu").verbose);
  EXPECT_TRUE(parsed("cuda-cc --verbose x.cu").verbose);
  EXPECT_TRUE(parsed("cuda-cc g++ -v x.c").verbose);
  EXPECT_FALSE(parsed("cuda-cc x.cu").verbose);
}

// EM-9.
TEST(Kind, FilesThatListHeadersAreRecognised) {
  EXPECT_TRUE(parsed("cuda-cc g++ -MMD -c a.cpp").lacksPhonyTargets);
  EXPECT_TRUE(parsed("cuda-cc g++ -Wp,-MD,a.d -c a.cpp").lacksPhonyTargets);
  EXPECT_FALSE(parsed("cuda-cc g++ -MMD -MP -c a.cpp").lacksPhonyTargets);
  EXPECT_FALSE(parsed("cuda-cc g++ -c a.cpp").lacksPhonyTargets);
  Line line(words("cuda-cc g++ -c a.cpp"));
  line.variables.push_back("DEPENDENCIES_OUTPUT=a.d");
  EXPECT_TRUE(line.parse().lacksPhonyTargets);
  EXPECT_TRUE(parsed("cuda-cc -MD -c a.cu").lacksPhonyTargets);
  EXPECT_FALSE(parsed("cuda-cc -MD -MP -c a.cu").lacksPhonyTargets);
  Invocation host = parsed("cuda-cc -Xcompiler -MMD,-MF,a.d -c a.cpp");
  EXPECT_TRUE(host.hostLacksPhonyTargets && !host.lacksPhonyTargets);
  EXPECT_FALSE(parsed("cuda-cc -Xcompiler -MMD,-MP -c a.cpp").hostLacksPhonyTargets);
  for (const char *text : {"cuda-cc g++ -g3 -c a.cpp", "cuda-cc clang++ -fdebug-macro -c a.cpp",
                           "cuda-cc -Xcompiler -ggdb3 -c a.cpp"})
    EXPECT_TRUE(parsed(text).namesHeaders) << text;
  EXPECT_FALSE(parsed("cuda-cc g++ -g -c a.cpp").namesHeaders);
}

TEST(Kind, CudaSourcesAreCounted) {
  EXPECT_EQ(parsed("cuda-cc a.cu b.cpp c.cu d.o").cudaSources, 2u);
  EXPECT_EQ(parsed("cuda-cc -x cu a.cpp b.o").cudaSources,
            2u); // nvcc 13.0 compiles the object, too
  EXPECT_EQ(parsed("cuda-cc a.cu -x c++ b.cu").cudaSources, 0u);
  EXPECT_EQ(parsed("cuda-cc clang++ a.cu -x cuda b.cpp -x none c.cpp").cudaSources, 2u);
  EXPECT_EQ(parsed("cuda-cc g++ a.cu").cudaSources, 0u);
  EXPECT_THAT(texts(parsed("cuda-cc a.cu b.o c.cpp").sources),
              testing::ElementsAre("a.cu", "c.cpp"));
}

} // namespace
