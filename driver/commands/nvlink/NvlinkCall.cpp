// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/nvlink/NvlinkCall.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <variant>

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

namespace {

using Text = std::string NvlinkCall::*;
using List = std::vector<std::string> NvlinkCall::*;
using Flag = bool NvlinkCall::*;
/// The option of nvJitLink with the same meaning; with a value it ends in `=`.
struct Passed {
  llvm::StringLiteral option;
};
/// Has no effect on what nvJitLink writes.
struct Ignored {};
/// Why nvJitLink cannot do it.
struct Refused {
  llvm::StringLiteral because;
};
struct ArchOption {};
struct OptionFile {};

enum class Value : uint8_t { None, One, List };

struct NvlinkOption {
  llvm::StringLiteral name, shortName;
  Value value;
  std::variant<Text, List, Flag, Passed, Ignored, Refused, ArchOption, OptionFile> meaning;
};

constexpr llvm::StringLiteral documented = "nvJitLink documents no counterpart of it";

/// The documented options of nvlink 12.0 to 13.5, and `--host-ccbin` and `--shared`, which
/// nvcc 13.0 passes, too: they change nothing in the result.
constexpr NvlinkOption options[] = {
    {"Ofast-compile", "Ofc", Value::One, Refused{documented}},
    {"Xnvvm", "", Value::List, Refused{documented}},
    {"Xptxas", "", Value::List, Passed{"-Xptxas="}},
    {"arch", "", Value::One, ArchOption{}},
    {"cpu-arch", "", Value::One, Ignored{}},
    {"debug", "g", Value::None, Passed{"-g"}},
    {"device-stack-protector", "", Value::None, Refused{documented}},
    {"disable-infos", "", Value::None, &NvlinkCall::hidesInfos},
    {"disable-warnings", "w", Value::None, &NvlinkCall::hidesWarnings},
    {"dlto", "", Value::None, &NvlinkCall::lto},
    {"dump-callgraph", "", Value::None, Refused{"nvJitLink writes no call graph"}},
    {"dump-callgraph-no-demangle", "", Value::None, Refused{"nvJitLink writes no call graph"}},
    {"emit-ptx", "", Value::None, &NvlinkCall::emitPtx},
    {"extra-warnings", "extrawarn", Value::None, Refused{"nvJitLink has no extra warnings"}},
    {"gen-host-linker-script", "ghls", Value::One, &NvlinkCall::linksNothing},
    {"help", "h", Value::None, &NvlinkCall::linksNothing},
    {"host-ccbin", "", Value::One, Ignored{}},
    {"ignore-host-info", "", Value::None, &NvlinkCall::ignoresReferences},
    {"keep-system-libraries", "", Value::None, Refused{documented}},
    {"kernels-used", "", Value::List, Passed{"-kernels-used="}},
    {"library", "l", Value::List, &NvlinkCall::libraries},
    {"library-path", "L", Value::List, &NvlinkCall::folders},
    {"link-time-opt", "lto", Value::None, &NvlinkCall::lto},
    {"machine", "m", Value::One, Ignored{}},
    {"maxrregcount", "", Value::One, Passed{"-maxrregcount="}},
    {"nvvmpath", "", Value::One, Ignored{}},
    {"options-file", "optf", Value::List, OptionFile{}},
    {"output-file", "o", Value::One, &NvlinkCall::output},
    {"preserve-relocs", "", Value::None, Refused{documented}},
    {"register-link-binaries", "", Value::One, &NvlinkCall::registerFile},
    {"relocatable-link", "r", Value::None, Refused{"its result is linked once more by nvlink"}},
    {"report-arch", "", Value::None, Ignored{}},
    {"shared", "", Value::None, Ignored{}},
    {"split-compile", "", Value::One, Passed{"-split-compile="}},
    {"split-compile-extended", "", Value::One, Passed{"-split-compile-extended="}},
    {"suppress-arch-warning", "", Value::None, &NvlinkCall::hidesArchWarning},
    {"suppress-debug-info", "", Value::None, Refused{documented}},
    {"suppress-stack-size-warning", "", Value::None, Ignored{}},
    {"time", "", Value::One, Refused{"nvJitLink writes no table of times"}},
    {"uidx-file", "uidx", Value::One, Refused{documented}},
    {"use-host-info", "", Value::None, Ignored{}},
    {"variables-used", "", Value::List, Passed{"-variables-used="}},
    {"verbose", "v", Value::None, Passed{"-verbose"}},
    {"version", "V", Value::None, &NvlinkCall::linksNothing},
    {"warning-as-error", "Werror", Value::None, Refused{"nvJitLink has no such option"}},
};

llvm::Error refuse(StringRef option, StringRef because) {
  return makeError(
      Code::Usage, fmt::format("the runtime's device linker has no {}", option),
      {{"because", because.str()}},
      {"leave the option away", "link with the toolkit's nvlink: device-linker = \"nvlink\""});
}

/// An option as written: `-o x`, `-o=x`, `--output-file=x`, `-lcudadevrt`.
struct Written {
  const NvlinkOption *option = nullptr;
  StringRef name;
  std::optional<StringRef> value;
};

std::optional<Written> find(StringRef word) {
  StringRef bare = word;
  bare.consume_front("-");
  bare.consume_front("-");
  auto [name, value] = bare.split('=');
  for (const NvlinkOption &option : options)
    if (name == option.name || (!option.shortName.empty() && name == option.shortName))
      return Written{&option, word.take_until([](char c) { return c == '='; }),
                     name.size() == bare.size() ? std::nullopt : std::optional(value)};
  // `-L/x` and `-m64`: the value follows the letter.
  for (const NvlinkOption &option : options)
    if (option.value != Value::None && option.shortName.size() == 1 &&
        bare.starts_with(option.shortName) && !word.starts_with("--"))
      return Written{&option, word.take_front(2), bare.drop_front()};
  return std::nullopt;
}

class Reader {
public:
  using ReadFile = llvm::function_ref<llvm::Expected<std::string>(StringRef)>;
  explicit Reader(ReadFile readFile) : readFile(readFile) {}

