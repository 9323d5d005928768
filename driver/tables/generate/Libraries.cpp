// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/generate/Model.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

namespace {

using support::Value;

/// First and last version that was read. Empty: no bound.
struct Run {
  std::string first, last;
};

/// The CUDA majors that a row of wheel_layout is about: it has `sonames_13`, `dist_cu13` and
/// `dir_cu13` of each.
std::vector<StringRef> majorsOf(const Row &row) {
  std::vector<StringRef> majors;
  for (StringRef key : row.keys())
    if (key.consume_front("sonames_"))
      majors.push_back(key);
  return majors;
}

std::string stemOf(const Row &row, StringRef file) {
  row.require(file.consume_front("lib"), "{} does not begin with lib", file);
  if (file.consume_back(".a"))
    return file.str();
  for (size_t at = file.find(".so"); at != StringRef::npos; at = file.find(".so", at + 1))
    if (StringRef rest = file.substr(at + 3); rest.empty() || rest.front() == '.')
      return file.take_front(at).str();
  row.reject("{} is not a library", file);
  return {};
}

/// SONAMEs in libraries.json that represent one per minor end in `<minor>`.
bool isPattern(StringRef soname) { return soname.contains('<'); }

void addStem(const Row &row, Model &model, const std::string &stem, bool archive,
             LibraryOrigin origin) {
  auto [it, isNew] = model.stems.try_emplace(stem, Model::Stem{archive, uint8_t(origin), "", ""});
  row.require(isNew || it->second.archive == archive, "{} is an archive and is none", stem);
}

llvm::ArrayRef<Value> listAt(const Row &row, const Value &value) {
  row.require(value.isList(), "a list is expected");
  return value.items;
}

/// Reads a library's header_probe, by which its headers are detected.
void readHeader(const Row &row, Model &model) {
  const Value &header = row.value("header_probe");
  if (!header.isTable())
    return;
  std::string file = header.textAt("file").str();
  row.require(!file.empty(), "header_probe names no file");
  for (const auto &[major, sonames] : rows::membersOf(row.map("soname"))) {
    if (sonames.isNull())
      continue;
    for (const Value &each : listAt(row, sonames)) {
      Model::Stem &stem = model.stems[stemOf(row, row.asText(each))];
      stem.header = file;
      stem.include = header.textAt("toolkit_include").str();
    }
  }
}

/// Reads the names of a library in libraries.json.
void readNames(const Row &row, Model &model) {
  auto origin = row.choice<LibraryOrigin>("packaged_with", {{"ctk", LibraryOrigin::Toolkit},
                                                            {"driver", LibraryOrigin::Driver},
                                                            {"other", LibraryOrigin::Other}});
  for (const auto &[major, sonames] : rows::membersOf(row.map("soname"))) {
    if (sonames.isNull())
      continue;
    uint8_t number = row.asNumbers(major, 1)[0];
    for (const Value &each : listAt(row, sonames)) {
      StringRef soname = row.asText(each);
      addStem(row, model, stemOf(row, soname), false, origin);
      auto known = [&](const Model::Library &library) {
        return library.soname == soname && library.major == number;
      };
      if (!isPattern(soname) && llvm::none_of(model.libraries, known))
        model.libraries.push_back({soname.str(), "", "", "", "", number, false});
    }
  }
  if (const Value *archives = row.map("static_libs").find("toolkit"))
    for (const Value &each : listAt(row, *archives))
      addStem(row, model, stemOf(row, row.asText(each)), true, origin);
  readHeader(row, model);
}

/// Maps SONAME or folder to a run, for one CUDA major. The oldest run has no lower and the newest
/// no upper bound: versions that were not read are assumed to be like their neighbours.
std::map<std::string, Run> readRuns(const Row &row, StringRef key, StringRef major) {
  std::map<std::string, Run> runs;
  const Value *of = row.map(key).find(major);
  if (!of || !of->isTable())
    return runs;
  std::optional<versions::Version> oldest, newest;
  for (const auto &[name, bounds] : rows::membersOf(*of)) {
    llvm::ArrayRef<Value> both = listAt(row, bounds);
    row.require(both.size() == 2, "{}: two versions are expected", key);
    versions::Version first = row.asVersion(row.asText(both[0]));
    versions::Version last = row.asVersion(row.asText(both[1]));
    row.require(first <= last, "{}: {} ends before it begins", key, name);
    runs[name] = {first.str(), last.str()};
    oldest = oldest && *oldest <= first ? *oldest : first;
    newest = newest && *newest >= last ? *newest : last;
  }
  for (auto &[name, run] : runs) {
    if (run.first == oldest->str())
      run.first.clear();
    if (run.last == newest->str())
      run.last.clear();
  }
  return runs;
}

/// Whether a SONAME ends in a minor of CUDA major \p major, like libnvrtc-builtins.so.12.4. Only
/// wheels of that minor have it.
bool endsInMinor(StringRef soname, StringRef major) {
  size_t at = soname.find(fmt::format(".so.{}.", major));
  return at != StringRef::npos && versions::CudaVersion::parse(soname.substr(at + 4));
}

/// The intersection of two runs. std::nullopt if it is empty.
std::optional<Run> intersect(const Row &row, const Run &a, const Run &b) {
  Run both;
  both.first =
      a.first.empty() || (!b.first.empty() && row.asVersion(a.first) < row.asVersion(b.first))
          ? b.first
          : a.first;
  both.last = a.last.empty() || (!b.last.empty() && row.asVersion(b.last) < row.asVersion(a.last))
                  ? b.last
                  : a.last;
  if (!both.first.empty() && !both.last.empty() &&
      row.asVersion(both.last) < row.asVersion(both.first))
    return std::nullopt;
  return both;
}

/// Where the libraries of a wheel are that has the folder.
std::string librariesIn(const Row &row, const std::string &folder) {
  const Value *special = row.map("lib_dirs").find(folder);
  return special ? row.asText(*special).str() : folder.empty() ? "" : folder + "/lib";
}

void readLayout(const Row &row, StringRef major, Model &model) {
  std::string dist = row.textOrNull(fmt::format("dist_cu{}", major)).str();
  auto places = readRuns(row, "dir_versions", major);
  if (places.empty())
    places[row.textOrNull(fmt::format("dir_cu{}", major)).str()] = {};
  auto runs = readRuns(row, "soname_versions", major);
  uint8_t number = row.asNumbers(major, 1)[0];
  for (StringRef soname : row.texts(fmt::format("sonames_{}", major))) {
    auto run = runs.find(soname.str());
    bool ownMinor = run != runs.end() && endsInMinor(soname, major);
    for (const auto &[folder, place] : places) {
      auto both = intersect(row, place, run == runs.end() || ownMinor ? Run{} : run->second);
      if (both)
        model.libraries.push_back({soname.str(), dist, librariesIn(row, folder), both->first,
                                   both->last, number, ownMinor});
    }
  }
}

/// Libraries that only wheel_layout has belong to the toolkit if their distribution does.
void addLayoutNames(const Row &row, StringRef major, Model &model) {
  std::string dist = row.textOrNull(fmt::format("dist_cu{}", major)).str();
  bool toolkit = llvm::any_of(model.releases.toolkits, [&](const rows::Toolkit &each) {
    return llvm::any_of(each.components, [&](const auto &part) { return part.first == dist; });
  });
  for (StringRef soname : row.texts(fmt::format("sonames_{}", major)))
    addStem(row, model, stemOf(row, soname), false,
            toolkit ? LibraryOrigin::Toolkit : LibraryOrigin::Other);
}

} // namespace

void readLibraries(Input &input, Model &model) {
  std::vector<Row> layout = input.rows("wheel_layout");
  for (const Row &row : layout)
    for (StringRef major : majorsOf(row))
      readLayout(row, major, model);
  for (const Row &row : input.rows("libraries", "libraries"))
    readNames(row, model);
  for (const Row &row : layout)
    for (StringRef major : majorsOf(row))
      addLayoutNames(row, major, model);
  for (const Model::Library &library : model.libraries)
    if (!library.dist.empty())
      model.releases.dists[library.dist];
}

} // namespace cudacc::tables::generate
