// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/graph/StepFiles.h"
#include "driver/support/Paths.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::ninja {

using llvm::StringRef;
using Role = FileWord::Role;

namespace {
/// What an option of a program of the toolkit names.
struct OptionRow {
  StepKind kind;
  llvm::StringLiteral option;
  enum { In, Out, Name, ModuleId, Text, Arch } value;
};
} // namespace

/// An option that ends in `=` has its value in the same word; of --image3 it is what follows
/// `file=`.
static constexpr OptionRow optionRows[] = {
    {StepKind::CudaFrontEnd, "--gen_c_file_name", OptionRow::Out},
    {StepKind::CudaFrontEnd, "--stub_file_name", OptionRow::Name},
    {StepKind::CudaFrontEnd, "--module_id_file_name", OptionRow::ModuleId},
    {StepKind::CudaFrontEnd, "--orig_src_file_name", OptionRow::Text},
    {StepKind::CudaFrontEnd, "--orig_src_path_name", OptionRow::Text},
    {StepKind::DeviceCompile, "-arch", OptionRow::Arch},
    {StepKind::DeviceCompile, "--include_file_name", OptionRow::Name},
    {StepKind::DeviceCompile, "--module_id_file_name", OptionRow::ModuleId},
    {StepKind::DeviceCompile, "--gen_c_file_name", OptionRow::Out},
    {StepKind::DeviceCompile, "--stub_file_name", OptionRow::Out},
    {StepKind::DeviceCompile, "--gen_device_file_name", OptionRow::Out},
    {StepKind::DeviceCompile, "--orig_src_file_name", OptionRow::Text},
    {StepKind::DeviceCompile, "--orig_src_path_name", OptionRow::Text},
    {StepKind::DeviceCompile, "-nvvmir-library", OptionRow::In},
    {StepKind::DeviceCompile, "-olto", OptionRow::Out},
    {StepKind::DeviceCompile, "-o", OptionRow::Out},
    {StepKind::Assemble, "-arch=", OptionRow::Arch},
    {StepKind::Assemble, "-o", OptionRow::Out},
    {StepKind::Fatbinary, "--create=", OptionRow::Out},
    {StepKind::Fatbinary, "--embedded-fatbin=", OptionRow::Out},
    {StepKind::Fatbinary, "--image3=", OptionRow::In},
    {StepKind::Fatbinary, "--ident=", OptionRow::Text},
    {StepKind::Fatbinary, "--cmdline=", OptionRow::Text},
    {StepKind::Fatbinary, "--cicc-cmdline=", OptionRow::Text},
};

/// Beginnings of options of host compilers that read or write files which no depfile names, write
/// the name of the output into it, or write none.
static constexpr llvm::StringLiteral otherFiles[] = {
    "-M",
    "-Wp,",
    "-Wa,-a",
    "-S",
    "-P",
    "-aux-info",
    "-coverage",
    "--coverage",
    "-dumpbase",
    "-dumpdir",
    "-fauto-profile",
    "-fbranch-probabilities",
    "-fcallgraph-info",
    "-fdump-",
    "-fmodule",
    "-fopt-info",
    "-foptimization-record",
    "-fplugin",
    "-fprofile-",
    "-fsave-optimization-record",
    "-fstack-usage",
    "-fsyntax-only",
    "-ftest-coverage",
    "-ftime-trace",
    "-gsplit-dwarf",
    "-save-temps",
    "--save-temps",
    "-specs",
    "-wrapper",
};

static std::optional<StepKind> toolkitProgram(StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, StepKind> programs[] = {
      {"cudafe++", StepKind::CudaFrontEnd},
      {"cicc", StepKind::DeviceCompile},
      {"ptxas", StepKind::Assemble},
      {"fatbinary", StepKind::Fatbinary},
  };
  for (const auto &[program, kind] : programs)
    if (name == program)
      return kind;
  return std::nullopt;
}

/// The host compiler's command ends in `SOURCE -o OUTPUT`.
static std::optional<StepFiles> hostFiles(llvm::ArrayRef<CommandWord> words) {
  StepFiles step;
  size_t count = words.size();
  auto has = [&](StringRef option) {
    return llvm::any_of(words, [&](const CommandWord &word) { return word.value == option; });
  };
  bool preprocesses = has("-E");
  if (count < 5 || words[count - 2].value != "-o" || preprocesses == has("-c"))
    return std::nullopt;
  step.kind = preprocesses ? StepKind::Preprocess : StepKind::HostCompile;
  bool isKnownLanguage = false;
  for (size_t i = 1; i + 3 < count; ++i) {
    StringRef word = words[i].value;
    if (word.starts_with("@") ||
        llvm::any_of(otherFiles, [&](StringRef option) { return word.starts_with(option); }))
      return std::nullopt;
    if (word == "-x")
      isKnownLanguage = words[i + 1].value == "c++" || words[i + 1].value == "c";
    if (preprocesses && word.consume_front("-D__CUDA_ARCH__="))
      step.arch = word.str();
  }
  for (size_t i : {count - 3, count - 1})
    if (!words[i].isKnown || StringRef(words[i].value).starts_with("-"))
      return std::nullopt;
  step.files = {{Role::In, count - 3}, {Role::Out, count - 1}};
  return isKnownLanguage ? std::optional(std::move(step)) : std::nullopt;
}

