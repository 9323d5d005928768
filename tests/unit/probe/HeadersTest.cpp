// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/Headers.h"
#include "driver/probe/toolkit/HeaderVersion.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

std::string cudaH(unsigned value) {
  return "/* nvidia */\n#ifndef X\n#define CUDA_VERSION " + std::to_string(value) + "\n";
}

struct Headers : testing::Test {
  test::MemoryFiles files;
  Invocation call;
  std::vector<std::string> variables;
  std::optional<Toolkit> toolkit;
  std::optional<HostCompiler> host;
  using Kind = IncludeDir::Kind;

  Headers() {
    call.dialect = Dialect::Gcc;
    call.kind = CallKind::Compile;
    call.compiler = "g++";
  }
  void nvcc() {
    call.dialect = Dialect::Nvcc;
    call.compiler = "";
    call.cudaSources = 1;
    toolkit.emplace();
    toolkit->includeDirs = {"/opt/cuda/include"};
    toolkit->systemIncludeDirs = {"/opt/cuda/include/cccl"};
    files.file("/opt/cuda/include/cuda.h", cudaH(12050));
  }
  void builtIn() {
    host.emplace();
    host->path = "/usr/bin/g++";
    host->cxxIncludes = {"/usr/include/c++/12", "/usr/local/include", "/usr/include"};
    host->cIncludes = {"/usr/local/include", "/usr/include"};
    for (const std::string &dir : host->cxxIncludes)
      files.directory(dir);
  }
  /// A cuda.h whose release identifies the folder.
  void header(llvm::StringRef folder, unsigned minor) {
    files.file((folder + "/cuda.h").str(), cudaH(12000 + minor * 10));
  }
  std::vector<std::string> find(llvm::StringRef name = "cuda.h") {
    Environment env;
    for (const std::string &entry : variables)
      env.entries.push_back(entry);
    std::vector<std::string> all;
    probe::IncludePath path(call, toolkit ? &*toolkit : nullptr, host ? &*host : nullptr, env,
                            files);
    for (const FoundHeader &found : probe::findCudaHeaders(path))
      if (found.name == name)
        all.push_back(found.cuda.str() + " " + found.path + " (" + found.foundBy + ")" +
                      (found.problem.empty() ? "" : " problem"));
    return all;
  }
};

TEST_F(Headers, hostCallThatReachesNoCuda) { // F5
  builtIn();
  header("/usr/local/include", 1);
  call.includes = {{"include", Kind::Angle}};
  EXPECT_THAT(find(), IsEmpty());
}

TEST_F(Headers, everyWayOfAHostCall) { // F5
  header("/i", 4);
  call.includes = {{"/i", Kind::Angle}};
  EXPECT_THAT(find(), ElementsAre("12.4 /i/cuda.h (-I /i)"));
  call.includes = {{"/i", Kind::System}};
  EXPECT_THAT(find(), ElementsAre("12.4 /i/cuda.h (-isystem /i)"));
  call.includes = {{"/i", Kind::Quote}};
  EXPECT_THAT(find(), ElementsAre("12.4 /i/cuda.h (-iquote /i)"));
  call.includes = {{"/i", Kind::After}};
  EXPECT_THAT(find(), ElementsAre("12.4 /i/cuda.h (-idirafter /i)"));
  call.includes.clear();
  variables = {"CPATH=/nothing:/i"};
  EXPECT_THAT(find(), ElementsAre("12.4 /i/cuda.h (CPATH)"));
  variables = {"CPLUS_INCLUDE_PATH=/i"};
  EXPECT_THAT(find(), ElementsAre("12.4 /i/cuda.h (CPLUS_INCLUDE_PATH)"));
}

