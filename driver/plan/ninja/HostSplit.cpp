// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/ninja/HostSplit.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace cudacc::plan {

using llvm::StringRef;

/// Beginnings of options with which GCC's object depends on whether it runs the assembler itself,
/// or that concern the assembler.
static constexpr llvm::StringLiteral unsplitOptions[] = {"-###",
                                                         "-Wa,",
                                                         "-Xassembler",
                                                         "-d",
                                                         "-fcompare-debug",
                                                         "-ffat-lto",
                                                         "-finput-charset",
                                                         "-flto",
                                                         "-frecord-",
                                                         "-g",
                                                         "-no-integrated-cpp",
                                                         "-pass-exit-codes",
                                                         "-time",
                                                         "-v"};

namespace {

/// A command of which words are replaced.
class Edited {
public:
  Edited(StringRef text, const Dryrun &dryrun) : text(text) {
    if (auto split = splitCommand(text, dryrun.variables))
      words = std::move(*split);
  }

  /// Empty if a quote is not closed.
  std::vector<CommandWord> words;

  /// \p replacement is a word for the shell; empty: the word goes.
  void replace(size_t index, std::string replacement) { edits[index] = std::move(replacement); }

  /// The text up to the end of the word at \p last.
  std::string upTo(size_t last) const {
    std::string out;
    size_t from = 0;
    for (const auto &[index, replacement] : edits) {
      StringRef between = text.slice(from, words[index].begin);
      out += replacement.empty() ? between.rtrim() : between;
      out += replacement;
      from = words[index].end;
    }
    out += text.slice(from, words[last].end);
    return out;
  }
  std::string whole() const {
    return words.empty()
               ? ""
               : fmt::format("{}{}", upTo(words.size() - 1), text.substr(words.back().end));
  }

private:
  StringRef text;
  std::map<size_t, std::string> edits;
};

/// Where the parts of a host compile lie among its words.
struct HostWords {
  size_t compile = 0, language = 0, source = 0, output = 0;
};

class HostSplitter {
public:
  HostSplitter(StepGraph &graph, const Dryrun &dryrun, StringRef folder)
      : graph(graph), dryrun(dryrun), folder(folder) {}

  void run();

private:
  StepGraph &graph;
  const Dryrun &dryrun;
  StringRef folder;
  std::vector<Step> steps;
  /// Of each step of the graph: the index among `steps` of the one that makes its outputs.
  std::vector<size_t> movedTo;

  std::string at(StringRef name) const {
    return support::shellWord(fmt::format("{}/{}", folder, name));
  }
  bool isGcc() const;
  std::optional<HostWords> wordsOf(const Edited &command) const;
  Step *fatbinaryOf(const Step &host, std::string &embedded);
  bool split(const Step &host);
  std::optional<Step> exampleOf(Step &fatbinary, StringRef embedded);
};

} // namespace

static bool hasOption(llvm::ArrayRef<CommandWord> words, StringRef option) {
  return llvm::any_of(
      words, [&](const CommandWord &word) { return StringRef(word.value).starts_with(option); });
}

/// Other compilers than GCC and Clang have names of their own; cudafe++ is told of Clang.
static bool mayBeGcc(StringRef program) {
  StringRef name = support::nameOf(program);
  return name == "c++" || name == "cc" || name.contains("g++") || name.contains("gcc");
}

bool HostSplitter::isGcc() const {
  return llvm::all_of(graph.steps, [&](const Step &step) {
    if (step.kind != StepKind::CudaFrontEnd)
      return true;
    Edited command(step.command, dryrun);
    return hasOption(command.words, "--gnu_version=") && !hasOption(command.words, "--clang");
  });
}

std::optional<HostWords> HostSplitter::wordsOf(const Edited &command) const {
  HostWords found;
  for (size_t i = 1; i < command.words.size(); ++i) {
    StringRef word = command.words[i].value;
    bool stays =
        llvm::any_of(unsplitOptions, [&](StringRef option) { return word.starts_with(option); });
    if (stays || !command.words[i].isKnown)
      return std::nullopt;
    if (word == "-c")
      found.compile = i;
    if (word == "-x")
      found.language = i + 1;
    if (word == "-o") {
      found.source = i - 1;
      found.output = i + 1;
    }
  }
  bool isWhole =
      found.compile && found.language && found.output && found.output < command.words.size();
  return isWhole ? std::optional(found) : std::nullopt;
}

