// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/graph/StepGraph.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

namespace cudacc::ninja {

using llvm::StringRef;
using support::nameOf;
using Role = FileWord::Role;

/// What stands for process and number in `tmpxft_PROCESS_NUMBER-`, so that names stay the same.
static constexpr llvm::StringLiteral stablePrefix = "tmpxft_00000000_00000000-";

/// `a.cpp4.ii` of nvcc's temporary file `/tmp/tmpxft_00001234_00000000-5_a.cpp4.ii`; empty if \p
/// path is not one.
static StringRef temporaryIn(StringRef path) {
  StringRef name = nameOf(path);
  if (!name.consume_front("tmpxft_"))
    return "";
  for (char end : {'_', '-'}) {
    StringRef number = name.take_while(llvm::isHexDigit);
    name = name.drop_front(number.size());
    if (number.empty() || !name.consume_front(StringRef(&end, 1)))
      return "";
  }
  StringRef number = name.take_while(llvm::isDigit);
  name = name.drop_front(number.size());
  return !number.empty() && (name.starts_with("_") || name.starts_with(".")) ? name.drop_front()
                                                                             : "";
}

/// \p name without the architectures that nvcc puts into it if there are several.
static std::string withoutArchs(StringRef name) {
  llvm::SmallVector<StringRef, 8> parts;
  name.split(parts, '.');
  std::string out = parts[0].str();
  for (StringRef part : llvm::drop_begin(parts))
    if (!part.starts_with("compute_") && !part.starts_with("sm_"))
      out += fmt::format(".{}", part);
  return out;
}

/// \p tag before the last dot of \p name.
static std::string tagged(StringRef name, StringRef tag) {
  if (tag.empty())
    return name.str();
  auto [stem, extension] = name.rsplit('.');
  return fmt::format("{}.{}.{}", stem, tag, extension);
}

static llvm::Error unknown(StringRef what) { return llvm::createStringError(what); }

namespace {

struct DryrunCommand {
  std::string text;
  std::vector<CommandWord> words;
  StepFiles files;
  /// Of `-- Filter Dependencies -- > FILE`.
  std::optional<std::string> depfile;

  StringRef fileIn(const FileWord &file) const {
    return StringRef(words[file.word].value).drop_front(file.offset);
  }
  bool isA(StepKind kind) const { return !depfile && files.kind == kind; }
};

/// The commands of a dry run.
struct DryrunCommands {
  std::vector<DryrunCommand> all;
  /// The file that `rm` removes and that is no temporary one; empty: none.
  std::string removed;
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

static llvm::Error readCommand(StringRef text, const Dryrun &dryrun, DryrunCommands &commands) {
  DryrunCommand command;
  if (text.consume_front("-- Filter Dependencies -- > ")) {
    command.depfile = text.str();
    commands.all.push_back(std::move(command));
    return llvm::Error::success();
  }
  auto words = splitCommand(text, dryrun.variables);
  if (!words || words->empty())
    return unknown(text);
  dropRedirection(*words);
  // Up to its last word, which may end in a blank.
  command.text = text.take_front(words->back().end).str();
  command.words = std::move(*words);
  // Of a temporary file, or of the archive that the next command makes. Names with blanks are not
  // quoted there.
  if (command.words[0].value == "rm") {
    StringRef file = text.split(' ').second;
    if (temporaryIn(file).empty())
      commands.removed = file.str();
    return llvm::Error::success();
  }
  auto files = findFiles(command.words);
  bool afterArchive = !commands.all.empty() && commands.all.back().isA(StepKind::Archive);
  if (!files || afterArchive)
    return unknown(text);
  command.files = std::move(*files);
  if (!commands.removed.empty() && (!command.isA(StepKind::Archive) ||
                                    commands.removed != command.fileIn(command.files.files[0])))
    return unknown(fmt::format("rm {}", commands.removed));
  commands.all.push_back(std::move(command));
  return llvm::Error::success();
}

static llvm::Expected<DryrunCommands> readCommands(const Dryrun &dryrun) {
  DryrunCommands commands;
  for (const std::string &text : dryrun.commands)
    if (llvm::Error error = readCommand(text, dryrun, commands))
      return error;
  const std::vector<DryrunCommand> &all = commands.all;
  if (all.empty() || (!commands.removed.empty() && !all.back().isA(StepKind::Archive)))
    return unknown("no command");
  return commands;
}

namespace {

/// A temporary file of nvcc's commands, named anew.
struct Temporary {
  /// Index of the command.
  size_t producer = 0;
  std::string name, tag;
  /// The name without an architecture, where another file includes it by that name.
  std::string alias;
};

/// New names of the files that the commands make.
class Names {
public:
  static llvm::Expected<Names> of(const DryrunCommands &commands);

