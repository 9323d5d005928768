// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/UserTables.h"
#include "tests/unit/tables/Generator.h"

using namespace cudacc;
using testing::HasSubstr;
using GenerateReleases = test::Generator;

TEST_F(GenerateReleases, ContradictionsAreNamed) {
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
                "12.5.1 is not a CUDA 12.6");
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

TEST_F(GenerateReleases, TheDataHaveOneRelease) {
  put("release.json", R"({"rows": [{"release": "2099.1.0", "date": "2099-01-01"}]})");
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(said, HasSubstr("release: not exactly one row"));
}

TEST_F(GenerateReleases, PinsMustHold) {
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

TEST_F(GenerateReleases, FrameworkRowsHoldTogether) {
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
                "is not a specifier");
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
                "jax 0.4.35 appears twice");
  expectRefused(file,
                R"({"framework": "new", "version": "1", "versions": ["1.1", "1.0"],
                    "cuda_major": "12", "pin_kind": "none", "confidence": "verified"})",
                "1.0 is not newer");
  expectRefused("framework_names.json",
                R"({"name": "new", "framework": "new", "cuda_major": null, "extras": []})",
                "framework_targets has no row of new");
  expectRefused("framework_names.json",
                R"({"name": "vllm", "framework": "vllm", "cuda_major": null, "extras": []})",
                "the name appears twice");
  put(file, "{\"rows\": [" + row(lines, pin).insert(1, R"("source": "made up", )") + "]}");
  put("framework_names.json", R"({"rows": [{"name": "new", "framework": "new",
                                            "cuda_major": "12", "extras": []}]})");
  EXPECT_EQ(run(), 0) << said;
}

TEST_F(GenerateReleases, RowsAreRefusedAsInAFactsFile) {
  auto same = [&](llvm::StringRef table, const std::string &row, const char *problem) {
    std::string whole = "{" + sourced + ", " + row + "}";
    expectRefused((table + ".json").str(), whole, problem);
    auto tables = tables::readUserTables(
        ("{\"schema\": 1, \"tables\": {\"" + table + "\": [" + whole + "]}}").str(), "more.json");
    ASSERT_FALSE(bool(tables)) << whole;
    core::Finding finding = core::toFinding(tables.takeError());
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

TEST_F(GenerateReleases, TablesOfReleasesAreLimitedAsAFactsFile) {
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
