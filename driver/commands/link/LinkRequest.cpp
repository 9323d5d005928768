// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/link/LinkRequest.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using llvm::StringRef;

namespace {

/// What the driver's linker does with an option.
enum class OnDriver : uint8_t { Has, Lacks, Ignores };
enum class Takes : uint8_t { Nothing, Number, Bool, List };

/// An option that is passed on (LD-9).
struct PassedOption {
  StringRef name, nvJitLink;
  Takes takes;
  OnDriver driver;
};

} // namespace

static constexpr PassedOption passedOptions[] = {
    {"-g", "-g", Takes::Nothing, OnDriver::Has},
    {"--lineinfo", "-lineinfo", Takes::Nothing, OnDriver::Has},
    {"--verbose", "-verbose", Takes::Nothing, OnDriver::Has},
    {"--maxrregcount", "-maxrregcount", Takes::Number, OnDriver::Has},
    {"--optimize", "-O", Takes::Number, OnDriver::Has},
    {"--time", "-time", Takes::Nothing, OnDriver::Lacks},
    {"--ptxas-options", "-Xptxas", Takes::List, OnDriver::Lacks},
    {"--split-compile", "-split-compile", Takes::Number, OnDriver::Lacks},
    {"--split-compile-extended", "-split-compile-extended", Takes::Number, OnDriver::Lacks},
    {"--kernels-used", "-kernels-used", Takes::List, OnDriver::Ignores},
    {"--variables-used", "-variables-used", Takes::List, OnDriver::Ignores},
    {"--optimize-unused-variables", "-optimize-unused-variables", Takes::Nothing,
     OnDriver::Ignores},
    {"--ftz", "-ftz", Takes::Bool, OnDriver::Ignores},
    {"--prec-div", "-prec-div", Takes::Bool, OnDriver::Ignores},
    {"--prec-sqrt", "-prec-sqrt", Takes::Bool, OnDriver::Ignores},
    {"--fmad", "-fma", Takes::Bool, OnDriver::Ignores},
};

StringRef str(LinkEmit emit) {
  static constexpr llvm::StringLiteral words[] = {"cubin", "ptx", "ltoir", "fatbin"};
  return versions::entryOf<LinkEmit::Fatbin>(words, emit);
}

bool isIgnoredByDriver(StringRef option) {
  StringRef name = option.split('=').first;
  return llvm::any_of(passedOptions, [&](const PassedOption &each) {
    return each.nvJitLink == name && each.driver == OnDriver::Ignores;
  });
}

static llvm::Error badValue(StringRef name, StringRef wanted, StringRef value) {
  return usageError(fmt::format("{} is {}, not '{}'", name, wanted, value));
}

/// Appends the option as nvJitLink spells it.
static llvm::Error translate(const PassedOption &option, StringRef value, LinkRequest &request) {
  unsigned number = 0;
  switch (option.takes) {
  case Takes::Nothing:
    request.options.push_back(option.nvJitLink.str());
    return llvm::Error::success();
  case Takes::Number:
    if (value.getAsInteger(10, number))
      return badValue(option.name, "a number", value);
    if (option.name == "--optimize" && number != 0 && number != 3)
      return badValue(option.name, "0 or 3", value);
    request.options.push_back(option.name == "--optimize"
                                  ? fmt::format("-O{}", number)
                                  : fmt::format("{}={}", option.nvJitLink, number));
    return llvm::Error::success();
  case Takes::Bool:
    if (value != "true" && value != "false")
      return badValue(option.name, "true or false", value);
    request.options.push_back(fmt::format("{}={}", option.nvJitLink, value == "true" ? 1 : 0));
    return llvm::Error::success();
  case Takes::List:
    for (StringRef each : llvm::split(value, ',')) {
      if (each.empty())
        return badValue(option.name, "a list separated by commas", value);
      request.options.push_back(fmt::format("{}={}", option.nvJitLink, each));
    }
    return llvm::Error::success();
  }
  return llvm::Error::success();
}