  /// Null if no command makes \p path as a temporary file.
  const Temporary *find(StringRef path) const {
    auto found = temporaries.find(nameOf(path));
    return found == temporaries.end() ? nullptr : &found->second;
  }
  /// A command makes it, and it is no temporary file.
  bool isDelivered(StringRef path) const { return paths.count(path.str()); }
  /// False if it is delivered already.
  bool addDelivered(StringRef path) { return paths.insert(path.str()).second; }

private:
  /// By the name that nvcc gave.
  std::map<std::string, Temporary, std::less<>> temporaries;
  /// Names and delivered paths that are taken.
  std::set<std::string> taken, paths;

  std::string freshName(StringRef name);
  std::string tagOf(const DryrunCommand &command) const;
  bool addOutput(const DryrunCommand &command, const FileWord &file, size_t index);
  void addAlias(StringRef path);
};

} // namespace

std::string Names::freshName(StringRef name) {
  for (unsigned number = 0;; ++number) {
    std::string fresh = fmt::format("{}{}_{}", stablePrefix, number, name);
    if (taken.insert(fresh).second)
      return fresh;
  }
}

std::string Names::tagOf(const DryrunCommand &command) const {
  if (command.isA(StepKind::HostCompile))
    return "";
  if (command.isA(StepKind::Assemble))
    for (const FileWord &file : command.files.files)
      if (const Temporary *read = find(command.fileIn(file)); read && file.role == Role::In)
        return fmt::format("{}.{}", read->tag, command.files.arch);
  return command.files.arch;
}

bool Names::addOutput(const DryrunCommand &command, const FileWord &file, size_t index) {
  StringRef path = command.fileIn(file), rest = temporaryIn(path);
  if (rest.empty())
    return addDelivered(path);
  Temporary made{index, "", tagOf(command), ""};
  made.name = freshName(tagged(withoutArchs(rest), made.tag));
  return temporaries.emplace(nameOf(path).str(), std::move(made)).second;
}

void Names::addAlias(StringRef path) {
  auto found = temporaries.find(nameOf(path));
  if (found != temporaries.end() && !found->second.tag.empty() && found->second.alias.empty())
    found->second.alias = freshName(withoutArchs(temporaryIn(path)));
}

llvm::Expected<Names> Names::of(const DryrunCommands &commands) {
  Names names;
  for (auto [i, command] : llvm::enumerate(commands.all))
    for (const FileWord &file : command.files.files)
      if (file.role == Role::Out && !command.isA(StepKind::Archive) &&
          !names.addOutput(command, file, i))
        return unknown(command.text);
  for (const DryrunCommand &command : commands.all)
    for (const FileWord &file : command.files.files)
      if (file.role == Role::Name)
        names.addAlias(command.fileIn(file));
  return names;
}

namespace {

/// Makes the steps of commands whose files are named.
class GraphMaker {
public:
  GraphMaker(const std::vector<DryrunCommand> &commands, Names &names, StringRef folder)
      : commands(commands), names(names), folder(folder) {}

  StepGraph graph;

  llvm::Error addStep(const DryrunCommand &command);
  llvm::Error addDepfile(size_t index, const DepfileRequest &request);
  llvm::Error addArchive(const DryrunCommand &command, StringRef removed);
  void dropUnused();

private:
  const std::vector<DryrunCommand> &commands;
  Names &names;
  StringRef folder;
  /// The members of the archive.
  std::vector<std::string> archived;

