// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Tables.h"
#include "driver/versions/Requirement.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gmock/gmock.h>
#include <map>

using namespace cudacc;
using tables::SymbolTable;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using versions::Exported;

namespace {

Exported ask(const char *soname, unsigned major, const char *version, const char *symbol) {
  auto table = SymbolTable::find(soname, major);
  if (!table) {
    ADD_FAILURE() << soname << " has no table in " << major;
    return Exported::Unknown;
  }
  return table->exported(*versions::Version::parse(version), symbol);
}

/// The versions that export a name, as runs: "12.1.0.106 to 12.5.4.2".
std::string runs(const char *soname, unsigned major, const char *symbol) {
  auto table = *SymbolTable::find(soname, major);
  std::string text;
  for (size_t i = 0, from = 0; i <= table.size(); ++i) {
    bool yes = i < table.size() && table.exported(i, symbol) == Exported::Yes;
    bool before = i > from;
    if (yes)
      continue;
    if (before)
      text += (text.empty() ? "" : ", ") + table.at(from).version.str() + " to " +
              (i == table.size() ? "last" : table.at(i - 1).version.str());
    from = i + 1;
  }
  return text;
}

} // namespace

namespace {

/// Exported from \p version on, and not in the version before it.
struct Change {
  const char *soname;
  unsigned major;
  const char *before, *version, *symbol;
};

void expectChange(const Change &change, Exported before, Exported now) {
  EXPECT_EQ(ask(change.soname, change.major, change.before, change.symbol), before)
      << change.before << " " << change.symbol;
  EXPECT_EQ(ask(change.soname, change.major, change.version, change.symbol), now)
      << change.version << " " << change.symbol;
}

} // namespace

TEST(Symbols, NamesArriveInPatchReleases) { // SY-7
  for (const Change &change : {
           Change{"libcusparse.so.12", 12, "12.0.2.55", "12.1.0.106", "cusparseCreateBsr"},
           Change{"libcusolver.so.11", 12, "11.6.4.69", "11.7.1.2", "cusolverDnXgeev"},
           Change{"libcusolver.so.12", 13, "12.1.0.51", "12.2.0.1", "cusolverDnXpolar"},
           Change{"libcufft.so.11", 12, "11.2.6.59", "11.3.0.4", "cufftXtSetJITCallback"},
           Change{"libcufft.so.11", 12, "11.2.6.59", "11.3.0.4", "__cufftXtSetJITCallback_12_7"},
           Change{"libcupti.so.12", 12, "12.6.68", "12.6.80", "cuptiRangeProfilerEnable"},
           Change{"libnvjpeg.so.12", 12, "12.2.3.32", "12.3.0.81", "nvjpegBufferDeviceResize"},
           Change{"libcublas.so.13", 13, "13.0.2.14", "13.1.0.3",
                  "cublasSetEmulationSpecialValuesSupport"},
           Change{"libcublasLt.so.13", 13, "13.0.2.14", "13.1.0.3", "cublasLtEmulationDescCreate"},
           Change{"libnppif.so.12", 12, "12.1.1.14", "12.2.0.5", "nppiFloodFillBoundary_8u_C3IR"},
           Change{"libnppif.so.12", 12, "12.2.2.32", "12.2.3.2", "nppiFilterBox_Ctx"},
           Change{"libnppist.so.13", 13, "13.0.2.21", "13.0.3.3", "nppiWMSSSIM_8u_C4R_Ctx"},
       })
    expectChange(change, Exported::No, Exported::Yes);
}