static llvm::Error readArchs(StringRef value, LinkRequest &request) {
  for (StringRef each : llvm::split(value, ',')) {
    auto arch = versions::Arch::parse(each);
    if (!arch || !each.starts_with("sm_"))
      return badValue("--arch", "sm_90 or a list like sm_80,sm_90a", value);
    if (!llvm::is_contained(request.archs, *arch))
      request.archs.push_back(*arch);
  }
  return llvm::Error::success();
}

template <typename T>
static llvm::Error readWord(StringRef name, StringRef value,
                            llvm::ArrayRef<std::pair<StringRef, T>> words, T &target) {
  for (const auto &[word, meaning] : words)
    if (word == value) {
      target = meaning;
      return llvm::Error::success();
    }
  std::string all;
  for (size_t i = 0; i != words.size(); ++i) {
    all += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    all += words[i].first;
  }
  return badValue(name, all, value);
}

static llvm::Error readOption(StringRef name, StringRef value, LinkRequest &request) {
  using policy::LinkBackend;
  using policy::LinkPolicy;
  if (name == "-o" || name == "--output") {
    request.output = value.str();
    return value.empty() ? badValue(name, "the name of a file", value) : llvm::Error::success();
  }
  if (name == "--arch")
    return readArchs(value, request);
  if (name == "--emit")
    return readWord<LinkEmit>(name, value,
                              {{"cubin", LinkEmit::Cubin},
                               {"ptx", LinkEmit::Ptx},
                               {"ltoir", LinkEmit::LtoIr},
                               {"fatbin", LinkEmit::Fatbin}},
                              request.emit);
  if (name == "--backend")
    return readWord<std::optional<LinkBackend>>(name, value,
                                                {{"auto", std::nullopt},
                                                 {"nvjitlink", LinkBackend::NvJitLink},
                                                 {"driver", LinkBackend::Driver}},
                                                request.backend);
  if (name == "--policy")
    return readWord<LinkPolicy>(name, value,
                                {{"direction-aware", LinkPolicy::DirectionAware},
                                 {"cuda-core-1911", LinkPolicy::CudaCore1911}},
                                request.policy);
  request.lto |= name == "--lto";
  request.explains |= name == "--explain";
  request.times |= name == "--time";
  const auto *passed =
      llvm::find_if(passedOptions, [&](const PassedOption &option) { return option.name == name; });
  if (passed == std::end(passedOptions))
    return llvm::Error::success();
  if (passed->driver == OnDriver::Lacks)
    request.onlyNvJitLink.push_back(name.str());
  if (passed->driver == OnDriver::Ignores)
    request.ignoredByDriver.push_back(name.str());
  return translate(*passed, value, request);
}

static bool isSingle(LinkEmit emit) { return emit == LinkEmit::Ptx || emit == LinkEmit::LtoIr; }

llvm::Error setArchs(LinkRequest &request, std::vector<versions::Arch> archs) {
  if (isSingle(request.emit) && archs.size() > 1)
    return usageError(
        fmt::format("--emit {} takes one --arch, not {}", str(request.emit), archs.size()));
  if (archs.size() > 1)
    request.emit = LinkEmit::Fatbin;
  request.archs = std::move(archs);
  return llvm::Error::success();
}

std::string outputOf(const LinkRequest &request) {
  return request.output.empty() ? fmt::format("a.{}", str(request.emit)) : request.output;
}

llvm::Expected<LinkRequest> readLinkRequest(const LinkArguments &arguments) {
  LinkRequest request;
  request.inputs = arguments.words;
  for (const auto &[name, value] : arguments.kept)
    if (llvm::Error error = readOption(name, value, request))
      return error;
  if (request.inputs.empty())
    return core::makeError(core::Code::Usage, "cuda-cc link takes files", {},
                           {"cuda-cc link --arch sm_90 -o kernels.cubin a.o b.o"});
  if (llvm::count(request.inputs, "-") > 1)
    return usageError("stdin can be one input only");
  if (llvm::Error error = setArchs(request, std::move(request.archs)))
    return error;
  // Linked PTX and LTO-IR exist only with link-time optimisation.
  request.lto |= isSingle(request.emit);
  return request;
}

} // namespace cudacc::commands
