// SPDX-License-Identifier: Apache-2.0
#include "plugins/meson/Introspection.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "plugins/buildsys/Document.h"
#include "plugins/meson/Places.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::meson {

using namespace audit;
using buildsys::Document;
using llvm::StringRef;

static const buildsys::DocumentKind described = {
    "Meson's description", "meson setup --reconfigure: Meson writes it again"};

namespace {

/// Reads one meson-info.
class Reader {
public:
  Reader(core::Files &files, StringRef build)
      : files(files), folder(fmt::format("{}/meson-info", build)), build(build) {}

  llvm::Expected<Introspection> read();

private:
  core::Files &files;
  std::string folder;
  StringRef build;
  Introspection out;
  /// The path it was configured under; paths below that now lie below `build`.
  std::string configuredAs;
  int64_t configured = 0;
  /// Index into the model's targets, by artefact.
  llvm::StringMap<size_t> byArtefact;
  llvm::StringSet<> names;
  /// Places by meson.build file.
  llvm::StringMap<Places> places;

  llvm::Error readProject();
  llvm::Error readBackend();
  llvm::Error readCompilers();
  llvm::Error readTargets();
  llvm::Error readInstallation();
  llvm::Error readInputs();
  std::string relocated(StringRef path) const;
  Place placeOf(std::string file, StringRef target);
  void takeTarget(Document &document, const Document::Object &object);
  void takeStep(Document &document, const Document::Object &step, BuildTarget &target);
  void takeCompiler(Document &document, const Document::Object &object, StringRef language,
                    StringRef key);
};

} // namespace

std::string Reader::relocated(StringRef path) const {
  std::string full = support::resolvePath(configuredAs, path);
  if (!support::isBelow(full, configuredAs))
    return full;
  return out.model.build + full.substr(configuredAs.size());
}

/// If the file is gone or has changed, the line is missing or wrong, but the finding is the same.
Place Reader::placeOf(std::string file, StringRef target) {
  auto known = places.find(file);
  if (known == places.end()) {
    auto text = files.read(file);
    known = places.try_emplace(file, text ? StringRef(*text) : StringRef()).first;
    llvm::consumeError(text.takeError());
  }
  unsigned line = known->second.line(target);
  return {std::move(file), line};
}

llvm::Error Reader::readProject() {
  configured = files.stat(folder + "/meson-info.json").id.mtime;
  auto document = Document::read(files, folder, "meson-info.json", described);
  if (!document)
    return document.takeError();
  const Document::Object &root = document->root();
  if (document->flag(root, "error"))
    document->broken("the last configuration failed");
  out.model.system = "Meson";
  if (const Document::Object *version = document->object(root, "meson_version"))
    out.model.system += fmt::format(" {}", document->text(*version, "full"));
  if (const Document::Object *folders = document->object(root, "directories")) {
    out.model.source = document->text(*folders, "source").str();
    configuredAs = StringRef(document->text(*folders, "build")).rtrim('/').str();
  }
  if (configuredAs.empty())
    document->broken("no \"build\" among its directories");
  // The files contain the paths under which the build was configured.
  core::FileStatus here = files.stat(build), there = files.stat(configuredAs);
  bool same =
      there.exists() && here.id.device == there.id.device && here.id.inode == there.id.inode;
  out.model.build = same ? configuredAs : build.str();
  return document->take();
}

llvm::Error Reader::readBackend() {
  auto document = Document::read(files, folder, "intro-buildoptions.json", described);
  if (!document)
    return document.takeError();
  document->items([&](const Document::Object &option) {
    if (document->text(option, "name") == "backend")
      out.backend = document->text(option, "value").str();
  });
  out.model.system += ", " + (out.backend == "ninja" ? "Ninja" : out.backend);
  return document->take();
}

static std::string languageOf(StringRef name) { return name == "cpp" ? "CXX" : name.upper(); }

/// The compiler of `["ccache", "/td/bin/nvcc", "--x"]`: launchers come before it, options after it.
void Reader::takeCompiler(Document &document, const Document::Object &object, StringRef language,
                          StringRef key) {
  Toolchain toolchain;
  toolchain.language = language.str();
  document.texts(object, key, [&](StringRef word) {
    if (!word.starts_with("-"))
      toolchain.compiler = word.str();
  });
  toolchain.version = document.text(object, "version").str();
  if (!toolchain.compiler.empty() && !out.model.toolchain(toolchain.language.c_str()))
    out.model.toolchains.push_back(std::move(toolchain));
}

/// Meson 1.0 has no such file; there the targets name the compilers, without versions.
llvm::Error Reader::readCompilers() {
  if (!files.stat(folder + "/intro-compilers.json").exists())
    return llvm::Error::success();
  auto document = Document::read(files, folder, "intro-compilers.json", described);
  if (!document)
    return document.takeError();
  if (const Document::Object *host = document->object(document->root(), "host"))
    document->members(*host, [&](StringRef language, const Document::Object &compiler) {
      takeCompiler(*document, compiler, languageOf(language), "exelist");
    });
  return document->take();
}