TEST(Symbols, NamesVanishInsideAMajor) { // SY-8
  for (const Change &change : {
           Change{"libcupti.so.12", 12, "12.1.105", "12.2.60", "cuptiDeviceGetTimestamp"},
           Change{"libcufft.so.11", 12, "11.0.8.103", "11.0.11.19", "cufftMakePlanGuru64"},
           Change{"libcufft.so.11", 12, "11.0.8.103", "11.0.11.19", "cufftEnterCS"},
           Change{"libcufft.so.11", 12, "11.0.8.103", "11.0.11.19", "cufftLeaveCS"},
           Change{"libcufft.so.11", 12, "11.0.12.1", "11.2.0.44", "cufftXtSetDistribution"},
           Change{"libnppif.so.13", 13, "13.0.0.50", "13.0.1.2", "nppiFilterBox_Ctx"},
           Change{"libnccl.so.2", 12, "2.30.4", "2.30.7", "ncclParamEnvPluginGet"},
           Change{"libcudnn.so.9", 12, "9.2.1.18", "9.3.0.75", "cudnnBackendCreateCudaGraph"},
           Change{"libcusolver.so.11", 12, "11.4.5.107", "11.5.0.53", "cusolverDnDorgqrHost"},
           Change{"libcusolver.so.11", 12, "11.5.0.53", "11.5.1.129", "cusolverSpXcsrndHost"},
           Change{"libcusolver.so.11", 12, "11.5.4.101", "11.6.0.99", "cusolverDnDgehd2"},
           Change{"libcublasLt.so.12", 12, "12.6.0.22", "12.6.1.4",
                  "cublasLtE4m3E4m3Fp32Bf16E4m3Matmul"},
       })
    expectChange(change, Exported::Yes, Exported::No);
  EXPECT_EQ(runs("libcudnn.so.9", 12, "cudnnBackendCreateCudaGraph"), "9.2.0.82 to 9.2.1.18");
}

TEST(Symbols, TheVectorsOfTargets) {
  // V-TG-16.
  EXPECT_EQ(ask("libcusolver.so.11", 12, "11.6.4.69", "cusolverDnXgeev"), Exported::No);
  EXPECT_EQ(ask("libcusolver.so.11", 12, "11.7.1.2", "cusolverDnXgeev"), Exported::Yes);
  // V-TG-17.
  EXPECT_EQ(ask("libcudnn.so.9", 12, "9.3.0.75", "cudnnBackendUpdateCudaGraph"), Exported::No);
  EXPECT_THAT(runs("libcudnn.so.9", 12, "cudnnBackendUpdateCudaGraph"),
              testing::MatchesRegex("9\\.2\\..* to 9\\.2\\..*, 9\\.5\\..* to last"));
  // V-TG-18.
  EXPECT_EQ(ask("libnvJitLink.so.13", 13, "13.1.115", "__nvJitLinkGetLinkedLTOIR_13_0"),
            Exported::No);
  EXPECT_EQ(ask("libnvJitLink.so.13", 13, "13.2.78", "__nvJitLinkGetLinkedLTOIR_13_0"),
            Exported::Yes);
  // V-TG-10, V-TG-11.
  EXPECT_EQ(ask("libnvJitLink.so.12", 12, "12.4.127", "__nvJitLinkCreate_12_5"), Exported::No);
  EXPECT_EQ(runs("libnvJitLink.so.12", 12, "__nvJitLinkCreate_12_5"), "12.5.40 to last");
  EXPECT_EQ(ask("libcudart.so.12", 12, "12.4.127", "cudaGetDriverEntryPointByVersion"),
            Exported::No);
  EXPECT_EQ(ask("libcudart.so.12", 12, "12.5.39", "cudaGetDriverEntryPointByVersion"),
            Exported::Yes);
}

TEST(Symbols, VersionsThatWereNotOpened) {
  // Between 11.6.4.69 and 11.7.1.2: unknown if they differ, otherwise their answer.
  EXPECT_EQ(ask("libcusolver.so.11", 12, "11.6.9", "cusolverDnXgeev"), Exported::Unknown);
  EXPECT_EQ(ask("libcusolver.so.11", 12, "11.6.9", "cusolverDnCreate"), Exported::Yes);
  EXPECT_EQ(ask("libcusolver.so.11", 12, "11.6.9", "noSuchName"), Exported::No);
  // Before the first version, and after the last.
  EXPECT_EQ(ask("libcudart.so.12", 12, "12.0.1", "cudaMalloc"), Exported::Unknown);
  EXPECT_EQ(ask("libcudart.so.12", 12, "12.99", "cudaMalloc"), Exported::Unknown);
}