TEST_F(Headers, languageDecidesTheVariable) {
  header("/c", 1);
  header("/cxx", 2);
  variables = {"C_INCLUDE_PATH=/c", "CPLUS_INCLUDE_PATH=/cxx"};
  EXPECT_THAT(find(), ElementsAre("12.2 /cxx/cuda.h (CPLUS_INCLUDE_PATH)"));
  call.compiler = "gcc";
  call.sources = {"a.c"};
  EXPECT_THAT(find(), ElementsAre("12.1 /c/cuda.h (C_INCLUDE_PATH)"));
  call.compiler = "g++";
  EXPECT_THAT(find(), ElementsAre("12.2 /cxx/cuda.h (CPLUS_INCLUDE_PATH)"));
}

TEST_F(Headers, orderIsGccs) {
  for (auto [folder, minor] :
       {std::pair("/i", 1), {"/cpath", 2}, {"/sys", 3}, {"/env", 4}, {"/after", 5}})
    header(folder, minor);
  call.includes = {{"/after", Kind::After}, {"/sys", Kind::System}, {"/i", Kind::Angle}};
  variables = {"CPATH=/cpath", "CPLUS_INCLUDE_PATH=/env"};
  EXPECT_THAT(find(), ElementsAre("12.1 /i/cuda.h (-I /i)"));
  call.includes.pop_back();
  EXPECT_THAT(find(), ElementsAre("12.2 /cpath/cuda.h (CPATH)"));
  variables.erase(variables.begin());
  EXPECT_THAT(find(), ElementsAre("12.3 /sys/cuda.h (-isystem /sys)"));
  call.includes.pop_back();
  EXPECT_THAT(find(), ElementsAre("12.4 /env/cuda.h (CPLUS_INCLUDE_PATH)"));
}

TEST_F(Headers, quotedAndAngledCanDiffer) {
  header("/q", 8);
  header("/i", 4);
  call.includes = {{"/i", Kind::Angle}, {"/q", Kind::Quote}};
  EXPECT_THAT(find(), ElementsAre("12.8 /q/cuda.h (-iquote /q)", "12.4 /i/cuda.h (-I /i)"));
}

// gcc's documentation of -I: a folder that is also a system folder is ignored there.
TEST_F(Headers, aSystemFolderDoesNotCountAtItsI) {
  header("/a", 1);
  header("/b", 2);
  call.includes = {{"/a", Kind::Angle}, {"/b", Kind::Angle}, {"/a", Kind::System}};
  EXPECT_THAT(find(), ElementsAre("12.2 /b/cuda.h (-I /b)"));
  // The same folder under another name.
  files.symlink("/a2", "/a");
  call.includes = {{"/a2", Kind::Angle}, {"/b", Kind::Angle}, {"/a", Kind::System}};
  EXPECT_THAT(find(), ElementsAre("12.2 /b/cuda.h (-I /b)"));
}

TEST_F(Headers, aBuiltInFolderThatAHostCallNames) {
  builtIn();
  header("/usr/local/include", 1);
  header("/b", 2);
  call.includes = {{"/usr/local/include", Kind::Angle}, {"/b", Kind::Angle}};
  EXPECT_THAT(find(), ElementsAre("12.2 /b/cuda.h (-I /b)"));
  call.includes.pop_back();
  EXPECT_THAT(find(), ElementsAre("12.1 /usr/local/include/cuda.h (-I /usr/local/include)"));
}

TEST_F(Headers, nvccFindsItsOwnBehindTheCallers) { // R38
  nvcc();
  builtIn();
  header("/usr/local/include", 1);
  EXPECT_THAT(find(), ElementsAre("12.5 /opt/cuda/include/cuda.h (nvcc's own)"));
  header("/mine", 4);
  call.includes = {{"/mine", Kind::Angle}};
  EXPECT_THAT(find(), ElementsAre("12.4 /mine/cuda.h (-I /mine)"));
  call.includes = {{"/mine", Kind::System}};
  EXPECT_THAT(find(), ElementsAre("12.5 /opt/cuda/include/cuda.h (nvcc's own)"));
  variables = {"CPATH=/mine"};
  EXPECT_THAT(find(), ElementsAre("12.5 /opt/cuda/include/cuda.h (nvcc's own)"));
}

