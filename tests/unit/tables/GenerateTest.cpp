#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/UserTables.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::HasSubstr;

namespace {

/// The generator over the data and a folder with one more file.
class Generate : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("cudacc-facts", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) { return (folder + "/" + name).str(); }
  void put(llvm::StringRef name, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream out(path(name), error);
    ASSERT_FALSE(error);
    out << text;
  }
  std::string get(llvm::StringRef name) {
    auto buffer = llvm::MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  /// Exit status; what it said is in `said`.
  int run(llvm::StringRef data = CUDACC_TABLES_DATA) {
    std::string output = path("out.inc"), errors = path("errors");
    llvm::sys::fs::remove(errors);
    llvm::StringRef words[] = {CUDACC_GEN_TABLES, output, data, folder};
    std::optional<llvm::StringRef> streams[] = {std::nullopt, std::nullopt, errors};
    int status = llvm::sys::ExecuteAndWait(CUDACC_GEN_TABLES, words, std::nullopt, streams, 60);
    said = get("errors");
    return status;
  }
  void expectRefused(llvm::StringRef file, llvm::StringRef row, const char *problem) {
    std::string whole = row.str();
    if (!row.contains("\"source\""))
      whole.insert(1, row == "{}" ? sourced : sourced + ",");
    put(file, "{\"rows\": [" + whole + "]}");
    EXPECT_EQ(run(), 1) << whole;
    EXPECT_THAT(said, HasSubstr((file + ": row 1").str()));
    EXPECT_THAT(said, HasSubstr(problem));
    EXPECT_FALSE(llvm::sys::fs::exists(path("out.inc")));
    llvm::sys::fs::remove(path(file));
  }

  /// What every row of the tables of releases says.
  const std::string sourced = R"("source": "made up", "confidence": "verified")";
  llvm::SmallString<128> folder;
  std::string said;
};

} // namespace

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
                "\"x.y\" is no version");
  expectRefused("driver_major_floor.json", R"({"cuda_major": 14, "min_driver_linux": "1"})",
                "\"cuda_major\" is no text");
  expectRefused("ctk_ptx.json", R"({"ctk": "13.999", "max_ptx_isa": "9.9"})",
                "\"13.999\" is not two numbers");
}

TEST_F(Generate, ContradictionsAreNamed) {
  expectRefused("ctk_component_versions.json",
                R"({"ctk": "12.4.1", "components": {"a": "1"}, "wheel_overrides": {}})", "twice");
  expectRefused("torch_pypi_default.json",
                R"({"torch": "2.5", "cuda": "12.1", "local_tag": "cu121"})",
                "pytorch_cuda_lines says otherwise");
  expectRefused("pytorch_cuda_lines.json",
                R"({"torch": "2.5", "cuda": "12.7", "local_tag": "cu127", "ctk": null,
                    "pypi_default": false})",
                "no toolkit release of CUDA 12.7");
  expectRefused("pytorch_cuda_lines.json",
                R"({"torch": "2.5", "cuda": "12.6", "local_tag": "cu126", "ctk": "12.5.1",
                    "pypi_default": false})",
                "12.5.1 is no CUDA 12.6");
  expectRefused("pytorch_cuda_lines.json",
                R"({"torch": "2.99", "cuda": "12.6", "local_tag": "cu126", "ctk": "12.6.3",
                    "pypi_default": false})",
                "names no release of torch 2.99");
  expectRefused("torch_platforms.json",
                R"({"torch_version": "2.11.0", "platform": "linux_aarch64", "cuda": "12.8"})",
                "torch_pypi_default says otherwise");
  expectRefused("torch_platforms.json",
                R"({"torch_version": "2.11.0", "platform": "win_amd64", "cuda": null})",
                "not Linux");
  expectRefused("nvidia_wheel_versions.json",
                R"({"dist": "nvidia-new", "cuda_major": "12",
                    "versions": [["1.0", ["12.7.0"], null, true, true, ""]]})",
                "12.7.0 has no row");
}

