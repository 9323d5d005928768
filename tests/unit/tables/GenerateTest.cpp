// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Format.h"
#include "tests/unit/tables/Generator.h"

using testing::HasSubstr;
using Generate = cudacc::test::Generator;

TEST_F(Generate, DataAloneIsAccepted) {
  EXPECT_EQ(run(), 0) << said;
  EXPECT_THAT(get("out.inc"), HasSubstr("torchReleases[]"));
  EXPECT_EQ(said, "");
}

TEST_F(Generate, SameDataSameBytes) {
  ASSERT_EQ(run(), 0);
  std::string first = get("out.inc");
  ASSERT_EQ(run(), 0);
  EXPECT_EQ(get("out.inc"), first);
}

TEST_F(Generate, MalformedRowsAreNamed) {
  expectRefused("ctk_component_versions.json", "{}", "no \"ctk\"");
  expectRefused("ctk_component_versions.json",
                R"({"ctk": "13.6", "components": {}, "wheel_overrides": {}})",
                "\"13.6\" is not three numbers");
  expectRefused("ctk_component_versions.json",
                R"({"ctk": "13.6.0", "components": {"a": "x.y"}, "wheel_overrides": {}})",
                "\"x.y\" is not a version");
  expectRefused("driver_major_floor.json", R"({"cuda_major": 14, "min_driver_linux": "1"})",
                "\"cuda_major\" is not a string");
  expectRefused("ctk_ptx.json", R"({"ctk": "13.999", "max_ptx_isa": "9.9"})",
                "\"13.999\" is not two numbers");
}

TEST_F(Generate, PublishedFilesHaveHashAndSize) {
  std::string sha(64, 'a');
  auto wheel = [](const std::string &file) {
    return R"({"dist": "nvidia-cuda-nvcc", "version": "13.0.88", "x86_64": )" + file + "}";
  };
  expectRefused("toolkit_wheels.json", wheel("[\"" + sha + "\"]"), "is not [sha256, bytes]");
  expectRefused("toolkit_wheels.json", wheel("[\"" + sha + "\", 0]"), "is not [sha256, bytes]");
  expectRefused("toolkit_wheels.json", wheel(R"(["12", 5])"), "64 hexadecimal digits");
  expectRefused("toolkit_wheels.json", R"({"dist": "nvidia-none", "version": "1"})",
                "does not have nvidia-none");
  expectRefused("redist.json", R"({"ctk": "12.99.0", "components": {}})", "no such release");
  expectRefused("redist.json",
                R"({"ctk": "12.4.1", "components": {"cuda_nvcc": {"version": "x"}}})",
                "\"x\" is not a version");
  expectRefused("toolkit_parts.json",
                R"({"part": "a", "archives": [], "always": true, "tool": true, "dist_cu11": "b"})",
                "does not have b");
  // Of any major.
  expectRefused("toolkit_parts.json",
                R"({"part": "a", "archives": [], "always": true, "tool": true, "dist_cu14": "b"})",
                "does not have b");
}

TEST_F(Generate, SymbolTablesHoldTogether) {
  ASSERT_FALSE(llvm::sys::fs::create_directory(path("symbols")));
  auto refused = [&](llvm::StringRef versions, llvm::StringRef symbols, const char *problem) {
    put("symbols/zz.json",
        ("{\"library\": \"zz\", \"internal_names_left_out\": 0, \"versions\": [" + versions +
         "], \"symbols\": {" + symbols + "}}")
            .str());
    EXPECT_EQ(run(), 1) << versions.str() << symbols.str();
    EXPECT_THAT(said, HasSubstr("symbols/zz.json"));
    EXPECT_THAT(said, HasSubstr(problem));
  };
  auto version = [](const char *number, const char *soname = "libzz.so.1") {
    return std::string(R"({"dist_version": ")") + number +
           R"(", "cuda": "12", "toolkit": "12.4", "soname": ")" + soname +
           R"(", "source": "nvidia_nccl_cu12-1-py3-none-any.whl"})";
  };
  std::string two = version("1.0") + "," + version("1.1");
  refused("", "", "no versions");
  refused(R"({"dist_version": "1.0"})", "", "versions 1");
  refused(version("x"), "", "\"x\" is not a version");
  refused(version("1.10") + "," + version("1.9"), "", "1.9 is not newer");
  refused(version("1.0") + "," + version("1.0"), "", "1.0 is not newer");
  refused(version("1") + "," + version("1", "libzz.so.2") + "," + version("2"), "",
          "libzz.so.1 2 is apart from its kind");
  refused(two, R"("a@n": [[0, 2]])", "a has a pair that is none");
  refused(two, R"("a@n": [[1, 0]])", "a has a pair that is none");
  refused(two, R"("a@n": [[0]])", "something else than pairs");
  refused(two, R"("a@n": [[-1, 0]])", "an index is expected");
  refused(two, R"("a@n": 1)", "no list of pairs");
  std::string foreign = version("1.0");
  foreign.replace(foreign.find("nccl"), 4, "what");
  refused(foreign, "", "does not have nvidia-what-cu12");
  // The same without errors, and one entry for each node.
  put("symbols/zz.json", "{\"library\": \"zz\", \"internal_names_left_out\": 0, \"versions\": [" +
                             two + "], \"symbols\": {\"a@n\": [[0, 0]], \"a@m\": [[1, 1]]}}");
  EXPECT_EQ(run(), 0) << said;
}