namespace {
/// Reads the command of a program of the toolkit.
class ToolkitCommand {
public:
  ToolkitCommand(StepKind kind, llvm::ArrayRef<CommandWord> words) : words(words) {
    step.kind = kind;
  }

  std::optional<StepFiles> read() {
    for (size_t i = 1; i < words.size(); ++i)
      if (!words[i].isKnown)
        return std::nullopt;
    std::optional<size_t> input = findInput();
    for (size_t i = 1; i < words.size(); ++i)
      if (input && i == *input)
        step.files.push_back({Role::In, i});
      else if (!readOption(i))
        return std::nullopt;
    return std::move(step);
  }

private:
  llvm::ArrayRef<CommandWord> words;
  StepFiles step;

  StringRef valueOf(size_t i) const { return words[i].value; }

  std::optional<size_t> findInput() const {
    if (step.kind == StepKind::CudaFrontEnd)
      return words.size() - 1;
    for (size_t i = words.size(); i-- > 1;) {
      bool isInput =
          step.kind == StepKind::DeviceCompile
              ? valueOf(i).ends_with(".ii")
              : step.kind == StepKind::Assemble && i + 1 < words.size() && valueOf(i + 1) == "-o";
      if (isInput)
        return i;
    }
    return std::nullopt;
  }

  /// Reads the option at \p i and steps to its value.
  bool readOption(size_t &i) {
    StringRef word = valueOf(i);
    for (const OptionRow &row : optionRows) {
      if (row.kind != step.kind)
        continue;
      bool isJoined = row.option.ends_with("=");
      if (isJoined ? word.starts_with(row.option) : word == row.option && i + 1 < words.size())
        return take(row, isJoined ? i : ++i, isJoined ? row.option.size() : 0);
    }
    bool isOption = word.starts_with("-");
    return !word.starts_with("@") && !word.contains('/') && !word.contains("tmpxft_") &&
           !(isOption && (word.contains("options-file") || word.starts_with("-optf")));
  }

  bool take(const OptionRow &row, size_t i, size_t offset) {
    if (row.value == OptionRow::Text)
      return true;
    if (row.value == OptionRow::Arch) {
      step.arch = valueOf(i).drop_front(offset).str();
      return true;
    }
    if (row.option == "--image3=") {
      size_t file = valueOf(i).find(",file=");
      if (file == StringRef::npos)
        return false;
      offset = file + 6;
    }
    Role role = row.value == OptionRow::Out    ? Role::Out
                : row.value == OptionRow::Name ? Role::Name
                                               : Role::In;
    if (row.value == OptionRow::ModuleId && llvm::any_of(words, [](const CommandWord &word) {
          return word.value == "--gen_module_id_file";
        }))
      role = Role::Out;
    step.files.push_back({role, i, offset});
    return true;
  }
};
} // namespace

/// `AR cr ARCHIVE MEMBER...`, where AR may be what the host compiler names.
static std::optional<StepFiles> archiveFiles(llvm::ArrayRef<CommandWord> words) {
  if (words.size() < 4 || words[1].value != "cr")
    return std::nullopt;
  StepFiles step;
  step.kind = StepKind::Archive;
  for (size_t i = 2; i < words.size(); ++i) {
    if (!words[i].isKnown)
      return std::nullopt;
    step.files.push_back({i == 2 ? Role::Out : Role::In, i});
  }
  return step;
}

std::optional<StepFiles> findFiles(llvm::ArrayRef<CommandWord> words) {
  if (words.empty())
    return std::nullopt;
  StringRef program = words[0].value;
  if (program.contains("-print-prog-name=ar") || support::nameOf(program) == "ar")
    return archiveFiles(words);
  if (!words[0].isKnown)
    return std::nullopt;
  if (auto kind = toolkitProgram(support::nameOf(program)))
    return ToolkitCommand(*kind, words).read();
  return hostFiles(words);
}

} // namespace cudacc::ninja
