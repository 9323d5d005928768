// SPDX-License-Identifier: Apache-2.0
#include "plugins/cmake/FileApi.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "plugins/buildsys/Document.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::cmake {

using namespace audit;
using buildsys::Document;
using llvm::StringRef;
using support::resolvePath;

const llvm::StringLiteral queryFolder = ".cmake/api/v1/query/client-cuda-cc";
static constexpr StringRef replyFolder = ".cmake/api/v1/reply";
static const buildsys::DocumentKind replies = {"CMake's reply",
                                               "configure again: CMake writes it again"};

llvm::ArrayRef<StringRef> queries() {
  static constexpr StringRef names[] = {"codemodel-v2", "toolchains-v1", "cmakeFiles-v1"};
  return names;
}

namespace {

/// Where the values of a target were written: nodes with a file, a line and a calling node.
class Backtraces {
public:
  Backtraces(Document &reply, const Document::Object &owner, StringRef source) : source(source) {
    const Document::Object *graph = reply.object(owner, "backtraceGraph");
    if (!graph)
      return;
    reply.texts(*graph, "files", [&](StringRef file) { files.push_back(file); });
    reply.texts(*graph, "commands", [&](StringRef command) { commands.push_back(command); });
    reply.objects(*graph, "nodes", [&](const Document::Object &node) {
      nodes.push_back({reply.number(node, "file"), reply.number(node, "line"),
                       reply.number(node, "command"), reply.number(node, "parent")});
    });
  }

  /// The innermost place in the project. Functions from elsewhere that the project calls (CMake's
  /// own modules, packages) are skipped.
  Place place(int64_t index) const {
    Place outermost;
    walk(index, [&](const Node &node) {
      if (node.line <= 0 || node.file < 0 || size_t(node.file) >= files.size())
        return true;
      Place place{resolvePath(source, files[node.file]), unsigned(node.line)};
      bool isInProject = support::isBelow(place.file, source);
      outermost = std::move(place);
      return !isInProject;
    });
    return outermost;
  }
  /// That command is among the callers.
  bool calls(int64_t index, StringRef command) const {
    bool found = false;
    walk(index, [&](const Node &node) {
      if (node.command >= 0 && size_t(node.command) < commands.size())
        found |= commands[node.command] == command;
      return !found;
    });
    return found;
  }

private:
  struct Node {
    int64_t file, line, command, parent;
  };
  StringRef source;
  std::vector<StringRef> files, commands;
  std::vector<Node> nodes;

  /// Ends after as many steps as there are nodes, in case of a cycle.
  void walk(int64_t index, llvm::function_ref<bool(const Node &)> onNode) const {
    for (size_t steps = 0; steps != nodes.size(); ++steps) {
      if (index < 0 || size_t(index) >= nodes.size() || !onNode(nodes[index]))
        return;
      index = nodes[index].parent;
    }
  }
};

/// Reads one reply, that is the files named by its index.
class Reader {
public:
  Reader(core::Files &files, StringRef build, BuildModel &model, ForEach forEach)
      : files(files), folder(fmt::format("{}/{}", build, replyFolder)), model(model),
        forEach(forEach) {}

  llvm::Expected<bool> read();

private:
  core::Files &files;
  std::string folder;
  BuildModel &model;
  ForEach forEach;
  int64_t configured = 0;

  llvm::Error readKind(StringRef kind, int64_t major, StringRef file);
  llvm::Error readCodemodel(StringRef file);
  llvm::Expected<BuildTarget> readTarget(StringRef file, StringRef configuration) const;
  llvm::Error readToolchains(StringRef file);
  llvm::Error readInputs(StringRef file);
  void takeTarget(Document &reply, BuildTarget &target) const;
  void takeSources(Document &reply, BuildTarget &target) const;
};

} // namespace