TEST_F(Generate, PinsMustHold) {
  auto pins = [](const char *pin) {
    return std::string(R"({"torch": "2.5", "torch_versions": ["2.5.9"], "cuda": "12.6",
      "local_tag": "cu126", "ctk": "12.6.3", "pypi_default": false, "complete": true,
      "confidence": "verified", "pins": [)") +
           pin + "]}";
  };
  expectRefused("torch_wheel_pins.json",
                pins(R"({"dist": "nvidia-nccl-cu12", "spec": "==2.1", "floor": "2.2",
                         "kind": "direct", "confidence": null})"),
                "2.2 does not satisfy ==2.1");
  expectRefused("torch_wheel_pins.json",
                pins(R"({"dist": "nvidia-no-such", "spec": "==2.1", "floor": "2.1",
                         "kind": "direct", "confidence": null})"),
                "does not have nvidia-no-such");
  expectRefused("torch_wheel_pins.json",
                pins(R"({"dist": "nvidia-nccl-cu12", "spec": "==2.1", "floor": "2.1",
                         "kind": "somehow", "confidence": null})"),
                "unknown kind");
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
  refused(version("x"), "", "\"x\" is no version");
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
  // The same with nothing wrong, and one entry for each node.
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

TEST_F(Generate, OptionalOpensAreOpened) {
  auto row = [](const std::string &name) {
    return R"({"soname": "libnvrtc.so.13", "opens": [")" + name +
           R"("], "confidence": "verified"})";
  };
  expectRefused("optional_opens.json", row("libcublas.so"),
                "does not say that libnvrtc.so.13 opens");
  put("optional_opens.json", "{\"rows\": [" + row("libnvrtc-builtins.so.13.0") + "]}");
  EXPECT_EQ(run(), 0) << said;
}

TEST_F(Generate, PreloadsAreOfPackagesAndFiles) {
  auto row = [](const char *package, const char *files, const char *opens, const char *dependents) {
    return std::string(R"({"packages": [)") + package + R"(], "from": null, "files": [)" + files +
           R"(], "dependents": )" + dependents + R"(, "opens": [)" + opens +
           R"(], "global": true, "fallback": false, "source": "s", "confidence": "verified"})";
  };
  expectRefused("preloads.json", row("\"Faiss_GPU\"", "\"a\"", "\"b\"", "true"), "normalised name");
  expectRefused("preloads.json", row("", "\"a\"", "\"b\"", "true"), "no packages");
  expectRefused("preloads.json", row("\"x\"", "\"a\"", "", "true"), "opens nothing");
  expectRefused("preloads.json", row("\"x\"", "", "\"b\"", "false"), "for no file");
  expectRefused("preloads.json", row("\"x\"", "\"/a\"", "\"b\"", "true"), "below site-packages");
  put("preloads.json", "{\"rows\": [" + row("\"x\"", "", "\"b\"", "true") + "]}");
  EXPECT_EQ(run(), 0) << said;
}