TEST_F(Generate, TwoFilesOfOneLibraryAreNamed) {
  ASSERT_FALSE(llvm::sys::fs::create_directory(path("symbols")));
  auto cal = llvm::MemoryBuffer::getFile(CUDACC_TABLES_DATA "/symbols/cal.json");
  ASSERT_TRUE(cal);
  put("symbols/cal2.json", (*cal)->getBuffer());
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("two files have libcal.so.0 in CUDA 12"));
}

/// A row of opens.json with one other value.
static std::string openRow(llvm::StringRef key, llvm::StringRef value) {
  std::string row;
  for (auto [name, usual] : std::initializer_list<std::pair<llvm::StringRef, llvm::StringRef>>{
           {"packages", R"(["x"])"},
           {"from", "null"},
           {"before", "null"},
           {"files", R"(["a"])"},
           {"dependents", "true"},
           {"when", R"("import")"},
           {"opens", R"(["b"])"},
           {"where", R"("site-packages")"},
           {"global", "false"},
           {"missing", R"("goes on")"},
           {"raises", "null"},
           {"source", R"("s")"},
           {"confidence", R"("verified")"}})
    row += (llvm::Twine(row.empty() ? "{" : ", ") + "\"" + name +
            "\": " + (name == key ? value : usual))
               .str();
  return row + "}";
}

TEST_F(Generate, OpensAreOfPackagesAndFiles) {
  auto refused = [&](llvm::StringRef key, llvm::StringRef value, const char *problem) {
    expectRefused("opens.json", openRow(key, value), problem);
  };
  refused("packages", R"(["Faiss_GPU"])", "normalised name");
  refused("packages", "[]", "no packages");
  refused("opens", "[]", "opens nothing");
  refused("files", R"(["/a"])", "below site-packages");
  refused("where", R"("search")", "a library searches");
  refused("raises", R"("r")", "what fails says something");
  // What a file searches for when it is used is all found, or none counts.
  std::string row = openRow("when", R"("use")"), failing;
  row.replace(row.find("site-packages"), 13, "search");
  failing = row;
  failing.replace(failing.find("goes on"), 7, "fails");
  failing.replace(failing.find("\"raises\": null"), 14, "\"raises\": \"r\"");
  expectRefused("opens.json", failing, "counts only if all of it is found");
  put("opens.json", "{\"rows\": [" + row + "]}");
  put("versioned_symbols.json", "{\"rows\": []}");
  EXPECT_EQ(run(), 0) << said;
}

TEST_F(Generate, WhatALibraryOpensIsInItsStringsAndInARow) {
  std::string library =
      R"({"soname": "libnvrtc.so.13", "dist": "nvidia-cuda-nvrtc", "from_version": "13.9.1", )"
      R"("to_version": "13.9.1", "version_node": null, "nvidia_needed": [], )"
      R"("dlopens": ["libnvrtc-new.so.13.9"], "runpath": null, "rpath": null})";
  put("versioned_symbols.json", "{\"rows\": [" + library + "]}");
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("no row says that libnvrtc.so.13 of nvidia-cuda-nvrtc 13.9.1 opens"));
  put("versioned_symbols.json", "{\"rows\": []}");
  std::string row = openRow("when", R"("first call")");
  row.replace(row.find("site-packages"), 13, "search");
  expectRefused("opens.json", row, "versioned_symbols does not say that a opens b");
}