  std::optional<std::string> placed(const DryrunCommand &command, const FileWord &file) const;
  std::string deliver(StringRef path);
  llvm::Expected<Step> place(const DryrunCommand &command);
  std::vector<std::string> includedBy(const DryrunCommand &command) const;
  void addCopies(const DryrunCommand &command);
  std::vector<std::string> sourcesAfter(size_t index) const;
};

} // namespace

/// What replaces a word's file, empty if it stays; std::nullopt if that is not known.
std::optional<std::string> GraphMaker::placed(const DryrunCommand &command,
                                              const FileWord &file) const {
  StringRef path = command.fileIn(file);
  const Temporary *temporary = names.find(path);
  if (file.role == Role::Name) {
    if (temporaryIn(path).empty() || path.contains('/'))
      return std::nullopt;
    if (!temporary)
      return fmt::format("{}0_{}", stablePrefix, withoutArchs(temporaryIn(path)));
    return temporary->alias.empty() ? temporary->name : temporary->alias;
  }
  if (temporary)
    return temporary->name;
  // A temporary file that no command makes, or an input that one of them delivers.
  if (!temporaryIn(path).empty() || (file.role == Role::In && names.isDelivered(path)))
    return std::nullopt;
  return "";
}

/// A delivery of the next step; returns its name in the folder.
std::string GraphMaker::deliver(StringRef path) {
  std::string made = fmt::format("{}-{}", graph.deliveries.size(), nameOf(path));
  graph.deliveries.push_back({graph.steps.size(), made, path.str()});
  return made;
}

/// The step of \p command, without a name.
llvm::Expected<Step> GraphMaker::place(const DryrunCommand &command) {
  Step step;
  step.kind = command.files.kind;
  step.program = command.words[0].value;
  size_t from = 0;
  std::vector<FileWord> files = command.files.files;
  llvm::sort(files, [](const FileWord &a, const FileWord &b) { return a.word < b.word; });
  for (const FileWord &file : files) {
    auto known = placed(command, file);
    if (!known)
      return unknown(command.text);
    std::string name = std::move(*known);
    StringRef path = command.fileIn(file);
    bool stays = name.empty() && (file.role == Role::In || step.kind == StepKind::Archive);
    if (name.empty() && file.role == Role::In)
      step.sources.push_back(path.str());
    if (stays)
      continue;
    if (name.empty())
      name = deliver(path);
    if (file.role != Role::Name)
      (file.role == Role::In ? step.inputs : step.outputs).push_back(name);
    const CommandWord &word = command.words[file.word];
    StringRef front = StringRef(word.value).take_front(file.offset);
    std::string whole = file.role == Role::Name ? fmt::format("{}{}", front, name)
                                                : fmt::format("{}{}/{}", front, folder, name);
    step.command += StringRef(command.text).slice(from, word.begin);
    step.command += support::shellWord(whole);
    from = word.end;
  }
  step.command += StringRef(command.text).drop_front(from);
  return step;
}

/// Files included by those that \p command reads, by the names that their producers were given.
std::vector<std::string> GraphMaker::includedBy(const DryrunCommand &command) const {
  std::vector<std::string> included;
  std::set<size_t> seen;
  std::vector<size_t> producers;
  for (const FileWord &file : command.files.files)
    if (const Temporary *read = names.find(command.fileIn(file)); read && file.role == Role::In)
      for (producers.push_back(read->producer); !producers.empty();) {
        const DryrunCommand &producer = commands[producers.back()];
        producers.pop_back();
        for (const FileWord &name : producer.files.files)
          if (const Temporary *found = names.find(producer.fileIn(name));
              name.role == Role::Name && found && seen.insert(found->producer).second) {
            included.push_back(found->alias.empty() ? found->name : found->alias);
            producers.push_back(found->producer);
          }
      }
  return included;
}

/// Copies of the files of \p command that others include by another name.
void GraphMaker::addCopies(const DryrunCommand &command) {
  for (const FileWord &file : command.files.files) {
    const Temporary *made = names.find(command.fileIn(file));
    if (file.role != Role::Out || !made || made->alias.empty())
      continue;
    Step copy;
    copy.kind = StepKind::Copy;
    copy.name = fmt::format("copy.{}", StringRef(made->alias).drop_front(stablePrefix.size()));
    copy.inputs = {made->name};
    copy.outputs = {made->alias};
    graph.steps.push_back(std::move(copy));
  }
}

llvm::Error GraphMaker::addStep(const DryrunCommand &command) {
  auto step = place(command);
  if (!step)
    return step.takeError();
  if (step->outputs.empty())
    return unknown(command.text);
  // cicc's first ones are by-products.
  StringRef made =
      step->kind == StepKind::DeviceCompile ? step->outputs.back() : step->outputs.front();
  made.consume_front(stablePrefix);
  step->name = fmt::format("{}.{}", nameOf(step->program), made);
  if (step->kind == StepKind::HostCompile)
    llvm::append_range(step->inputs, includedBy(command));
  graph.steps.push_back(std::move(*step));
  addCopies(command);
  return llvm::Error::success();
}

llvm::Error GraphMaker::addArchive(const DryrunCommand &command, StringRef removed) {
  auto step = place(command);
  if (!step)
    return step.takeError();
  if (!removed.empty())
    graph.archive = fmt::format("rm -f {}\n", support::shellWord(removed));
  graph.archive += step->command;
  archived = std::move(step->inputs);
  return llvm::Error::success();
}

/// The source whose preprocessed text is read next.
std::vector<std::string> GraphMaker::sourcesAfter(size_t index) const {
  for (const DryrunCommand &command : llvm::drop_begin(commands, index))
    for (const FileWord &file : command.files.files)
      if (const Temporary *read = names.find(command.fileIn(file));
          read && file.role == Role::In && read->producer < index &&
          commands[read->producer].isA(StepKind::Preprocess))
        for (const Step &step : graph.steps)
          if (llvm::is_contained(step.outputs, read->name))
            return step.sources;
  return {};
}

/// The depfile of that source.
llvm::Error GraphMaker::addDepfile(size_t index, const DepfileRequest &request) {
  const std::string &path = *commands[index].depfile;
  Step step;
  step.kind = StepKind::Depfile;
  step.depfile = request;
  step.sources = sourcesAfter(index);
  for (const Step &other : graph.steps)
    if (other.kind == StepKind::Preprocess && other.sources == step.sources)
      llvm::append_range(step.inputs, other.outputs);
  for (const DryrunCommand &command : llvm::drop_begin(commands, index + 1))
    for (const FileWord &file : command.files.files)
      if (step.depfile.target.empty() && command.isA(StepKind::HostCompile) &&
          file.role == Role::Out && temporaryIn(command.fileIn(file)).empty())
        step.depfile.target = command.fileIn(file).str();
  if (step.inputs.empty() || step.sources.size() != 1 || step.depfile.target.empty() ||
      !names.addDelivered(path))
    return unknown("-- Filter Dependencies --");
  std::string made = deliver(path);
  step.name = fmt::format("depfile.{}", made);
  step.outputs.push_back(std::move(made));
  graph.steps.push_back(std::move(step));
  return llvm::Error::success();
}

void GraphMaker::dropUnused() {
  std::set<std::string> used(archived.begin(), archived.end());
  for (const Step &step : graph.steps)
    used.insert(step.inputs.begin(), step.inputs.end());
  for (const Delivery &delivery : graph.deliveries)
    used.insert(delivery.made);
  for (Step &step : graph.steps)
    llvm::erase_if(step.outputs, [&](const std::string &name) { return !used.count(name); });
}

/// Whether each step reads what earlier ones make: nvcc's commands run in order.
static bool isOrdered(const StepGraph &graph) {
  std::set<StringRef> made;
  for (const Step &step : graph.steps) {
    if (!llvm::all_of(step.inputs, [&](const std::string &name) { return made.count(name); }))
      return false;
    made.insert(step.outputs.begin(), step.outputs.end());
  }
  return true;
}

llvm::Expected<StepGraph> makeGraph(const Dryrun &dryrun, const DepfileRequest &depfile,
                                    StringRef folder) {
  auto commands = readCommands(dryrun);
  if (!commands)
    return commands.takeError();
  auto names = Names::of(*commands);
  if (!names)
    return names.takeError();
  GraphMaker maker(commands->all, *names, folder);
  for (auto [i, command] : llvm::enumerate(commands->all))
    if (llvm::Error error = command.depfile ? maker.addDepfile(i, depfile)
                            : command.isA(StepKind::Archive)
                                ? maker.addArchive(command, commands->removed)
                                : maker.addStep(command))
      return error;
  if (!isOrdered(maker.graph))
    return unknown("a file that is read before it is made");
  maker.dropUnused();
  if (llvm::any_of(maker.graph.steps, [](const Step &step) { return step.outputs.empty(); }))
    return unknown("a command whose outputs nothing uses");
  return std::move(maker.graph);
}

} // namespace cudacc::ninja