TEST_F(Generate, DeviceRowsHoldTogether) {
  expectRefused("ptx_isa.json", R"({"ptx_isa": "9.5", "min_cuda": "13.5"})", "twice");
  expectRefused("sm_arch.json",
                R"({"sm": "x", "first_ctk": "12.0", "last_ctk": null, "first_ptx_isa": "8.0"})",
                "\"x\" is no architecture");
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
  EXPECT_THAT(said, HasSubstr("9.9 is translated by an older CUDA"));
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
  expectRefused("coupling.json", floor("\"x\"", "[]"), "\"x\" is no version");
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
  EXPECT_THAT(said, HasSubstr("no object"));
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

TEST_F(Generate, FrameworkRowsHoldTogether) {
  auto row = [](const char *lines, const char *pin) {
    return std::string(R"({"framework": "new", "version": "1.0", "versions": ["1.0"],
      "cuda_major": "12", "ctk": null, "pin_kind": "floor", "confidence": "verified", )") +
           lines + R"(, "pins": [{"kind": "direct", "confidence": null, )" + pin + "}]}";
  };
  const char *lines = R"("cuda_min": "12.1", "cuda_max": null)";
  const char *pin = R"("dist": "nvidia-nccl-cu12", "spec": ">=2.18", "floor": "2.18")";
  const char *file = "framework_targets.json";
  expectRefused(file, row(lines, R"("dist": "nvidia-nccl-cu12", "spec": ">=2.1", "floor": "2.0")"),
                "2.0 does not satisfy >=2.1");
  expectRefused(file, row(lines, R"("dist": "nvidia-nccl-cu12", "spec": ">2.x", "floor": null)"),
                "is no specifier");
  expectRefused(file, row(lines, R"("dist": "NVIDIA_nccl", "spec": "", "floor": null)"),
                "not in normal form");
  expectRefused(file, row(R"("cuda_min": "13.0", "cuda_max": null)", pin), "do not fit together");
  expectRefused(file, row(R"("cuda_min": "12.4", "cuda_max": "12.1")", pin), "do not fit together");
  expectRefused(file, row(lines, R"("dist": "cuda-toolkit", "spec": "==14.*", "floor": "14")"),
                "no toolkit release that it may have");
  expectRefused(file,
                R"({"framework": "jax", "version": "0.4.35", "versions": ["0.4.35"],
                    "cuda_major": "12", "ctk": null, "cuda_min": null, "cuda_max": null,
                    "pin_kind": "floor", "confidence": "verified", "pins": []})",
                "jax 0.4.35 is there twice");
  expectRefused(file,
                R"({"framework": "new", "version": "1", "versions": ["1.1", "1.0"],
                    "cuda_major": "12", "pin_kind": "none", "confidence": "verified"})",
                "1.0 is not newer");
  expectRefused("framework_names.json",
                R"({"name": "new", "framework": "new", "cuda_major": null, "extras": []})",
                "framework_targets has no row of new");
  expectRefused("framework_names.json",
                R"({"name": "vllm", "framework": "vllm", "cuda_major": null, "extras": []})",
                "the name is there twice");
  put(file, "{\"rows\": [" + row(lines, pin).insert(1, R"("source": "made up", )") + "]}");
  put("framework_names.json", R"({"rows": [{"name": "new", "framework": "new",
                                            "cuda_major": "12", "extras": []}]})");
  EXPECT_EQ(run(), 0) << said;
}

TEST_F(Generate, MessagesSayOnlyWhatTheirHolesCan) {
  auto row = [](const char *pattern, const char *what, const char *fix) {
    return std::string(R"({"id": "new", "family": "x", "patterns": [")") + pattern +
           R"("], "names": [], "numbers": ["77"], "what": [")" + what +
           R"("], "facts": [], "causes": ["a"], "fixes": [")" + fix +
           R"("], "source": "x", "confidence": "verified"})";
  };
  const char *file = "messages.json";
  expectRefused(file, row("broken {symbol", "w", "f"), "a brace without its other");
  expectRefused(file, row("broken {a:what}", "w", "f"), "is no type of a hole");
  expectRefused(file, row("broken {a:word}{b:word}", "w", "f"), "nothing parts two holes");
  expectRefused(file, row("broken {a:word} {a:word}", "w", "f"), "has a hole twice");
  expectRefused(file, row("{a:word} is it", "w", "f"), "no literal to be found by");
  expectRefused(file, row("broken {a:word}", "w", "{b} f"), "no pattern has a hole");
  expectRefused(file, row("broken {a:word}", "w", "{a.since}"), "has no \"since\"");
  expectRefused(file, row("broken {a:word}", "{a} broke", "f"),
                "cannot be said of \"CUDA error 77");
  expectRefused(file, row("broken", "w", "[had] f"), "is no condition");
  std::string twice = row("broken", "w", "f");
  twice.replace(twice.find("new"), 3, "static-tls");
  expectRefused(file, twice, "is there twice");
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
  expectRefused("name_fashions.json", fashion("nosuch", "cuda"), "is no library that is known");
  auto replacement = [](const char *symbol, const char *by) {
    return std::string("{\"symbol\": \"") + symbol + "\", \"by\": \"" + by + "\"}";
  };
  expectRefused("symbol_replacements.json", replacement("cudaMalloc", "cudaFree"),
                "did not vanish");
  expectRefused("symbol_replacements.json", replacement("cudaThreadExit", "cudaNoSuch"),
                "did not vanish");
  expectRefused("libstdcxx_nodes.json", "{\"node\": \"GLIBCXX_3.4.29\", \"gcc\": \"1.0\"}",
                "a node stands twice");
}