TEST_F(Headers, builtInDirectoriesServeNvcc) { // R38
  nvcc();
  builtIn();
  toolkit->includeDirs.clear();
  header("/usr/local/include", 1);
  header("/usr/include", 2);
  EXPECT_THAT(find(), ElementsAre("12.1 /usr/local/include/cuda.h (built-in directory of g++)"));
  call.nostdinc = true;
  EXPECT_THAT(find(), IsEmpty());
}

TEST_F(Headers, clangAsCudaCompiler) {
  nvcc();
  call.dialect = Dialect::Clang;
  header("/sys", 1);
  EXPECT_THAT(find(), ElementsAre("12.5 /opt/cuda/include/cuda.h (nvcc's own)"));
  call.includes = {{"/sys", Kind::System}};
  EXPECT_THAT(find(), ElementsAre("12.1 /sys/cuda.h (-isystem /sys)"));
}

TEST_F(Headers, bothNamesAreLookedFor) {
  files.file("/i/cuda_runtime_api.h", "#define CUDART_VERSION  12040\n");
  call.includes = {{"/i", Kind::Angle}};
  EXPECT_THAT(find(), IsEmpty());
  EXPECT_THAT(find("cuda_runtime_api.h"), ElementsAre("12.4 /i/cuda_runtime_api.h (-I /i)"));
}

// gcc 12 skips a directory of that name ("Ignore a directory and continue the search").
TEST_F(Headers, aDirectoryNamedCudaH) {
  files.directory("/d/cuda.h");
  header("/i", 4);
  call.includes = {{"/d", Kind::Angle}, {"/i", Kind::Angle}};
  EXPECT_THAT(find(), ElementsAre("12.4 /i/cuda.h (-I /i)"));
}

// darknet has a src/cuda.h, which has nothing to do with CUDA's.
constexpr char own[] = "#pragma once\nvoid check_error(int status);\n";

TEST_F(Headers, aProjectsOwnFileIsNotCudas) {
  files.file("/src/cuda.h", own);
  files.file("/src/cuda_runtime_api.h", own);
  for (Kind kind : {Kind::Angle, Kind::Quote, Kind::System, Kind::After}) {
    call.includes = {{"/src", kind}};
    EXPECT_THAT(find(), IsEmpty());
    EXPECT_THAT(find("cuda_runtime_api.h"), IsEmpty());
  }
  call.includes.clear();
  for (const char *variable : {"CPATH=/src", "CPLUS_INCLUDE_PATH=/src"}) {
    variables = {variable};
    EXPECT_THAT(find(), IsEmpty());
  }
}

// Whichever project it belongs to, the compiler takes the first header of that name.
TEST_F(Headers, aProjectsOwnFileHidesTheNext) {
  files.file("/src/cuda.h", own);
  header("/i", 4);
  files.file("/i/cuda_runtime_api.h", "#define CUDART_VERSION  12040\n");
  call.includes = {{"/src", Kind::Angle}, {"/i", Kind::Angle}};
  EXPECT_THAT(find(), IsEmpty());
  EXPECT_THAT(find("cuda_runtime_api.h"), ElementsAre("12.4 /i/cuda_runtime_api.h (-I /i)"));
  call.includes = {{"/i", Kind::Angle}, {"/src", Kind::Angle}};
  EXPECT_THAT(find(), ElementsAre("12.4 /i/cuda.h (-I /i)"));
  // #include <cuda.h> still takes CUDA's.
  call.includes = {{"/src", Kind::Quote}, {"/i", Kind::Angle}};
  EXPECT_THAT(find(), ElementsAre("12.4 /i/cuda.h (-I /i)"));
}

TEST_F(Headers, includeNextLeadsToTheNext) {
  header("/i", 4);
  files.file("/src/cuda.h", "#pragma once\n#include_next <cuda.h>\n");
  files.file("/also/cuda.h", "#include_next <cuda.h>\n");
  call.includes = {{"/src", Kind::Angle}, {"/also", Kind::System}, {"/i", Kind::After}};
  EXPECT_THAT(find(), ElementsAre("12.4 /i/cuda.h (-idirafter /i)"));
  files.file("/also/cuda.h", own);
  EXPECT_THAT(find(), IsEmpty());
}