  llvm::Error read(llvm::ArrayRef<StringRef> words);
  NvlinkCall call;

private:
  ReadFile readFile;
  /// Option files in option files.
  unsigned depth = 0;

  llvm::Error apply(const NvlinkOption &option, StringRef name, StringRef value);
  llvm::Error readOptionFile(StringRef path);
};

/// Values of a list are separated by commas; nvcc joins those of -Xptxas by blanks.
std::vector<std::string> split(StringRef value, const NvlinkOption &option) {
  llvm::SmallVector<StringRef> parts;
  if (option.value == Value::List)
    llvm::SplitString(value, parts, option.name == "Xptxas" ? ", " : ",");
  else
    parts.push_back(value);
  return {parts.begin(), parts.end()};
}

llvm::Error Reader::readOptionFile(StringRef path) {
  constexpr unsigned deepest = 16;
  if (++depth > deepest)
    return makeError(Code::Usage, "option files of nvlink include one another without end",
                     {{"file", path.str()}});
  auto text = readFile(path);
  if (!text)
    return text.takeError();
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(*text, words, " \t\n\r");
  if (llvm::Error error = read(words))
    return error;
  --depth;
  return llvm::Error::success();
}

llvm::Error Reader::apply(const NvlinkOption &option, StringRef name, StringRef value) {
  if (const Refused *refused = std::get_if<Refused>(&option.meaning))
    return refuse(name, refused->because);
  if (const Flag *flag = std::get_if<Flag>(&option.meaning))
    call.**flag = true;
  else if (const Text *text = std::get_if<Text>(&option.meaning))
    call.**text = value.str();
  else if (const List *list = std::get_if<List>(&option.meaning))
    llvm::append_range(call.**list, split(value, option));
  else if (const Passed *passed = std::get_if<Passed>(&option.meaning))
    for (const std::string &each : split(value, option))
      call.options.push_back(fmt::format("{}{}", passed->option, each));
  else if (std::holds_alternative<OptionFile>(option.meaning))
    for (const std::string &path : split(value, option))
      if (llvm::Error error = readOptionFile(path))
        return error;
  if (!std::holds_alternative<ArchOption>(option.meaning))
    return llvm::Error::success();
  auto arch = versions::Arch::parse(value);
  if (!arch || !value.starts_with("sm_"))
    return refuse(fmt::format("{}={}", name, value), "it links for one GPU architecture sm_N");
  call.arch = *arch;
  return llvm::Error::success();
}

llvm::Error Reader::read(llvm::ArrayRef<StringRef> words) {
  for (size_t i = 0; i != words.size(); ++i) {
    StringRef word = words[i];
    if (!word.starts_with("-")) {
      call.files.push_back(word.str());
      continue;
    }
    auto written = find(word);
    if (!written)
      return refuse(word, "it is no option of nvlink that is known here");
    bool takesValue = written->option->value != Value::None;
    if (takesValue && !written->value) {
      if (i + 1 == words.size())
        return makeError(Code::Usage, fmt::format("nvlink's {} needs a value", word));
      written->value = words[++i];
    }
    if (!takesValue && written->value)
      return makeError(Code::Usage, fmt::format("nvlink's {} takes no value", written->name));
    if (llvm::Error error =
            apply(*written->option, written->name, written->value.value_or(StringRef())))
      return error;
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<NvlinkCall>
readNvlinkCall(llvm::ArrayRef<StringRef> arguments,
               llvm::function_ref<llvm::Expected<std::string>(StringRef path)> readFile) {
  Reader reader(readFile);
  if (llvm::Error error = reader.read(arguments))
    return error;
  if (!reader.call.linksNothing && !reader.call.arch.known())
    return makeError(Code::Usage, "nvlink was called without --arch");
  return std::move(reader.call);
}

std::string registerText(llvm::ArrayRef<std::string> modules) {
  std::string text = fmt::format("#define NUM_PRELINKED_OBJECTS {}\n", modules.size());
  for (const std::string &module : modules)
    text += fmt::format("DEFINE_REGISTER_FUNC({})\n", module);
  return text;
}

} // namespace cudacc::commands
