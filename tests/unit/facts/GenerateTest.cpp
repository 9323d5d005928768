#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

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
  int run(llvm::StringRef data = CUDACC_FACTS_DATA) {
    std::string output = path("out.inc"), errors = path("errors");
    llvm::sys::fs::remove(errors);
    llvm::StringRef words[] = {CUDACC_GEN_FACTS, output, data, folder};
    std::optional<llvm::StringRef> streams[] = {std::nullopt, std::nullopt, errors};
    int status = llvm::sys::ExecuteAndWait(CUDACC_GEN_FACTS, words, std::nullopt, streams, 60);
    said = get("errors");
    return status;
  }
  void expectRefused(llvm::StringRef file, llvm::StringRef row, const char *problem) {
    put(file, ("{\"rows\": [" + row + "]}").str());
    EXPECT_EQ(run(), 1) << row.str();
    EXPECT_THAT(said, HasSubstr((file + ": row 1").str()));
    EXPECT_THAT(said, HasSubstr(problem));
    EXPECT_FALSE(llvm::sys::fs::exists(path("out.inc")));
    llvm::sys::fs::remove(path(file));
  }

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
                "does not have 3 numbers");
  expectRefused("ctk_component_versions.json",
                R"({"ctk": "13.6.0", "components": {"a": "x.y"}, "wheel_overrides": {}})",
                "\"x.y\" is no version");
  expectRefused("driver_major_floor.json", R"({"cuda_major": 14, "min_driver_linux": "1"})",
                "\"cuda_major\" is no text");
  expectRefused("ctk_ptx.json", R"({"ctk": "13.999", "max_ptx_isa": "9.9"})", "no release number");
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

TEST_F(Generate, BrokenFilesAreNamed) {
  put("ctk_ptx.json", "{\"rows\": [");
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("ctk_ptx.json"));
  put("ctk_ptx.json", "[]");
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("no object"));
  EXPECT_EQ(run("/nonexistent"), 1);
}