static TargetType typeOf(StringRef type) {
  return llvm::StringSwitch<TargetType>(type)
      .Case("executable", TargetType::Program)
      .Case("shared library", TargetType::Shared)
      .Case("shared module", TargetType::Module)
      .Case("static library", TargetType::Static)
      .Case("custom", TargetType::Custom)
      .Default(TargetType::Other);
}

/// Adds the sources of one language, or the link step, which Meson 1.0 does not list.
void Reader::takeStep(Document &document, const Document::Object &step, BuildTarget &target) {
  if (step.find("linker")) {
    document.texts(step, "parameters",
                   [&](StringRef word) { target.linkWords.push_back(word.str()); });
    return;
  }
  CompileGroup group;
  group.language = languageOf(document.text(step, "language"));
  for (StringRef key : {"sources", "generated_sources", "unity_sources"})
    document.texts(step, key, [&](StringRef path) { group.sources.push_back(relocated(path)); });
  // The words of a custom target, with placeholders.
  if (group.language == "UNKNOWN")
    return;
  if (document.text(step, "machine") != "build")
    takeCompiler(document, step, group.language, "compiler");
  target.groups.push_back(std::move(group));
}

void Reader::takeTarget(Document &document, const Document::Object &object) {
  BuildTarget target;
  target.name = document.text(object, "name").str();
  target.type = typeOf(document.text(object, "type"));
  target.place = placeOf(relocated(document.text(object, "defined_in")), target.name);
  document.texts(object, "filename",
                 [&](StringRef path) { target.artefacts.push_back(relocated(path)); });
  document.objects(object, "target_sources",
                   [&](const Document::Object &step) { takeStep(document, step, target); });
  if (target.name.empty())
    document.broken("a target without \"name\"");
  if (target.isLinked())
    for (const CompileGroup &group : target.groups)
      if (target.language.empty() || group.language == "CUDA")
        target.language = group.language;
  if (target.isLinked() || target.type == TargetType::Static) {
    // The first one is the file itself.
    target.artefacts.resize(std::min<size_t>(target.artefacts.size(), 1));
    if (target.artefacts.empty())
      document.broken(fmt::format("\"{}\" has no \"filename\"", target.name));
  } else if (target.type == TargetType::Custom) {
    target.generated = target.artefacts;
  }
  // Targets in different folders may have the same name, and both_libraries() makes two of one
  // name.
  if (!names.insert(target.name).second && !target.artefacts.empty()) {
    StringRef path = target.artefacts.front();
    path.consume_front(out.model.build + "/");
    target.name = path.str();
  }
  if (object.find("build_by_default") && !document.flag(object, "build_by_default"))
    out.onDemand.insert(out.onDemand.end(), target.artefacts.begin(), target.artefacts.end());
  for (const std::string &path : target.artefacts)
    byArtefact.try_emplace(path, out.model.targets.size());
  out.model.targets.push_back(std::move(target));
}

llvm::Error Reader::readTargets() {
  auto document = Document::read(files, folder, "intro-targets.json", described);
  if (!document)
    return document.takeError();
  document->items([&](const Document::Object &object) { takeTarget(*document, object); });
  out.model.isDescribed = true;
  return document->take();
}

/// Meson 1.10 says how the installation changes search paths, 1.0 does not; without that nothing is
/// known about installed files.
llvm::Error Reader::readInstallation() {
  auto document = Document::read(files, folder, "intro-install_plan.json", described);
  if (!document)
    return document.takeError();
  const Document::Object *targets = document->object(document->root(), "targets");
  if (!targets)
    return document->take();
  document->members(*targets, [&](StringRef path, const Document::Object &row) {
    auto found = byArtefact.find(relocated(path));
    if (found == byArtefact.end() || !row.find("build_rpaths"))
      return;
    BuildTarget &target = out.model.targets[found->second];
    target.destinations.push_back(document->text(row, "destination").str());
    PathEdit edit;
    edit.artefact = found->first().str();
    edit.byElement = true;
    edit.padding = 'X';
    std::vector<std::string> dropped;
    document->texts(row, "build_rpaths",
                    [&](StringRef element) { dropped.push_back(element.str()); });
    edit.from = llvm::join(dropped, ":");
    edit.to = document->text(row, "install_rpath").str();
    out.model.edits.push_back(std::move(edit));
  });
  return document->take();
}

llvm::Error Reader::readInputs() {
  auto document = Document::read(files, folder, "intro-buildsystem_files.json", described);
  if (!document)
    return document.takeError();
  document->lines([&](StringRef path) {
    std::string full = support::resolvePath(out.model.source, path);
    if (files.stat(full).id.mtime > configured)
      out.model.newer.push_back(std::move(full));
  });
  return document->take();
}

llvm::Expected<Introspection> Reader::read() {
  using Step = llvm::Error (Reader::*)();
  for (Step step : {&Reader::readProject, &Reader::readBackend, &Reader::readCompilers,
                    &Reader::readTargets, &Reader::readInstallation, &Reader::readInputs})
    if (llvm::Error error = (this->*step)())
      return error;
  return std::move(out);
}

llvm::Expected<Introspection> readIntrospection(core::Files &files, StringRef build) {
  return Reader(files, build).read();
}

} // namespace cudacc::meson
