// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/Libraries.h"
#include "driver/probe/host/LibraryEvidence.h"
#include "tests/support/MemoryFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>
#include <set>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using llvm::json::Array;
using llvm::json::Object;
using testing::HasSubstr;

namespace {

constexpr const char *venvSite = "/venv/lib/python3.11/site-packages";

std::vector<Object> vectors() {
  std::vector<Object> all;
  auto buffer =
      llvm::MemoryBuffer::getFile(CUDACC_SOURCE_DIR "/tests/unit/probe/vectors/evidence.json");
  if (!buffer)
    return all;
  auto value = llvm::json::parse((*buffer)->getBuffer());
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError());
    return all;
  }
  for (const llvm::json::Value &each : *value->getAsObject()->getArray("vectors"))
    all.push_back(*each.getAsObject());
  return all;
}

std::string text(const Object &vector, llvm::StringRef key) {
  return vector.getString(key).value_or("").str();
}

std::vector<std::string> strings(const Object &vector, llvm::StringRef key) {
  std::vector<std::string> all;
  if (const Array *list = vector.getArray(key))
    for (const llvm::json::Value &each : *list)
      all.push_back(each.getAsString().value_or("").str());
  return all;
}

/// The disk that a vector describes.
void build(const Object &vector, test::MemoryFiles &files) {
  std::string library = vector.getString("owns").value_or(text(vector, "library")).str();
  files.file(library, "elf");
  std::string home = llvm::StringRef(library).split("/nvidia/").first.str();
  for (const std::string &wheel : strings(vector, "wheels"))
    files.file(home + "/" + wheel + ".dist-info/RECORD",
               library.substr(home.size() + 1) + ",sha256=x,1\n");
  for (const std::string &folder : strings(vector, "folders"))
    if (llvm::StringRef(folder).contains(".so") || llvm::StringRef(folder).ends_with("nvcc"))
      files.program(folder);
    else
      files.directory(folder);
  if (const Object *headers = vector.getObject("headers"))
    for (const auto &[path, value] : *headers) {
      std::string line = value.getAsString()->str();
      bool number = llvm::all_of(line, llvm::isDigit);
      files.file(llvm::StringRef(path), (number ? "#define CUDA_VERSION " : "") + line + "\n");
    }
  if (const Object *toolkits = vector.getObject("toolkits"))
    for (const auto &[version, requirement] : *toolkits)
      files.file(std::string(venvSite) + "/cuda_toolkit-" + llvm::StringRef(version).str() +
                     ".dist-info/METADATA",
                 "Name: cuda-toolkit\nRequires-Dist: " + requirement.getAsString()->str() +
                     "\n\nRequires-Dist: nothing of this counts\n");
  if (const Object *packages = vector.getObject("conda"))
    for (const auto &[name, path] : *packages)
      files.file("/conda/conda-meta/" + llvm::StringRef(name).str() + ".json",
                 "{\"files\": [\"" + path.getAsString()->str() + "\"]}");
  if (auto link = strings(vector, "link"); link.size() == 2)
    files.symlink(link[0], link[1]);
}

} // namespace

// V-EV-01 to V-EV-21; 21 is about CCCL, which is not a library: ToolkitsTest checks it in the
// tables.
TEST(EvidenceVectors, V_EV) {
  std::set<std::string> ids = {"V-EV-21"}, all;
  for (const Object &vector : vectors()) {
    SCOPED_TRACE(text(vector, "id") + " " + text(vector, "library"));
    ids.insert(text(vector, "id"));
    test::MemoryFiles files;
    build(vector, files);
    auto names = [](llvm::StringRef) { return probe::LibraryNames(); };
    auto suffix = [&](llvm::StringRef) {
      return CudaVersion::parse(text(vector, "suffix")).value_or(CudaVersion{});
    };
    probe::LibraryReader reader{names, suffix};
    probe::LibraryEvidence evidence(files, reader, "/home/u");
    LinkedLibrary library;
    library.path = text(vector, "library");
    library.soname = llvm::StringRef(library.path).rsplit('/').second.str();
    evidence.identify(library);
    EXPECT_EQ(library.cuda.known() ? library.cuda.str() : "", text(vector, "cuda"))
        << library.evidence << library.conflict;
    EXPECT_EQ(library.conflict.empty(), strings(vector, "conflict").empty()) << library.conflict;
    for (const std::string &word : strings(vector, "conflict"))
      EXPECT_THAT(library.conflict, HasSubstr(word));
    // EV-9
    if (library.cuda.known())
      EXPECT_FALSE(library.evidence.empty());
  }
  for (unsigned i = 1; i <= 21; ++i) {
    std::string id;
    llvm::raw_string_ostream(id) << "V-EV-" << llvm::format("%02u", i);
    all.insert(id);
  }
  EXPECT_EQ(ids, all);
}