TEST(Symbols, PostReleases) {
  EXPECT_EQ(ask("libcudart.so.12", 12, "12.4.127.post1", "cudaGetDriverEntryPointByVersion"),
            Exported::No);
  // cuSPARSELt 0.8.1.post1 was opened itself.
  auto table = *SymbolTable::find("libcusparseLt.so.0", 13);
  bool opened = false;
  for (size_t i = 0; i < table.size(); ++i)
    opened |= table.at(i).version == "0.8.1.post1";
  EXPECT_TRUE(opened);
  EXPECT_EQ(ask("libcusparseLt.so.0", 13, "0.8.1.post1", "cusparseLtMatmul"), Exported::Yes);
  // Neither was opened, but the base version is between two that agree.
  EXPECT_EQ(ask("libcustatevec.so.1", 12, "1.6.0.post0", "custatevecCreate"), Exported::Yes);
}

TEST(Symbols, InternalNamesThatWereLeftOut) {
  const char *library = "libcusparseLt.so.0", *version = "0.6.2";
  EXPECT_EQ(ask(library, 12, version, "cusparseLtNewName"), Exported::No);
  EXPECT_EQ(ask(library, 12, version, "_ZN3foo3barEv"), Exported::Unknown);
  EXPECT_EQ(ask(library, 12, version, "sm80_xmma_gemm"), Exported::Unknown);
  EXPECT_EQ(ask(library, 12, version, "someTable"), Exported::Unknown);
  EXPECT_EQ(ask(library, 12, version, ""), Exported::Unknown);
  EXPECT_FALSE(SymbolTable::find(library, 12)->anyExports("_ZN3foo3barEv"));
  // All names of libcudart are listed.
  EXPECT_EQ(ask("libcudart.so.12", 12, "12.4.127", "_ZN3foo3barEv"), Exported::No);
}

TEST(Symbols, OneSonameInTwoMajors) {
  auto twelve = *SymbolTable::find("libcusparse.so.12", 12);
  auto thirteen = *SymbolTable::find("libcusparse.so.12", 13);
  EXPECT_EQ(twelve.at(0).major, 12u);
  EXPECT_EQ(twelve.at(0).dist, "nvidia-cusparse-cu12");
  EXPECT_EQ(thirteen.at(0).major, 13u);
  EXPECT_EQ(thirteen.at(0).dist, "nvidia-cusparse");
  EXPECT_EQ(thirteen.at(0).soname, "libcusparse.so.12");
  EXPECT_EQ(thirteen.at(0).toolkit, (versions::CudaVersion{13, 0}));
  EXPECT_FALSE(SymbolTable::find("libcusparse.so.12", 11));
  EXPECT_FALSE(SymbolTable::find("libcudart.so.12", 13));
  EXPECT_FALSE(SymbolTable::find("libz.so.1", 12));
  EXPECT_FALSE(SymbolTable::find("", 12));
}

TEST(Symbols, SeveralDistributions) {
  auto twelve = *SymbolTable::find("libnvcomp.so.5", 12);
  EXPECT_EQ(twelve.at(0).dist, "nvidia-nvcomp-cu12");
  EXPECT_EQ(twelve.at(twelve.size() - 1).dist, "nvidia-libnvcomp-cu12");
  // cuFFTMp's wheel has a libcufftw of its own.
  EXPECT_EQ(SymbolTable::find("libcufftw.so.12", 13)->at(0).dist, "nvidia-cufft");
  EXPECT_EQ(SymbolTable::find("libcufftw.so.12", 13, "nvidia-cufftmp-cu13")->at(0).dist,
            "nvidia-cufftmp-cu13");
  EXPECT_EQ(SymbolTable::find("libcufftw.so.12", 13, "other")->at(0).dist, "nvidia-cufft");
}

