// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/ninja/StepGraph.h"
#include "driver/plan/ninja/TemporaryName.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

namespace cudacc::plan {

using llvm::StringRef;
using support::nameOf;
using Role = FileWord::Role;

namespace {

struct Command {
  std::string text;
  std::vector<CommandWord> words;
  StepFiles files;
  /// Of `-- Filter Dependencies -- > FILE`.
  std::optional<std::string> depfile;
  Step step;

  StringRef fileIn(const FileWord &file) const {
    return StringRef(words[file.word].value).drop_front(file.offset);
  }
};

struct Temporary {
  size_t producer = 0;
  std::string name, tag;
  /// The name without an architecture, where another file includes it by that name.
  std::string alias;
};

class GraphMaker {
public:
  GraphMaker(const Dryrun &dryrun, const DepfileRequest &depfile, StringRef folder)
      : dryrun(dryrun), request(depfile), folder(folder) {}

  bool read();
  bool name();
  bool assemble();

  StepGraph graph;
  std::string unknown;

private:
  const Dryrun &dryrun;
  const DepfileRequest &request;
  StringRef folder;
  std::vector<Command> commands;
  /// By the name that nvcc gave.
  std::map<std::string, Temporary, std::less<>> temporaries;
  /// The file that `rm` removes and that is no temporary one; empty: none.
  std::string removed;
  /// Names and delivered paths that are taken.
  std::set<std::string> taken, paths;