TEST_F(Headers, aProjectsOwnFileBeforeNvccs) {
  nvcc();
  files.file("/src/cuda.h", own);
  call.includes = {{"/src", Kind::Angle}};
  EXPECT_THAT(find(), IsEmpty());
  // A header in nvcc's own include folder is CUDA's, whatever its content.
  call.includes.clear();
  files.file("/opt/cuda/include/cuda.h", own);
  EXPECT_THAT(find(), ElementsAre("unknown /opt/cuda/include/cuda.h (nvcc's own) problem"));
}

// A truncated header of CUDA's is recognised by its place.
TEST_F(Headers, cutHeadersOfCuda) {
  for (const char *folder : {"/v/nvidia/cuda_runtime/include", "/v/nvidia/cu13/include",
                             "/t/targets/x86_64-linux/include", "/t/targets/sbsa-linux/include",
                             "/crt", "/gl", "/device", "/api", "/nvcc/include", "/link"})
    files.file((folder + llvm::Twine("/cuda.h")).str(), "/*\n * Copyright");
  files.file("/crt/crt/host_defines.h");
  files.file("/gl/cudaGL.h");
  files.file("/device/cuda_device_runtime_api.h");
  files.file("/api/cuda_runtime_api.h", "#define CUDART_VERSION  12040\n");
  files.program("/nvcc/bin/nvcc");
  files.symlink("/toWheel", "/v/nvidia/cu13/include");
  for (const char *folder : {"/v/nvidia/cuda_runtime/include", "/v/nvidia/cu13/include/",
                             "/t/targets/x86_64-linux/include", "/t/targets/sbsa-linux/include",
                             "/crt", "/gl", "/device", "/api", "/nvcc/include", "/toWheel"}) {
    call.includes = {{folder, Kind::Angle}};
    EXPECT_THAT(find(), SizeIs(1)) << folder;
  }
  // These contain the texts at other places, or in files with other names.
  files.file("/api/cuda_runtime_api.h", own);
  files.file("/targets/mine/include/cuda.h", own);
  files.file("/v/nvidia/include/cuda.h", own);
  for (const char *folder : {"/api", "/targets/mine/include", "/v/nvidia/include"}) {
    call.includes = {{folder, Kind::Angle}};
    EXPECT_THAT(find(), IsEmpty()) << folder;
  }
}

TEST_F(Headers, problems) {
  call.includes = {{"/i", Kind::Angle}};
  const char *unknown = "unknown /i/cuda.h (-I /i) problem";
  for (const char *text :
       {"#define CUDA_VERSION", "#define CUDA_VERSION \n", "#define CUDA_VERSION CUDART\n",
        "#define CUDA_VERSION 7050\n", "#ifndef __cuda_cuda_h__\n#define __cuda_cuda_h__\n"}) {
    files.file("/i/cuda.h", text);
    EXPECT_THAT(find(), ElementsAre(unknown)) << text;
  }
  for (const char *text :
       {"", "#if CUDA_VERSION > 1\n", "#ifdef __cuda_cuda_h__\n", "#define CUDA_VERSION_MAX 1\n"}) {
    files.file("/i/cuda.h", text);
    EXPECT_THAT(find(), IsEmpty()) << text;
  }
  header("/i", 4);
  files.unreadable.insert("/i/cuda.h");
  EXPECT_THAT(find(), ElementsAre(unknown));
}