TEST(Symbols, TheDriver) { // F11
  for (unsigned major : {11u, 12u, 13u, 14u}) {
    for (const char *soname : {"libcuda.so.1", "libnvidia-ml.so.1"}) {
      auto table = SymbolTable::find(soname, major);
      ASSERT_TRUE(table);
      EXPECT_EQ(table->at(0).version, "450.248.02");
      EXPECT_EQ(table->at(0).toolkit, (versions::CudaVersion{11, 0}));
      EXPECT_EQ(table->at(0).dist, "");
    }
  }
  EXPECT_EQ(ask("libcuda.so.1", 12, "580.159.04", "cuCtxCreate_v4"), Exported::Yes);
  EXPECT_EQ(ask("libcuda.so.1", 12, "580.159.4", "cuGraphGetId"), Exported::No);
  EXPECT_EQ(ask("libcuda.so.1", 12, "535.104", "cuInit"), Exported::Yes);
  EXPECT_EQ(ask("libcuda.so.1", 12, "535.104", "cuGreenCtxCreate"), Exported::No);
  EXPECT_EQ(ask("libcuda.so.1", 12, "440.33", "cuInit"), Exported::Unknown);
  EXPECT_EQ(ask("libcuda.so.1", 12, "999.1", "cuInit"), Exported::Unknown);
  // A name that only some releases of a branch have.
  EXPECT_EQ(ask("libnvidia-ml.so.1", 13, "580.159.04", "nvmlDeviceGetRemappedRows_v2"),
            Exported::Yes);
  EXPECT_EQ(ask("libnvidia-ml.so.1", 13, "595.58.03", "nvmlDeviceGetRemappedRows_v2"),
            Exported::No);
}

// aarch64_exports: the wheel of 12.9.79 lacks a name that that of 13.0.85 has more than x86-64.
TEST(Symbols, OfAarch64) {
  constexpr uint16_t machine = 183;
  auto asked = [&](const char *soname, unsigned major, const char *dist, const char *version,
                   const char *symbol, uint16_t machine) {
    return SymbolTable::find(soname, major, dist)
        ->exported(*versions::Version::parse(version), symbol, machine);
  };
  const char *host = "libnvperf_host.so", *cupti12 = "nvidia-cuda-cupti-cu12";
  const char *patching = "NVPW_VK_SassPatching_DeviceState_Create";
  const char *soc = "NVPW_SOC_PeriodicSampler_BeginSession";
  EXPECT_EQ(asked(host, 12, cupti12, "12.9.79", patching, 62), Exported::Yes);
  EXPECT_EQ(asked(host, 12, cupti12, "12.9.79", patching, machine), Exported::No);
  EXPECT_EQ(asked(host, 13, "nvidia-cuda-cupti", "13.0.85", soc, 62), Exported::No);
  EXPECT_EQ(asked(host, 13, "nvidia-cuda-cupti", "13.0.85", soc, machine), Exported::Yes);
  EXPECT_EQ(asked(host, 12, cupti12, "12.9.79", "NVPW_GetDeviceCount", machine), Exported::Yes);
  // Not compared.
  EXPECT_EQ(asked(host, 13, "nvidia-cuda-cupti", "13.99", soc, machine), Exported::Unknown);
  EXPECT_EQ(asked(host, 12, cupti12, "12.0.90", patching, machine), Exported::Unknown);
  // C++ names of cuFile 1.15 are in neither list; those of 1.0 to 1.14 are equal.
  auto file = [&](const char *version, const char *symbol) {
    return asked("libcufile.so.0", 13, "nvidia-cufile", version, symbol, machine);
  };
  EXPECT_EQ(file("1.15.1.6", "cuFileDriverOpen"), Exported::Yes);
  EXPECT_EQ(file("1.15.1.6", "_ZNSt11logic_errorC1EPKc"), Exported::Unknown);
  EXPECT_EQ(asked("libcudart.so.13", 13, "nvidia-cuda-runtime", "13.0.96", "cudaMalloc", machine),
            Exported::Yes);
}