TEST_F(Generate, VersionRulesAreComplete) {
  auto row = [](const char *files, const char *least, const char *raises, const char *to = "2") {
    return std::string(R"({"packages": ["x"], "from": "1", "to": ")") + to +
           R"(", "cuda": "12.8", "files": [)" + files +
           R"(], "library": "libcudnn.so.9", "least": ")" + least + R"(", "raises": )" + raises +
           R"(, "source": "s", "confidence": "verified"})";
  };
  expectRefused("version_rules.json", row("", "9.8", "\"r\""), "for no file");
  expectRefused("version_rules.json", row("\"a\"", "?", "\"r\""), "version");
  expectRefused("version_rules.json", row("\"a\"", "9.8", "null"), "raises nothing");
  expectRefused("version_rules.json", row("\"a\"", "9.8", "\"r\"", "0.9"), "1 is after 0.9");
  put("version_rules.json", "{\"rows\": [" + row("\"a\"", "9.8", "\"r\"") + "]}");
  EXPECT_EQ(run(), 0) << said;
}

TEST_F(Generate, DeviceRowsHoldTogether) {
  expectRefused("ptx_isa.json", R"({"ptx_isa": "9.5", "min_cuda": "13.5"})", "twice");
  expectRefused("sm_arch.json",
                R"({"sm": "x", "first_ctk": "12.0", "last_ctk": null, "first_ptx_isa": "8.0"})",
                "\"x\" is not an architecture");
  expectRefused("sm_embedded.json", R"({"sm": "250"})", "sm_arch does not have sm_250");
  expectRefused("sm_suffix_rules.json", R"({"families": {"120f": ["100"]}, "suffix": "f"})",
                "already has a family");
  expectRefused("ctk_ltoir.json", R"({"ctk": "12.7", "ltoir": "1.63"})", "no toolkit release");
  expectRefused("nvjitlink_matrix.json",
                R"({"kind": "sass", "producer": "12.0", "consumer": "12.0", "accepted": true})",
                "unknown kind");
  expectRefused("nvjitlink_matrix.json",
                R"({"kind": "ptx", "producer": "12.0", "consumer": "12.0", "accepted": true})",
                "twice");
  put("ptx_isa.json", R"({"rows": [{"ptx_isa": "9.9", "min_cuda": "12.0"}]})");
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("min_cuda of 9.9 is older"));
}

TEST_F(Generate, CouplingsHoldTogether) {
  auto floor = [](const char *least, const char *gaps) {
    return std::string(R"({"library": "libcusolver.so.11", "dist": "nvidia-cusolver-cu12",
      "dist_version": "11.7.5.82", "needs_library": "libcublas.so.12",
      "needs_dist": "nvidia-cublas-cu12", "how": "dlopen string", "confidence": "secondary",
      "same_wheel": false, "min_is_oldest_opened": false, "deciding": [],
      "not_in_later_symbols": [], "min_version": )") +
           least + ", \"not_in_later\": " + gaps + "}";
  };
  expectRefused("coupling.json", floor("\"x\"", "[]"), "\"x\" is not a version");
  expectRefused("coupling.json", floor("null", R"(["1.2.3"])"), "1.2.3, which was not opened");
  expectRefused("coupling.json", floor("null", R"(["..."])"), "begins with ...");
  expectRefused("coupling.json", floor("null", R"(["12.4.5.8", "..."])"), "ends with ...");
  expectRefused("coupling.json", floor("null", R"(["12.5.2.13", "12.4.5.8"])"),
                "falls at 12.4.5.8");
}

TEST_F(Generate, BrokenFilesAreNamed) {
  put("ctk_ptx.json", "{\"rows\": [");
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("ctk_ptx.json"));
  put("ctk_ptx.json", "[]");
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("not an object"));
  EXPECT_EQ(run("/nonexistent"), 1);
}

TEST_F(Generate, GroupsHoldKnownPartsOnce) {
  auto row = [](const char *group, const char *side, const char *kind, const char *member) {
    return std::string(R"({"group": ")") + group + R"(", "sides": [")" + side + R"("], "kind": ")" +
           kind + R"(", "members": [")" + member +
           R"("], "library": null, "source": "", "confidence": "verified"})";
  };
  expectRefused("guard_groups.json", row("x", "run", "library", "cublasss"),
                "no library is called \"cublasss\"");
  expectRefused("guard_groups.json", row("x", "run", "library", "cublas"),
                "cublas is in two groups");
  expectRefused("guard_groups.json", row("x", "left", "library", "cublas"), "unknown side");
  expectRefused("guard_groups.json", row("x", "run", "book", "cublas"), "unknown kind");
  put("guard_groups.json", "{\"rows\": [" + row("x", "run", "library", "cufile") + "]}");
  EXPECT_EQ(run(), 0) << said;
}