/// Takes the newest index; the names begin with the time.
llvm::Expected<bool> Reader::read() {
  FileStatus status = files.stat(folder);
  if (!status.exists() && !status.unreachable)
    return false;
  auto names = files.readDirectory(folder);
  if (!names)
    return names.takeError();
  std::string name;
  for (const std::string &each : *names)
    if (StringRef(each).starts_with("index-") && StringRef(each).ends_with(".json"))
      name = std::max(name, each);
  if (name.empty())
    return false;
  configured = files.stat(fmt::format("{}/{}", folder, name)).id.mtime;
  auto index = Document::read(files, folder, name, replies);
  if (!index)
    return index.takeError();
  if (const Document::Object *cmake = index->object(index->root(), "cmake")) {
    const Document::Object *version = index->object(*cmake, "version");
    const Document::Object *generator = index->object(*cmake, "generator");
    model.system = "CMake";
    if (version)
      model.system += fmt::format(" {}", index->text(*version, "string"));
    if (generator)
      model.system += fmt::format(", {}", index->text(*generator, "name"));
  }
  struct Entry {
    std::string kind, file;
    int64_t major;
  };
  std::vector<Entry> entries;
  index->objects(index->root(), "objects", [&](const Document::Object &object) {
    const Document::Object *version = index->object(object, "version");
    entries.push_back({index->text(object, "kind").str(), index->text(object, "jsonFile").str(),
                       version ? index->number(*version, "major") : -1});
  });
  if (llvm::Error error = index->take())
    return error;
  // Several clients may have requested different versions of a kind.
  for (const Entry &entry : entries)
    if (llvm::Error error = readKind(entry.kind, entry.major, entry.file))
      return error;
  return model.isDescribed;
}

llvm::Error Reader::readKind(StringRef kind, int64_t major, StringRef file) {
  if (kind == "codemodel" && major == 2 && !model.isDescribed)
    return readCodemodel(file);
  if (kind == "toolchains" && major == 1 && model.toolchains.empty())
    return readToolchains(file);
  if (kind == "cmakeFiles" && major == 1 && model.newer.empty())
    return readInputs(file);
  return llvm::Error::success();
}

llvm::Error Reader::readCodemodel(StringRef file) {
  auto reply = Document::read(files, folder, file, replies);
  if (!reply)
    return reply.takeError();
  if (const Document::Object *paths = reply->object(reply->root(), "paths"))
    if (StringRef source = reply->text(*paths, "source"); !source.empty())
      model.source = source.str();
  std::vector<std::pair<std::string, std::string>> targets;
  size_t configurations = 0;
  reply->objects(reply->root(), "configurations", [&](const Document::Object &configuration) {
    ++configurations;
    std::string name = reply->text(configuration, "name").str();
    reply->objects(configuration, "targets", [&](const Document::Object &target) {
      targets.emplace_back(reply->text(target, "jsonFile").str(), name);
    });
  });
  if (configurations == 0)
    reply->broken("no \"configurations\"");
  if (llvm::Error error = reply->take())
    return error;
  // In parallel, as JSON parsing takes most of an audit's time.
  std::vector<BuildTarget> read(targets.size());
  std::vector<std::optional<core::Finding>> problems(targets.size());
  forEach(targets.size(), [&](size_t index) {
    const auto &[name, configuration] = targets[index];
    auto target = readTarget(name, configurations > 1 ? StringRef(configuration) : StringRef());
    if (target)
      read[index] = std::move(*target);
    else
      problems[index] = core::toFinding(target.takeError());
  });
  for (std::optional<core::Finding> &problem : problems)
    if (problem)
      return core::makeError(std::move(*problem));
  model.targets = std::move(read);
  model.isDescribed = true;
  return llvm::Error::success();
}

llvm::Expected<BuildTarget> Reader::readTarget(StringRef file, StringRef configuration) const {
  auto reply = Document::read(files, folder, file, replies);
  if (!reply)
    return reply.takeError();
  BuildTarget target;
  target.configuration = configuration.str();
  takeTarget(*reply, target);
  if (target.name.empty())
    reply->broken("no \"name\"");
  if (llvm::Error error = reply->take())
    return error;
  return target;
}

static TargetType typeOf(StringRef type) {
  return llvm::StringSwitch<TargetType>(type)
      .Case("EXECUTABLE", TargetType::Program)
      .Case("SHARED_LIBRARY", TargetType::Shared)
      .Case("MODULE_LIBRARY", TargetType::Module)
      .Case("STATIC_LIBRARY", TargetType::Static)
      .Case("OBJECT_LIBRARY", TargetType::Objects)
      .Case("UTILITY", TargetType::Custom)
      .Default(TargetType::Other);
}