// Only a file that was read completely can be recognised as a project's own.
TEST_F(Headers, longFiles) {
  call.includes = {{"/i", Kind::Angle}};
  files.file("/i/cuda.h", std::string(200000, 'x') + "\n#define CUDA_VERSION 12040\n");
  EXPECT_THAT(find(), ElementsAre("12.4 /i/cuda.h (-I /i)"));
  files.file("/i/cuda.h", std::string(200000, 'x'));
  EXPECT_THAT(find(), IsEmpty());
  files.file("/i/cuda.h", std::string(17 << 20, '\n'));
  EXPECT_THAT(find(), ElementsAre("unknown /i/cuda.h (-I /i) problem"));
  std::string repeated;
  while (repeated.size() < 4 << 20)
    repeated += "CUDA_VERSION";
  files.file("/i/cuda.h", repeated);
  EXPECT_THAT(find(), IsEmpty());
}

TEST_F(Headers, oneLookPerNameAndFolder) { // F23
  std::vector<std::string> dirs;
  for (unsigned i = 0; i < 100; ++i)
    dirs.push_back("/inc" + std::to_string(i));
  for (const std::string &dir : dirs)
    call.includes.push_back({dir, Kind::Angle});
  find();
  EXPECT_EQ(files.stats, 200u);
  EXPECT_EQ(files.reads, 0u);
}

// If a header identifies itself, no other file is read.
TEST_F(Headers, oneReadPerHeader) { // F23
  nvcc();
  files.file("/opt/cuda/include/cuda_runtime_api.h", "#define CUDART_VERSION  12050\n");
  call.includes = {{"/a", Kind::Angle}, {"/b", Kind::Angle}};
  files.stats = files.reads = 0;
  find();
  EXPECT_EQ(files.stats, 6u + 3u); // Three queries: which folders are system folders.
  EXPECT_EQ(files.reads, 2u);
}

std::string parse(const std::string &text) {
  auto version = probe::parseHeaderVersion(text, "CUDA_VERSION");
  return version.cuda.known() ? version.cuda.str() : version.problem;
}

TEST(HeaderVersion, versionsInHeaders) { // EV-7
  EXPECT_EQ(parse("#define CUDA_VERSION 12080\n"), "12.8");
  // V-EV-18
  EXPECT_EQ(parse("  # define CUDA_VERSION 12040\n"), "12.4");
  EXPECT_EQ(parse("\t#\tdefine\tCUDA_VERSION\t13000 /* x */\r\n"), "13.0");
  // V-EV-19
  EXPECT_THAT(parse("#define CUDA_VERSION 12345\n"), HasSubstr("12345"));
  EXPECT_THAT(parse("#define CUDA_VERSION 7050\n"), HasSubstr("not a CUDA release"));
  EXPECT_THAT(parse("#define CUDA_VERSION 99999999999999999999999\n"),
              HasSubstr("not a CUDA release"));
}

TEST(HeaderVersion, onlyADefinitionCounts) {
  EXPECT_THAT(parse("#if CUDA_VERSION >= 11000\n"), HasSubstr("no CUDA_VERSION"));
  EXPECT_THAT(parse("#define CUDA_VERSION_MAX 12040\n"), HasSubstr("no CUDA_VERSION"));
  EXPECT_THAT(parse("#define XCUDA_VERSION 12040\n"), HasSubstr("no CUDA_VERSION"));
  EXPECT_THAT(parse("#defineCUDA_VERSION 12040\n"), HasSubstr("no CUDA_VERSION"));
  EXPECT_THAT(parse("#define CUDA_VERSION X\n"), HasSubstr("no CUDA_VERSION"));
  EXPECT_EQ(parse("#if CUDA_VERSION > 1\n#define CUDA_VERSION 12040\n#define CUDA_VERSION 12050\n"),
            "12.4");
}

// A number at the end of the first block must not be read as a shorter one.
TEST(HeaderVersion, theNumberMayStraddleTheFirstLook) {
  for (size_t shift = 0; shift < 40; ++shift) {
    test::MemoryFiles files;
    files.file("/cuda.h",
               std::string((16 << 10) - shift - 1, '/') + "\n#define CUDA_VERSION 12040\n");
    EXPECT_EQ(probe::readHeaderVersion("/cuda.h", files).cuda.str(), "12.4") << shift;
  }
}

} // namespace