  bool fail(StringRef text) {
    unknown = text.str();
    return false;
  }
  bool readCommand(StringRef text);
  std::string freshName(StringRef name);
  std::string tagOf(const Command &command) const;
  Temporary *find(StringRef path) {
    auto found = temporaries.find(nameOf(path));
    return found == temporaries.end() ? nullptr : &found->second;
  }
  bool nameFile(Command &command, const FileWord &file, size_t index);
  bool place(Command &command);
  std::string placed(const Command &command, const FileWord &file, bool &good);
  void addIncluded(std::vector<std::string> &inputs, const Command &command,
                   std::set<size_t> &seen);
  void addDelivery(size_t step, std::string made, StringRef path);
  std::vector<std::string> sourcesAfter(size_t index);
  bool addDepfile(size_t index);
  bool isOrdered() const;
  void dropUnused();
};

} // namespace

/// Without ` > FILE_stdout 2>FILE_stderr`, which nvcc adds with --threads.
static void dropRedirection(std::vector<CommandWord> &words) {
  size_t count = words.size();
  if (count >= 4 && words[count - 3].value == ">" &&
      StringRef(words[count - 2].value).ends_with("_stdout") &&
      StringRef(words[count - 1].value).starts_with("2>"))
    words.resize(count - 3);
}

bool GraphMaker::readCommand(StringRef text) {
  Command command;
  if (text.consume_front("-- Filter Dependencies -- > ")) {
    command.depfile = text.str();
    commands.push_back(std::move(command));
    return true;
  }
  auto words = splitCommand(text, dryrun.variables);
  if (!words || words->empty())
    return fail(text);
  dropRedirection(*words);
  // Up to its last word, which may end in a blank.
  command.text = text.take_front(words->back().end).str();
  command.words = std::move(*words);
  // Of a temporary file, or of the archive that the next command makes. Names with blanks are not
  // quoted there.
  if (command.words[0].value == "rm") {
    StringRef file = text.split(' ').second;
    if (temporaryIn(file).empty())
      removed = file.str();
    return true;
  }
  auto files = findFiles(command.words);
  bool afterArchive = !commands.empty() && commands.back().files.kind == StepKind::Archive;
  if (!files || afterArchive)
    return fail(text);
  command.files = std::move(*files);
  bool isArchive = command.files.kind == StepKind::Archive;
  if (!removed.empty() && (!isArchive || removed != command.fileIn(command.files.files.front())))
    return fail(fmt::format("rm {}", removed));
  commands.push_back(std::move(command));
  return true;
}

bool GraphMaker::read() {
  for (const std::string &text : dryrun.commands)
    if (!readCommand(text))
      return false;
  bool isRemovedOnly =
      !removed.empty() && (commands.empty() || commands.back().files.kind != StepKind::Archive);
  return (!commands.empty() && !isRemovedOnly) || fail("no command");
}

std::string GraphMaker::freshName(StringRef name) {
  for (unsigned number = 0;; ++number) {
    std::string fresh = fmt::format("{}{}_{}", stablePrefix, number, name);
    if (taken.insert(fresh).second)
      return fresh;
  }
}

std::string GraphMaker::tagOf(const Command &command) const {
  if (command.files.kind == StepKind::HostCompile)
    return "";
  if (command.files.kind != StepKind::Assemble)
    return command.files.arch;
  for (const FileWord &file : command.files.files)
    if (auto found = temporaries.find(nameOf(command.fileIn(file)));
        file.role == Role::In && found != temporaries.end())
      return fmt::format("{}.{}", found->second.tag, command.files.arch);
  return command.files.arch;
}

bool GraphMaker::nameFile(Command &command, const FileWord &file, size_t index) {
  StringRef path = command.fileIn(file), rest = temporaryIn(path);
  if (file.role != Role::Out || command.files.kind == StepKind::Archive)
    return true;
  if (rest.empty())
    return paths.insert(path.str()).second || fail(command.text);
  Temporary made{index, "", tagOf(command), ""};
  made.name = freshName(tagged(withoutArchs(rest), made.tag));
  return temporaries.emplace(nameOf(path).str(), std::move(made)).second || fail(command.text);
}

bool GraphMaker::name() {
  for (size_t i = 0; i < commands.size(); ++i)
    for (const FileWord &file : commands[i].files.files)
      if (!nameFile(commands[i], file, i))
        return false;
  for (Command &command : commands)
    for (const FileWord &file : command.files.files)
      if (Temporary *temporary = find(command.fileIn(file)); file.role == Role::Name && temporary &&
                                                             !temporary->tag.empty() &&
                                                             temporary->alias.empty())
        temporary->alias = freshName(withoutArchs(temporaryIn(command.fileIn(file))));
  return true;
}

/// What replaces a word's file; \p good becomes false if it cannot be.
std::string GraphMaker::placed(const Command &command, const FileWord &file, bool &good) {
  StringRef path = command.fileIn(file);
  Temporary *temporary = find(path);
  if (file.role == Role::Name) {
    good &= !temporaryIn(path).empty() && !path.contains('/');
    if (!temporary)
      return fmt::format("{}0_{}", stablePrefix, withoutArchs(temporaryIn(path)));
    return temporary->alias.empty() ? temporary->name : temporary->alias;
  }
  if (temporary)
    return temporary->name;
  // A temporary file that no command makes, or an input that one of them delivers.
  good &= temporaryIn(path).empty() && (file.role == Role::Out || !paths.count(path.str()));
  return "";
}

/// Fills the step of \p command.
bool GraphMaker::place(Command &command) {
  Step &step = command.step;
  step.kind = command.files.kind;
  step.program = command.words[0].value;
  std::string text;
  size_t from = 0;
  bool good = true;
  std::vector<FileWord> files = command.files.files;
  llvm::sort(files, [](const FileWord &a, const FileWord &b) { return a.word < b.word; });
  for (const FileWord &file : files) {
    std::string name = placed(command, file, good);
    StringRef path = command.fileIn(file);
    bool stays = name.empty() && (file.role == Role::In || step.kind == StepKind::Archive);
    if (name.empty() && file.role == Role::In)
      step.sources.push_back(path.str());
    if (stays)
      continue;
    if (name.empty()) {
      name = fmt::format("{}-{}", graph.deliveries.size(), nameOf(path));
      addDelivery(0, name, path);
    }
    if (file.role != Role::Name)
      (file.role == Role::In ? step.inputs : step.outputs).push_back(name);
    const CommandWord &word = command.words[file.word];
    StringRef front = StringRef(word.value).take_front(file.offset);
    std::string whole = file.role == Role::Name ? fmt::format("{}{}", front, name)
                                                : fmt::format("{}{}/{}", front, folder, name);
    text += StringRef(command.text).slice(from, word.begin);
    text += support::shellWord(whole);
    from = word.end;
  }
  text += StringRef(command.text).drop_front(from);
  step.command = std::move(text);
  return good || fail(command.text);
}

void GraphMaker::addDelivery(size_t step, std::string made, StringRef path) {
  graph.deliveries.push_back({step, std::move(made), path.str()});
}

/// Files included by those that \p command reads, by the names that their producers were given.
void GraphMaker::addIncluded(std::vector<std::string> &inputs, const Command &command,
                             std::set<size_t> &seen) {
  for (const FileWord &file : command.files.files) {
    Temporary *read = find(command.fileIn(file));
    if (file.role != Role::In || !read)
      continue;
    std::vector<size_t> producers{read->producer};
    while (!producers.empty()) {
      const Command &producer = commands[producers.back()];
      producers.pop_back();
      for (const FileWord &name : producer.files.files)
        if (Temporary *included = find(producer.fileIn(name));
            name.role == Role::Name && included && seen.insert(included->producer).second) {
          inputs.push_back(included->alias.empty() ? included->name : included->alias);
          producers.push_back(included->producer);
        }
    }
  }
}

/// The source whose preprocessed text is read next.
std::vector<std::string> GraphMaker::sourcesAfter(size_t index) {
  for (const Command &command : llvm::drop_begin(commands, index))
    for (const FileWord &file : command.files.files)
      if (Temporary *read = find(command.fileIn(file));
          read && file.role == Role::In && read->producer < index &&
          commands[read->producer].files.kind == StepKind::Preprocess)
        return commands[read->producer].step.sources;
  return {};
}

/// The depfile of that source.
bool GraphMaker::addDepfile(size_t index) {
  Step step;
  step.kind = StepKind::Depfile;
  step.depfile = request;
  step.sources = sourcesAfter(index);
  for (size_t i = 0; i < index; ++i)
    if (commands[i].files.kind == StepKind::Preprocess && step.sources == commands[i].step.sources)
      llvm::append_range(step.inputs, commands[i].step.outputs);
  if (step.inputs.empty() || step.sources.size() != 1)
    return fail("-- Filter Dependencies --");
  for (size_t i = index + 1; step.depfile.target.empty() && i < commands.size(); ++i)
    for (const FileWord &file : commands[i].files.files)
      if (commands[i].files.kind == StepKind::HostCompile && file.role == Role::Out &&
          temporaryIn(commands[i].fileIn(file)).empty())
        step.depfile.target = commands[i].fileIn(file).str();
  if (step.depfile.target.empty() || !paths.insert(*commands[index].depfile).second)
    return fail("-- Filter Dependencies --");
  std::string made =
      fmt::format("{}-{}", graph.deliveries.size(), nameOf(*commands[index].depfile));
  step.name = fmt::format("depfile.{}", made);
  step.outputs.push_back(made);
  addDelivery(graph.steps.size(), made, *commands[index].depfile);
  graph.steps.push_back(std::move(step));
  return true;
}

/// Whether each step reads what earlier ones make: nvcc's commands run in order.
bool GraphMaker::isOrdered() const {
  std::set<StringRef> made;
  for (const Step &step : graph.steps) {
    if (!llvm::all_of(step.inputs, [&](const std::string &name) { return made.count(name); }))
      return false;
    made.insert(step.outputs.begin(), step.outputs.end());
  }
  return true;
}

void GraphMaker::dropUnused() {
  std::set<std::string> used;
  for (const Step &step : graph.steps)
    used.insert(step.inputs.begin(), step.inputs.end());
  for (const Delivery &delivery : graph.deliveries)
    used.insert(delivery.made);
  for (const Command &command : commands)
    if (command.files.kind == StepKind::Archive)
      used.insert(command.step.inputs.begin(), command.step.inputs.end());
  for (Step &step : graph.steps)
    llvm::erase_if(step.outputs, [&](const std::string &name) { return !used.count(name); });
}

bool GraphMaker::assemble() {
  for (size_t i = 0; i < commands.size(); ++i) {
    Command &command = commands[i];
    if (command.depfile) {
      if (!addDepfile(i))
        return false;
      continue;
    }
    size_t delivered = graph.deliveries.size();
    if (!place(command))
      return false;
    for (Delivery &delivery : llvm::drop_begin(graph.deliveries, delivered))
      delivery.step = graph.steps.size();
    if (command.files.kind == StepKind::Archive) {
      if (!removed.empty())
        graph.archive = fmt::format("rm -f {}\n", support::shellWord(removed));
      graph.archive += command.step.command;
      continue;
    }
    if (command.step.outputs.empty())
      return fail(command.text);
    // cicc's first ones are by-products.
    StringRef made = command.files.kind == StepKind::DeviceCompile ? command.step.outputs.back()
                                                                   : command.step.outputs.front();
    made.consume_front(stablePrefix);
    command.step.name = fmt::format("{}.{}", nameOf(command.step.program), made);
    std::set<size_t> seen;
    if (command.files.kind == StepKind::HostCompile)
      addIncluded(command.step.inputs, command, seen);
    graph.steps.push_back(command.step);
    for (const FileWord &file : command.files.files)
      if (Temporary *made = find(command.fileIn(file));
          file.role == Role::Out && made && !made->alias.empty()) {
        Step copy;
        copy.kind = StepKind::Copy;
        copy.name = fmt::format("copy.{}", StringRef(made->alias).drop_front(stablePrefix.size()));
        copy.inputs = {made->name};
        copy.outputs = {made->alias};
        graph.steps.push_back(std::move(copy));
      }
  }
  if (!isOrdered())
    return fail("a file that is read before it is made");
  dropUnused();
  bool isMade = llvm::none_of(graph.steps, [](const Step &step) { return step.outputs.empty(); });
  return isMade || fail("a command whose outputs nothing uses");
}

std::optional<StepGraph> makeGraph(const Dryrun &dryrun, const DepfileRequest &depfile,
                                   StringRef folder, std::string &unknown) {
  GraphMaker maker(dryrun, depfile, folder);
  if (maker.read() && maker.name() && maker.assemble())
    return std::move(maker.graph);
  unknown = std::move(maker.unknown);
  return std::nullopt;
}

} // namespace cudacc::plan