TEST_F(Generate, MessagesSayOnlyWhatTheirPlaceholdersCan) {
  auto row = [](const char *pattern, const char *what, const char *fix) {
    return std::string(R"({"id": "new", "family": "x", "patterns": [")") + pattern +
           R"("], "names": [], "numbers": ["77"], "what": [")" + what +
           R"("], "facts": [], "causes": ["a"], "fixes": [")" + fix +
           R"("], "source": "x", "confidence": "verified"})";
  };
  const char *file = "messages.json";
  expectRefused(file, row("broken {symbol", "w", "f"), "a brace without its other");
  expectRefused(file, row("broken {a:what}", "w", "f"), "is not a type of a placeholder");
  expectRefused(file, row("broken {a:word}{b:word}", "w", "f"), "nothing parts two placeholders");
  expectRefused(file, row("broken {a:word} {a:word}", "w", "f"), "has a placeholder twice");
  expectRefused(file, row("{a:word} is it", "w", "f"), "no literal to be found by");
  expectRefused(file, row("broken {a:word}", "w", "{b} f"), "no pattern has a placeholder");
  expectRefused(file, row("broken {a:word}", "w", "{a.since}"), "has no \"since\"");
  expectRefused(file, row("broken {a:word}", "{a} broke", "f"),
                "cannot be said of \"CUDA error 77");
  expectRefused(file, row("broken", "w", "[had] f"), "is not a condition");
  std::string twice = row("broken", "w", "f");
  twice.replace(twice.find("new"), 3, "static-tls");
  expectRefused(file, twice, "appears twice");
  put(file, "{\"rows\": [" + row("broken {a:export} here", "w", "[!has] {a.since}") + "]}");
  EXPECT_EQ(run(), 0) << said;
  EXPECT_THAT(get("out.inc"), HasSubstr("broken {a:export} here"));
}

TEST_F(Generate, aFashionOrReplacementThatTheTablesDoNotShowIsRefused) {
  auto fashion = [](const char *library, const char *begin) {
    return std::string("{\"library\": \"") + library + "\", \"begins\": [\"" + begin + "\"]}";
  };
  expectRefused("name_fashions.json", fashion("cudart", "cudb"), "no name of cudart begins");
  expectRefused("name_fashions.json", fashion("cudart", "cudaMall"), "no name of cudart begins");
  expectRefused("name_fashions.json", fashion("nosuch", "cuda"), "is not a library that is known");
  auto replacement = [](const char *symbol, const char *by) {
    return std::string("{\"symbol\": \"") + symbol + "\", \"by\": \"" + by + "\"}";
  };
  expectRefused("symbol_replacements.json", replacement("cudaMalloc", "cudaFree"),
                "did not vanish");
  expectRefused("symbol_replacements.json", replacement("cudaThreadExit", "cudaNoSuch"),
                "did not vanish");
  auto generated = [](const char *begins, const char *contains) {
    return fmt::format("{{\"begins\": \"{}\", \"contains\": {}, \"ofObject\": true, \"means\": "
                       "\"m\", \"because\": "
                       "\"b\", \"fix\": \"f\", \"also\": null, \"confidence\": \"verified\"}}",
                       begins, contains);
  };
  expectRefused("generated_names.json", generated("__fatbinwrap_x", "null"),
                "an earlier row takes what begins with __fatbinwrap_x");
  expectRefused("generated_names.json", generated("", "null"), "begins");
  expectRefused("libstdcxx_nodes.json", "{\"node\": \"GLIBCXX_3.4.29\", \"gcc\": \"1.0\"}",
                "a node stands twice");
}

TEST_F(Generate, aFullIndexIsRefusedAndAlmostFullReported) {
  auto texts = [&](unsigned count) {
    std::string names;
    for (unsigned i = 0; i != count; ++i)
      names += fmt::format("{}\"lib{:0249}.so\"", i ? "," : "", i);
    put("wheel_layout.json",
        R"({"rows": [{"dist_cu12": null, "dir_cu12": null, )"
        R"("dir_versions": {}, "lib_dirs": {}, "soname_versions": {}, "sonames_12": [)" +
            names + "]}]}");
  };
  texts(100);
  EXPECT_EQ(run(), 0) << said;
  EXPECT_EQ(said, "");
  texts(430);
  EXPECT_EQ(run(), 0) << said;
  EXPECT_THAT(said, HasSubstr("warning: the texts take"));
  texts(600);
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("the texts do not fit their index any more"));
}
