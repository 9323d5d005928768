// SPDX-License-Identifier: Apache-2.0
#include "driver/report/json/Json.h"
#include "driver/config/ParseOverride.h"
#include "gmock/gmock.h"

using namespace cudacc;
using report::print;
using report::toJson;

static std::string compact(llvm::json::Value value) { return print(value, true); }

TEST(Json, printsSortedWithTwoSpaces) {
  EXPECT_EQ(print(llvm::json::Object{{"b", 1}, {"a", llvm::json::Array{"x"}}}),
            "{\n  \"a\": [\n    \"x\"\n  ],\n  \"b\": 1\n}\n");
}

TEST(Json, targetHasTheKeysOfTheContract) {
  core::Target target;
  target.declared = true;
  target.declaredAs = {{"torch==2.5.1", {core::Origin::Kind::File, "pyproject.toml", 14}}};
  target.line = {12, 4};
  target.release = "12.4.1";
  target.driverFloor = "525.60.13";
  core::TargetLibrary library;
  library.soname = "libnvJitLink.so.12";
  library.dist = "nvidia-nvjitlink-cu12";
  library.version = *versions::Version::parse("12.4.127");
  library.cuda = {12, 4};
  library.origin = "pinned by torch 2.5.1";
  library.folder = "nvidia/nvjitlink/lib";
  library.otherFolders = {"nvidia/cu13/lib"};
  target.libraries = {library};
  EXPECT_EQ(print(toJson(target)), R"({
  "declared": [
    {
      "origin": "pyproject.toml:14",
      "requirement": "torch==2.5.1"
    }
  ],
  "driver": "525.60.13",
  "enforce": "toolkit",
  "layout": {
    "assumed": true,
    "value": "wheels"
  },
  "libraries": [
    {
      "cuda": "12.4",
      "dist": "nvidia-nvjitlink-cu12",
      "floats": false,
      "folder": "nvidia/nvjitlink/lib",
      "origin": "pinned by torch 2.5.1",
      "other_folders": [
        "nvidia/cu13/lib"
      ],
      "soname": "libnvJitLink.so.12",
      "version": "12.4.127"
    }
  ],
  "line": "12.4",
  "release": "12.4.1",
  "schema": 1,
  "waivers": []
}
)");
}