// One reader: a row is refused with the same words in a data file and in a user's file.
TEST_F(Generate, RowsAreRefusedAsInAFactsFile) {
  auto same = [&](llvm::StringRef table, const std::string &row, const char *problem) {
    std::string whole = "{" + sourced + ", " + row + "}";
    expectRefused((table + ".json").str(), whole, problem);
    auto tables = tables::readUserTables(
        ("{\"schema\": 1, \"tables\": {\"" + table + "\": [" + whole + "]}}").str(), "more.json");
    ASSERT_FALSE(bool(tables)) << whole;
    core::Finding finding = core::takeFinding(tables.takeError());
    llvm::StringRef message = finding.message;
    EXPECT_TRUE(message.consume_front("the facts file is broken: ")) << finding.message;
    EXPECT_THAT(said, HasSubstr(": " + message.str() + "\n"));
  };
  const char *toolkits = "ctk_component_versions", *frameworks = "framework_targets";
  same(toolkits, R"("ctk": "13.9.0", "components": {}, "wheel_overrides": {})", "no components");
  same(toolkits, R"("ctk": "13.9.0", "components": {"a": ""}, "wheel_overrides": {})",
       "a text is expected");
  same(toolkits,
       R"("ctk": "13.9.0", "components": {"nvidia-cuda-runtime": "13.8.1"}, "wheel_overrides": {})",
       "does not begin with the minor");
  same("nvidia_wheel_versions", R"("dist": "nvidia-new", "versions": [["1.0", ["13.9.0"]]])",
       "six columns");
  same("torch_pypi_default", R"("torch": "2.15", "cuda": "13.2", "local_tag": "cu131")",
       "local_tag is not cu132");
  auto pin = [](const char *spec, const char *releases) {
    return std::string(R"("torch": "2.15", "cuda": "13.2", "local_tag": "cu132", "ctk": "13.2.2",
      "pypi_default": true, "complete": true, "torch_versions": [)") +
           releases + R"(], "pins": [{"dist": "nvidia-cublas", "kind": "direct", "spec": ")" +
           spec + R"(", "floor": "13.9rc1", "confidence": null}])";
  };
  same("torch_wheel_pins", pin(">=13.1", "\"2.15.9\""), "13.9rc1 does not satisfy >=13.1");
  same("torch_wheel_pins", pin("", ""), "\"torch_versions\" is empty");
  auto framework = [](const char *name, const char *kind) {
    return std::string(R"("framework": ")") + name +
           R"(", "version": "99", "versions": [], "cuda_major": "13", "cuda_min": null,
      "cuda_max": null, "ctk": null, "pin_kind": "none", "pins": [{"dist": "triton", "spec": "",
      "kind": ")" +
           kind + R"(", "floor": null, "confidence": null}])";
  };
  same(frameworks, framework("jaxx", "direct"), "no framework is called jaxx for CUDA 13");
  same(frameworks, framework("jax", "somehow"), "unknown kind \"somehow\"");
}

TEST_F(Generate, TablesOfReleasesAreLimitedAsAFactsFile) {
  std::string rows = "1";
  for (int i = 0; i < 600; ++i)
    rows += ",1";
  put("torch_platforms.json", "{\"rows\": [" + rows + "]}");
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("\"rows\" has more than 512 entries"));
  put("torch_platforms.json", "{\"rows\": []}" + std::string(1 << 20, ' '));
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("larger than 1 MiB"));
  put("torch_platforms.json", "{\"rows\": " + std::string(40, '[') + std::string(40, ']') + "}");
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("nested more than 32 deep"));
}