TEST(Symbols, AnyVersion) {
  auto cufft = *SymbolTable::find("libcufft.so.11", 12);
  EXPECT_TRUE(cufft.anyExports("cufftEnterCS"));
  EXPECT_FALSE(cufft.anyExports("cudaMalloc"));
  EXPECT_FALSE(cufft.anyExports("noSuchName"));
  // The same library in another major.
  EXPECT_TRUE(SymbolTable::find("libcudart.so.13", 13)->anyExports("__cudaGetProcAddress"));
  EXPECT_FALSE(SymbolTable::find("libcudart.so.12", 12)->anyExports("__cudaGetProcAddress"));
}

TEST(Symbols, WhoExportsAName) {
  // Not libnvrtc.alt.so.12.
  EXPECT_THAT(tables::sonamesExporting("nvrtcCreateProgram", 12), ElementsAre("libnvrtc.so.12"));
  EXPECT_THAT(tables::sonamesExporting("cudaMalloc", 12), ElementsAre("libcudart.so.12"));
  EXPECT_THAT(tables::sonamesExporting("cudaMalloc", 13), ElementsAre("libcudart.so.13"));
  EXPECT_THAT(tables::sonamesExporting("cudaMalloc", 0),
              ElementsAre("libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"));
  // nvImageCodec defines the names of the driver that it loads by itself.
  EXPECT_THAT(tables::sonamesExporting("cuInit", 12),
              ElementsAre("libcuda.so.1", "libnvimgcodec.so.0"));
  EXPECT_THAT(tables::sonamesExporting("cufftExecC2C", 12),
              testing::AllOf(Contains("libcufft.so.11"), testing::Not(Contains("libcufft.so.12"))));
  EXPECT_THAT(tables::sonamesExporting("noSuchName", 12), IsEmpty());
  EXPECT_THAT(tables::sonamesExporting("", 12), IsEmpty());
}