void Reader::takeTarget(Document &reply, BuildTarget &target) const {
  const Document::Object &root = reply.root();
  target.name = reply.text(root, "name").str();
  target.type = typeOf(reply.text(root, "type"));
  Backtraces traces(reply, root, model.source);
  int64_t trace = reply.number(root, "backtrace");
  target.place = traces.place(trace);
  target.isBuild = target.type == TargetType::Custom && traces.calls(trace, "ExternalProject_Add");
  bool isObjects = target.type == TargetType::Objects;
  reply.objects(root, "artifacts", [&](const Document::Object &artefact) {
    StringRef path = reply.text(artefact, "path");
    if (!path.empty() && !isObjects)
      target.artefacts.push_back(resolvePath(model.build, path));
  });
  // The first artefact is the file itself, followed by import libraries and links.
  if (target.artefacts.size() > 1)
    target.artefacts.resize(1);
  if (const Document::Object *link = reply.object(root, "link")) {
    target.language = reply.text(*link, "language").str();
    reply.objects(*link, "commandFragments", [&](const Document::Object &fragment) {
      target.linkWords.push_back(reply.text(fragment, "fragment").str());
    });
  }
  if (const Document::Object *install = reply.object(root, "install"))
    reply.objects(*install, "destinations", [&](const Document::Object &destination) {
      target.destinations.push_back(reply.text(destination, "path").str());
    });
  takeSources(reply, target);
}

void Reader::takeSources(Document &reply, BuildTarget &target) const {
  std::vector<std::string> sources;
  reply.objects(reply.root(), "sources", [&](const Document::Object &source) {
    StringRef path = reply.text(source, "path");
    // Outputs of custom commands are listed as `.rule` sources.
    if (StringRef made = path; reply.flag(source, "isGenerated") && made.consume_back(".rule"))
      target.generated.push_back(resolvePath(model.build, made));
    sources.push_back(resolvePath(model.source, path));
  });
  reply.objects(reply.root(), "compileGroups", [&](const Document::Object &object) {
    CompileGroup group;
    group.language = reply.text(object, "language").str();
    reply.numbers(object, "sourceIndexes", [&](int64_t index) {
      if (index >= 0 && size_t(index) < sources.size())
        group.sources.push_back(sources[index]);
      else
        reply.broken("\"sourceIndexes\" leads to no source");
    });
    target.groups.push_back(std::move(group));
  });
}

llvm::Error Reader::readToolchains(StringRef file) {
  auto reply = Document::read(files, folder, file, replies);
  if (!reply)
    return reply.takeError();
  reply->objects(reply->root(), "toolchains", [&](const Document::Object &object) {
    Toolchain toolchain;
    toolchain.language = reply->text(object, "language").str();
    if (const Document::Object *compiler = reply->object(object, "compiler")) {
      toolchain.compiler = reply->text(*compiler, "path").str();
      toolchain.version = reply->text(*compiler, "version").str();
    }
    if (!toolchain.compiler.empty())
      model.toolchains.push_back(std::move(toolchain));
  });
  return reply->take();
}

/// Only the project's own files; a new CMake configures anew by itself.
llvm::Error Reader::readInputs(StringRef file) {
  auto reply = Document::read(files, folder, file, replies);
  if (!reply)
    return reply.takeError();
  std::string source = model.source;
  if (const Document::Object *paths = reply->object(reply->root(), "paths"))
    if (StringRef path = reply->text(*paths, "source"); !path.empty())
      source = path.str();
  reply->objects(reply->root(), "inputs", [&](const Document::Object &input) {
    StringRef path = reply->text(input, "path");
    if (path.empty() || reply->flag(input, "isCMake") || reply->flag(input, "isGenerated"))
      return;
    std::string full = resolvePath(source, path);
    if (files.stat(full).id.mtime > configured)
      model.newer.push_back(std::move(full));
  });
  return reply->take();
}

llvm::Expected<bool> readFileApi(core::Files &files, StringRef build, BuildModel &model,
                                 ForEach forEach) {
  return Reader(files, build, model, forEach).read();
}

} // namespace cudacc::cmake