/// The step whose output \p embedded is included by what \p host compiles.
Step *HostSplitter::fatbinaryOf(const Step &host, std::string &embedded) {
  for (Step &step : steps)
    for (const std::string &name : step.outputs)
      if (step.kind == StepKind::Fatbinary && llvm::is_contained(host.inputs, name)) {
        embedded = name;
        return &step;
      }
  return nullptr;
}

/// Gives \p fatbinary's C file another name, and returns the step that makes its like without
/// images.
std::optional<Step> HostSplitter::exampleOf(Step &fatbinary, StringRef embedded) {
  Edited real(fatbinary.command, dryrun), example(fatbinary.command, dryrun);
  bool hasImage = false, hasOutput = false;
  for (auto [i, word] : llvm::enumerate(real.words)) {
    StringRef value = word.value;
    if (value.consume_front("--image3=")) {
      StringRef arch = value.split(",sm=").second.split(',').first;
      if (arch.empty())
        return std::nullopt;
      example.replace(
          i, hasImage ? ""
                      : fmt::format("--image3=kind=ptx,sm={},file={}", arch, at(DataImage::name)));
      hasImage = true;
    } else if (value.starts_with("--create=")) {
      example.replace(i, "");
    } else if (value.starts_with("--embedded-fatbin=")) {
      real.replace(i, fmt::format("--embedded-fatbin={}", at(fmt::format("data-{}", embedded))));
      example.replace(i,
                      fmt::format("--embedded-fatbin={}", at(fmt::format("example-{}", embedded))));
      hasOutput = true;
    }
  }
  if (!hasImage || !hasOutput)
    return std::nullopt;
  Step step;
  step.kind = StepKind::Fatbinary;
  step.isAdded = true;
  step.name = fmt::format("example.{}", fatbinary.name);
  step.command = example.whole();
  step.program = fatbinary.program;
  step.outputs = {fmt::format("example-{}", embedded)};
  fatbinary.command = real.whole();
  for (std::string &name : fatbinary.outputs)
    if (name == embedded)
      name = fmt::format("data-{}", embedded);
  return step;
}

bool HostSplitter::split(const Step &host) {
  std::string embedded;
  Edited compile(host.command, dryrun), assemble(host.command, dryrun);
  auto words = wordsOf(compile);
  Step *fatbinary = fatbinaryOf(host, embedded);
  auto example = words && fatbinary ? exampleOf(*fatbinary, embedded) : std::nullopt;
  if (!example)
    return false;
  std::string assembly = fmt::format("{}.s", host.outputs.front()),
              data = fmt::format("{}.data.s", host.outputs.front());
  compile.replace(words->compile, "-S");
  compile.replace(words->output, at(assembly));
  assemble.replace(words->language, "assembler");
  assemble.replace(words->source, at(assembly));

  Step including;
  including.kind = StepKind::IncludeData;
  including.name = fmt::format("include.{}", host.outputs.front());
  including.inputs = example->outputs;
  including.outputs = {embedded};
  including.includedPath = fmt::format("{}/{}", folder, data);
  Step compiling = host;
  compiling.command = compile.whole();
  compiling.outputs = {assembly};
  Step extracting;
  extracting.kind = StepKind::ExtractData;
  extracting.name = fmt::format("data.{}", host.outputs.front());
  extracting.inputs = {fmt::format("data-{}", embedded), embedded};
  extracting.outputs = {data};
  Step assembling = host;
  assembling.kind = StepKind::HostAssemble;
  assembling.name = fmt::format("as.{}", host.outputs.front());
  assembling.command = assemble.upTo(words->output);
  assembling.inputs = {assembly, data};
  for (Step *step : {&*example, &including, &compiling, &extracting, &assembling})
    steps.push_back(std::move(*step));
  return true;
}

void HostSplitter::run() {
  if (!isGcc())
    return;
  for (const Step &step : graph.steps) {
    if (step.kind != StepKind::HostCompile || !mayBeGcc(step.program) || !split(step))
      steps.push_back(step);
    movedTo.push_back(steps.size() - 1);
  }
  for (Delivery &delivery : graph.deliveries)
    delivery.step = movedTo[delivery.step];
  graph.steps = std::move(steps);
}

void splitHostCompiles(StepGraph &graph, const Dryrun &dryrun, StringRef folder) {
  HostSplitter(graph, dryrun, folder).run();
}

} // namespace cudacc::plan