TEST(Json, machinesAndPlacesOfATarget) {
  core::Target target;
  target.driverFloor = "525.60.13";
  target.driver = "535.104";
  target.driverCuda = {12, 2};
  target.gpus = {{80, 0}, {90, 'a'}};
  target.sitePackages = {"/v/lib/python3.11/site-packages"};
  target.torch = "2.5.1+cu124";
  target.machine = 183;
  target.libraries.emplace_back().path = "/v/libcudart.so.12";
  target.problems.emplace_back().code = core::Code::Variant;
  std::string text = compact(toJson(target));
  for (const char *part :
       {R"("driver":"535.104","driver_cuda":"12.2","driver_floor":"525.60.13")",
        R"("gpu":["sm_80","sm_90a"])", R"("path":"/v/libcudart.so.12")",
        R"("site_packages":["/v/lib/python3.11/site-packages"])", R"("torch":"2.5.1+cu124")",
        R"("machine":"aarch64")", R"("problems":[{"code":"CC3006")"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Json, unknownIsAbsent) {
  EXPECT_EQ(compact(toJson(core::Target())),
            R"({"declared":[],"enforce":"toolkit","libraries":[],"schema":1,"waivers":[]})"
            "\n");
  EXPECT_EQ(compact(toJson(nullptr, {}, nullptr)), R"({"headers":[],"schema":1})"
                                                   "\n");
  EXPECT_EQ(compact(toJson(core::Finding{core::Code::Usage, {}, "m", {}, {}, "", "", ""})),
            R"({"code":"CC1001","facts":[],"fixes":[],"message":"m","severity":"remark"})"
            "\n");
}

TEST(Json, declaration) {
  core::Declaration declaration;
  core::Origin file{core::Origin::Kind::File, "cuda-cc.toml", 2, 1};
  declaration.runtime = {{"cuda==12.4", file}};
  declaration.enforce = {core::Enforce::Warn, file};
  declaration.layout = {{core::Layout::System, "/usr/local/cuda"}, file};
  declaration.dtags = {core::Dtags::Runpath, file};
  declaration.installDir = {"pkg", file};
  declaration.hostCompiler = {"g++-12", file};
  declaration.launcher = {{"ccache", file}};
  declaration.file = "/project/cuda-cc.toml";
  EXPECT_EQ(
      compact(toJson(declaration)),
      R"({"declared":[{"origin":"cuda-cc.toml:2","requirement":"cuda==12.4"}],)"
      R"("dtags":{"origin":"cuda-cc.toml:2","value":"runpath"},)"
      R"("enforce":{"origin":"cuda-cc.toml:2","value":"warn"},"file":"/project/cuda-cc.toml",)"
      R"("host-compiler":{"origin":"cuda-cc.toml:2","value":"g++-12"},)"
      R"("install-dir":{"origin":"cuda-cc.toml:2","value":"pkg"},)"
      R"("launcher":[{"origin":"cuda-cc.toml:2","value":"ccache"}],)"
      R"("layout":{"origin":"cuda-cc.toml:2","value":"system:/usr/local/cuda"},)"
      R"("require":{"value":false},"schema":1,"toolkit":{"value":"auto"}})"
      "\n");
}

TEST(Json, declaredOverrides) {
  core::Declaration declaration;
  core::Origin file{core::Origin::Kind::File, "cuda-cc.toml", 2, 1};
  declaration.severity = {{llvm::cantFail(config::parseSeverityChange("CC3005=warning")), file}};
  declaration.waive = {{llvm::cantFail(config::parseWaiver("CC4003 libx.so: why")), file}};
  declaration.strict = {true, file};
  declaration.develop = {false, file};
  EXPECT_EQ(
      compact(toJson(declaration)),
      R"({"declared":[],"develop":{"origin":"cuda-cc.toml:2","value":false},)"
      R"("enforce":{"value":"toolkit"},"layout":{"value":"wheels"},"require":{"value":false},)"
      R"("schema":1,"severity":[{"origin":"cuda-cc.toml:2","value":"CC3005=warning"}],)"
      R"("strict":{"origin":"cuda-cc.toml:2","value":true},"toolkit":{"value":"auto"},)"
      R"("waive":[{"origin":"cuda-cc.toml:2","value":"CC4003 libx.so: why"}]})"
      "\n");
}

TEST(Json, toolkitHeadersAndHost) {
  core::Toolkit toolkit;
  toolkit.nvcc = "/opt/cuda/bin/nvcc";
  toolkit.layout = core::ToolkitLayout::WheelsCu13;
  toolkit.foundBy = "CUDA_HOME";
  toolkit.components = {{"nvcc", "/opt/cuda/bin/nvcc", {13, 0}, "13.0.88", "its own text"}};
  toolkit.includeDirs = {"/opt/cuda/include"};
  toolkit.inputs = {{"/opt/cuda/bin/nvcc", 1, 2, 3, 4}};
  core::FoundHeader header{"cuda.h", "/i/cuda.h", {}, "CPATH", "no CUDA_VERSION in it"};
  core::HostCompiler host;
  host.path = "/usr/bin/g++";
  host.family = "gcc";
  host.cxxIncludes = {"/usr/include"};
  EXPECT_EQ(compact(toJson(&toolkit, header, &host)),
            R"({"components":[{"cuda":"13.0","evidence":"its own text","name":"nvcc",)"
            R"("path":"/opt/cuda/bin/nvcc","version":"13.0.88"}],"conflicts":[],"cuda":"13.0",)"
            R"("from":"CUDA_HOME","headers":[{"from":"CPATH","name":"cuda.h","path":"/i/cuda.h",)"
            R"("problem":"no CUDA_VERSION in it"}],"host":{"family":"gcc",)"
            R"("includes":{"c":[],"c++":["/usr/include"]},"library_dirs":[],)"
            R"("path":"/usr/bin/g++"},"include_dirs":["/opt/cuda/include"],)"
            R"("inputs":["/opt/cuda/bin/nvcc"],"layout":"wheels-cu13","library_dirs":[],)"
            R"("nvcc":"/opt/cuda/bin/nvcc","schema":1,"system_include_dirs":[]})"
            "\n");
}

TEST(Json, verdictHasTheKeysOfCheck) {
  core::Verdict verdict;
  verdict.add({core::Code::NvJitLinkNewer,
               core::Severity::Error,
               "m",
               {{"label", "text"}},
               {"one", "two"},
               "libnvJitLink.so.12",
               "__nvJitLinkCreate_12_5",
               "pinned by torch 2.5.1"});
  EXPECT_EQ(compact(toJson(verdict)),
            R"({"exit":3,"findings":[{"code":"CC4002","facts":[{"label":"label","text":"text"}],)"
            R"("fixes":["one","two"],"library":"libnvJitLink.so.12","message":"m",)"
            R"("origin":"pinned by torch 2.5.1","severity":"error",)"
            R"("symbol":"__nvJitLinkCreate_12_5"}],"schema":1,"verdict":"reject"})"
            "\n");
  EXPECT_EQ(compact(toJson(core::Verdict())),
            R"({"exit":0,"findings":[],"schema":1,"verdict":"accept"})"
            "\n");
}

TEST(Json, plan) {
  core::Plan plan;
  plan.command = {"/usr/bin/g++", {"g++", "-c", "a b.cc"}, {"TOP"}, {{"LC_ALL", "C"}}};
  plan.judgesOutput = true;
  plan.reasons = {"search path of libnvJitLink.so.12"};
  EXPECT_EQ(compact(toJson(plan)),
            R"({"command":{"argv":["g++","-c","a b.cc"],"program":"/usr/bin/g++",)"
            R"("set":["LC_ALL=C"],"unset":["TOP"]},"judges_output":true,)"
            R"("reasons":["search path of libnvJitLink.so.12"],"schema":1})"
            "\n");
}

TEST(Json, invocation) {
  core::Invocation call;
  call.role = core::Role::Launcher;
  call.dialect = core::Dialect::Gcc;
  call.kind = core::CallKind::Link;
  call.launchers = {"ccache"};
  call.compiler = "g++";
  llvm::StringRef args[] = {"-shared", "a.o"}, code = "CC3001";
  call.args = args;
  call.words = {{"-shared", core::Word::Source::Argv, 0}, {"-g", core::Word::Source::Append, 7}};
  call.own[core::Key::Runtime] = {"cuda==12.4"};
  call.own[core::Key::Enforce] = {""};
  call.shared = true;
  call.output = "a.so";
  call.includes = {{"/i", core::IncludeDir::Kind::System}};
  call.linkInputs = {{core::LinkInput::Kind::Library, "nvJitLink", 3, true}};
  EXPECT_EQ(compact(toJson(call)),
            R"({"args":["-shared","a.o"],"compiler":"g++","cuda_sources":0,"dialect":"gcc",)"
            R"("includes":[{"kind":"system","path":"/i"}],"kind":"link","launchers":["ccache"],)"
            R"("library_dirs":[],)"
            R"("link_inputs":[{"kind":"library","shared":true,"text":"nvJitLink","word":3}],)"
            R"("output":"a.so","own":{"enforce":"","runtime":["cuda==12.4"]},"role":"launcher",)"
            R"("rpaths":[],"schema":1,"sources":[],"switches":["shared"],)"
            R"("words":[{"arg":0,"from":"argv","text":"-shared"},{"from":"append","text":"-g"}]})"
            "\n");
  core::Invocation tool;
  tool.role = core::Role::Tool;
  tool.tool = "explain";
  tool.args = code;
  EXPECT_EQ(compact(toJson(tool)),
            R"({"args":["CC3001"],"own":{},"role":"tool","schema":1,"tool":"explain"})"
            "\n");
}

TEST(Json, inspectHasTheKeysOfTheContract) {
  core::BinaryFacts file;
  file.path = "ext.so";
  file.kind = core::BinaryKind::SharedObject;
  file.machine = 62;
  file.soname = "ext.so";
  file.needed = {"libnvJitLink.so.12"};
  file.hasRpath = true;
  file.imports = {{"__nvJitLinkCreate_12_4", "libnvJitLink.so.12", "libnvJitLink.so.12"},
                  {"ncclSend", "", ""},
                  {"__nvJitLinkDestroy_12_4", "libnvJitLink.so.12", "libnvJitLink.so.12"}};
  core::LinkRecord link;
  link.tool = "cuda-cc-0.1.0";
  link.targetCuda = "12.4";
  link.targetLibs = {{"libnvJitLink.so.12", "12.4.127"}};
  link.toolkitMax = "12.4.131";
  link.needed = std::vector<std::string>();
  link.noted = 1;
  link.unnoted = 0;
  link.waivers = std::vector<std::string>();
  link.truncated = true;
  file.manifest.links = {link};
  file.manifest.sealed = true;
  file.manifest.objects = {{{"cuda-cc-0.1.0", "12.4.131", "12.4", "gcc-12.2.0"}, 2}};
  core::SummaryRecord summary;
  summary.flags = core::SummaryRecord::Sealed | core::SummaryRecord::Ptx;
  summary.target = {12, 4};
  summary.linkCrc = 0x1d6b4e34;
  file.manifest.summaries = {summary};
  report::Inspected inspected{file, {{"SY-21", "PTX ISA 8.4", {12, 4}, {}}}, {}};
  inspected.facts.exports = {{"f", "v", true, true}};
  EXPECT_EQ(
      compact(toJson(llvm::ArrayRef(inspected))),
      R"({"files":[{"compiler_ir":false,"device":[],)"
      R"("device_problems":{"broken_wrappers":[],"disagreements":[],"limits":[],"unknown":[]},)"
      R"("device_sections":[],"dlopens":[],)"
      R"("evidence":[{"id":"SY-21","least":"12.4","text":"PTX ISA 8.4"}],)"
      R"("executable_stack":false,"export_count":1,"floor":{},)"
      R"("imports":{"libnvJitLink.so.12":["__nvJitLinkCreate_12_4","__nvJitLinkDestroy_12_4"]},)"
      R"("kind":"shared object","machine":"x86_64","manifest":{"link":{"needed":[],)"
      R"("objects":{"noted":1,"unnoted":0},"target":{"cuda":"12.4",)"
      R"("libs":{"libnvJitLink.so.12":"12.4.127"}},"tool":"cuda-cc-0.1.0",)"
      R"("toolkit":{"max":"12.4.131"},"trunc":1,"waivers":[]},"objects":[{"count":2,)"
      R"("headers":"12.4","host":"gcc-12.2.0","tool":"cuda-cc-0.1.0","toolkit":"12.4.131"}],)"
      R"("problems":[],"sealed":true,"summaries":[{"crc":"1d6b4e34","crc_valid":true,)"
      R"("flags":["sealed","ptx"],"schema":1,"target":"12.4"}]},"needed":["libnvJitLink.so.12"],)"
      R"("path":"ext.so","rpath":[""],"runpath":[],"soname":"ext.so","static_cudart":false,)"
      R"("units":[],"unversioned":["ncclSend"],"versions":[]}],"schema":1})"
      "\n");
  inspected.listsExports = true;
  EXPECT_THAT(compact(toJson(llvm::ArrayRef(inspected))),
              testing::HasSubstr(R"("exports":[{"symbol":"f","version":"v","weak":true}])"));
}

// docs/schema: one row per image.
TEST(Json, inspectListsDeviceCode) {
  using enum core::ImageKind;
  core::BinaryFacts file;
  file.kind = core::BinaryKind::SharedObject;
  core::DeviceUnit unit;
  unit.count = 3;
  unit.images = {{Cubin, core::Compression::None, core::HasCode::Yes, false, {90, 'a'}, {}},
                 {Cubin, core::Compression::Zstd, core::HasCode::Unknown, false, {80, 0}, {}},
                 {Ptx, core::Compression::Lz4, core::HasCode::No, false, {90, 0}, {8, 4}},
                 {LtoIr, core::Compression::None, core::HasCode::No, false, {90, 0}, {1, 61}}};
  file.device.units = {unit, {}};
  file.device.units[1].linked = true;
  file.device.unknown = {"container version 2"};
  std::string text = compact(toJson(file));
  EXPECT_THAT(
      text,
      testing::HasSubstr(
          R"("device":[{"arch":"sm_90a","code":true,"compression":"none","kind":"cubin",)"
          R"("relocatable":false,"unit":0},)"
          R"({"arch":"sm_80","compression":"zstd","kind":"cubin","unit":0},)"
          R"({"arch":"compute_90","compression":"lz4","kind":"ptx","ptx":"8.4","unit":0},)"
          R"({"arch":"lto_90","compression":"none","kind":"ltoir","ltoir":"1.61","unit":0}])"));
  EXPECT_THAT(
      text, testing::HasSubstr(R"("units":[{"count":3,"home":"fatbin","images":4,"linked":false},)"
                               R"({"count":1,"home":"fatbin","images":0,"linked":true}])"));
  EXPECT_THAT(text, testing::HasSubstr(R"("unknown":["container version 2"])"));
}

TEST(Json, otherKindsLeaveOutWhatDoesNotApply) {
  core::BinaryFacts archive;
  archive.path = "a.a";
  archive.kind = core::BinaryKind::Archive;
  archive.members = {{"m.o", {}}};
  EXPECT_EQ(compact(toJson(archive)),
            R"({"compiler_ir":false,"device":[],"device_problems":{"broken_wrappers":[],)"
            R"("disagreements":[],"limits":[],"unknown":[]},"device_sections":[],"dlopens":[],)"
            R"("imports":{},"kind":"archive","manifest":{"objects":[],"problems":[]},)"
            R"("members":[{"manifest":{"objects":[],"problems":[]},"name":"m.o"}],"path":"a.a",)"
            R"("static_cudart":false,"units":[],"unversioned":[]})"
            "\n");
  core::BinaryFacts other;
  other.path = "x";
  other.notAudited = "32-bit ELF";
  EXPECT_EQ(compact(toJson(other)), R"({"kind":"other","manifest":{"objects":[],"problems":[]},)"
                                    R"("not_audited":"32-bit ELF","path":"x"})"
                                    "\n");
}

// Bytes from files never break the document.
TEST(Json, hostileStringsAreFixed) {
  core::BinaryFacts file;
  file.path = "\xff/a\n\"b";
  file.kind = core::BinaryKind::SharedObject;
  file.imports = {{std::string("s\0s", 3), "v", "\xfelib"}};
  file.manifest.links.resize(1);
  file.manifest.links[0].floor = {{"\xfe", "\xfd"}};
  std::string text = print(toJson(file));
  EXPECT_TRUE(llvm::json::isUTF8(text));
  auto parsed = llvm::json::parse(text);
  ASSERT_TRUE(bool(parsed)) << text;
  EXPECT_EQ(parsed->getAsObject()->getString("path"), "\xef\xbf\xbd/a\n\"b");
}

TEST(Json, linkedLibrary) {
  core::LinkedLibrary library;
  library.word = 4;
  library.spelled = "-lnvJitLink";
  library.byPathOnly = true;
  library.cuda = {12, 5};
  EXPECT_EQ(compact(toJson(library)),
            R"({"archive":false,"by_path_only":true,"cuda":"12.5","spelled":"-lnvJitLink",)"
            R"("stub":false,"word":4})"
            "\n");
}