// Names that are prefixes of each other, the first and the last of all, and names that sort before
// the first and after the last.
TEST(Symbols, FrontCoding) {
  EXPECT_EQ(ask("libcudart.so.12", 12, "12.4.127", "cudaMalloc"), Exported::Yes);
  EXPECT_EQ(ask("libcudart.so.12", 12, "12.4.127", "cudaMallo"), Exported::No);
  EXPECT_EQ(ask("libcudart.so.12", 12, "12.4.127", "cudaMalloc3"), Exported::No);
  EXPECT_EQ(ask("libcudart.so.12", 12, "12.4.127", "cudaMalloc3DArray"), Exported::Yes);
  for (const char *name : {"", "!", "A", "~", "\xff\xff", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"})
    EXPECT_EQ(ask("libcudart.so.12", 12, "12.4.127", name), Exported::No) << name;
  EXPECT_EQ(ask("libcudart.so.12", 12, "12.4.127", std::string(5000, 'c').c_str()), Exported::No);
}

TEST(Symbols, Size) {
  size_t bytes = tables::rows::symbolNames().size() + tables::rows::symbolEntries().size() +
                 tables::rows::symbolLists().size();
  auto rows = [](auto array) { return array.size() * sizeof(array[0]); };
  bytes += rows(tables::rows::symbolBlocks()) + rows(tables::rows::symbolVersions()) +
           rows(tables::rows::symbolSlices()) + rows(tables::rows::symbolLibraries());
  EXPECT_LE(bytes, 900u << 10);
  RecordProperty("bytes", int(bytes));
}

namespace {

/// One data file: for each name, over all its nodes, the versions that export it.
struct File {
  llvm::json::Value value;
  std::vector<bool> &exports(std::map<std::string, std::vector<bool>> &names, llvm::StringRef key,
                             size_t versions) {
    auto &row = names[key.split('@').first.str()];
    row.resize(versions);
    return row;
  }
  std::map<std::string, std::vector<bool>> names() {
    std::map<std::string, std::vector<bool>> names;
    const llvm::json::Object &object = *value.getAsObject();
    size_t versions = object.getArray("versions")->size();
    for (const auto &[key, list] : *object.getObject("symbols")) {
      auto &row = exports(names, llvm::StringRef(key), versions);
      for (const llvm::json::Value &pair : *list.getAsArray())
        for (int64_t i = *(*pair.getAsArray())[0].getAsInteger(),
                     last = *(*pair.getAsArray())[1].getAsInteger();
             i <= last; ++i)
          row[size_t(i)] = true;
    }
    return names;
  }
};

/// Every name of the file in every version of it, and names of other libraries.
size_t compare(llvm::StringRef path, const std::vector<std::string> &foreign) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  File file{llvm::cantFail(llvm::json::parse((*buffer)->getBuffer()))};
  auto names = file.names();
  const llvm::json::Object &object = *file.value.getAsObject();
  bool leftOut = *object.getInteger("internal_names_left_out") > 0;
  size_t checked = 0, index = 0;
  for (const llvm::json::Value &value : *object.getArray("versions")) {
    const llvm::json::Object &row = *value.getAsObject();
    unsigned major = 0;
    row.getString("cuda")->getAsInteger(10, major);
    std::string dist = versions::Requirement::normalise(row.getString("source")->split('-').first);
    auto table = SymbolTable::find(*row.getString("soname"), major, dist);
    auto version = versions::Version::parse(*row.getString("dist_version"));
    EXPECT_TRUE(table) << path.str();
    for (const auto &[name, exports] : names)
      if (++checked;
          table->exported(*version, name) != (exports[index] ? Exported::Yes : Exported::No))
        ADD_FAILURE() << path.str() << " " << version->str() << " " << name;
    for (const std::string &name : foreign)
      if (!names.count(name) && !leftOut && table->exported(*version, name) != Exported::No)
        ADD_FAILURE() << path.str() << " " << version->str() << " " << name;
    ++index;
  }
  return checked;
}

} // namespace

TEST(Symbols, TheWholeTableSaysWhatTheDataSays) {
  std::error_code error;
  size_t checked = 0, files = 0;
  llvm::sys::fs::directory_iterator it(CUDACC_TABLES_DATA "/symbols", error), end;
  for (; !error && it != end; it.increment(error), ++files)
    checked +=
        compare(it->path(), {"cudaMalloc", "cublasCreate_v2", "nppiFilter_8u_C1R", "cuInit"});
  EXPECT_FALSE(error);
  EXPECT_GE(files, 94u);
  EXPECT_GT(checked, 800000u);
}

TEST(SymbolTable, FirstReleaseThatHadAllNames) {
  auto first = [](std::vector<std::string> names) {
    return tables::firstReleaseWith("cudart", names).str();
  };
  EXPECT_EQ(first({"cudaMalloc", "cudaGetDriverEntryPointByVersion"}), "12.5");
  EXPECT_EQ(first({"cudaMemGetDefaultMemPool", "cudaThreadSynchronize"}), "13.0")
      << "the latter is gone by then";
  EXPECT_EQ(first({"cublasCreate_v2"}), "unknown") << "of another library";
  EXPECT_EQ(first({}), "unknown");
}

TEST(SymbolTable, ListsTheNamesOfAVersion) {
  auto driver = SymbolTable::find("libcuda.so.1", 13);
  ASSERT_TRUE(driver);
  auto names = driver->names(driver->size() - 1);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_THAT(names, Contains("cuInit"));
  EXPECT_THAT(names, Contains("cuMemAlloc_v2"));
  auto table = *SymbolTable::find("libnvJitLink.so.12", 12);
  for (size_t i : {size_t(0), table.size() - 1})
    for (const std::string &name : table.names(i))
      EXPECT_EQ(table.exported(i, name), Exported::Yes) << name;
  EXPECT_THAT(table.names(0), testing::Not(Contains("__nvJitLinkCreate_12_5")));
  EXPECT_THAT(table.names(table.size() - 1), Contains("__nvJitLinkCreate_12_5"));
}
