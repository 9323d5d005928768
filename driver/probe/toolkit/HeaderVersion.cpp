// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/HeaderVersion.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;

static constexpr size_t firstLook = 16 << 10;
static constexpr size_t secondLook = 64 << 10;
static constexpr size_t mostRead = 16 << 20;

static bool consumeBlanks(llvm::StringRef &text) {
  size_t before = text.size();
  text = text.ltrim(" \t");
  return text.size() != before;
}

/// Returns the value if \p line is `# define MACRO ...`.
static std::optional<llvm::StringRef> definition(llvm::StringRef line, llvm::StringRef macro) {
  consumeBlanks(line);
  if (!line.consume_front("#"))
    return std::nullopt;
  consumeBlanks(line);
  if (!line.consume_front("define") || !consumeBlanks(line) || !line.consume_front(macro))
    return std::nullopt;
  line = line.rtrim('\r');
  if (!line.empty() && !consumeBlanks(line))
    return std::nullopt;
  return line;
}

/// Calls \p visit with the value of each definition of \p macro until it returns false.
static void eachDefinition(llvm::StringRef text, llvm::StringRef macro,
                           llvm::function_ref<bool(llvm::StringRef)> visit) {
  for (size_t at = text.find(macro); at != llvm::StringRef::npos;
       at = text.find(macro, at + macro.size())) {
    // The search for the line's start is bounded, as a line of megabytes may repeat the name.
    size_t from = at - std::min<size_t>(at, 256);
    size_t begin = text.slice(from, at).rfind('\n');
    if (begin == llvm::StringRef::npos && from)
      continue;
    begin = begin == llvm::StringRef::npos ? 0 : from + begin + 1;
    if (auto value = definition(text.slice(begin, text.find('\n', at)), macro))
      if (!visit(*value))
        return;
  }
}

std::optional<llvm::StringRef> definedNumber(llvm::StringRef text, llvm::StringRef macro) {
  std::optional<llvm::StringRef> digits;
  eachDefinition(text, macro, [&](llvm::StringRef value) {
    digits = value.take_while([](char c) { return c >= '0' && c <= '9'; });
    return false;
  });
  return digits;
}

HeaderVersion parseHeaderVersion(llvm::StringRef text, llvm::StringRef macro) {
  HeaderVersion version;
  version.problem = fmt::format("no {} in it", macro);
  eachDefinition(text, macro, [&](llvm::StringRef value) {
    version.saysCuda = true;
    llvm::StringRef digits = value.take_while([](char c) { return c >= '0' && c <= '9'; });
    if (digits.empty()) {
      version.problem = fmt::format("no {} with a number in it", macro);
      return true;
    }
    unsigned number;
    std::optional<CudaVersion> cuda;
    if (!digits.getAsInteger(10, number))
      cuda = CudaVersion::fromMacro(number);
    version.cuda = cuda.value_or(CudaVersion{});
    version.problem =
        cuda ? ""
             : fmt::format("{} is {}, which is not a CUDA release", macro, digits.take_front(16));
    return false;
  });
  return version;
}

/// The macros that the file defines: its version and its include guard.
struct HeaderNames {
  llvm::StringLiteral version, guard;
};

static HeaderNames namesOf(llvm::StringRef path) {
  if (nameOf(path) == "cuda.h")
    return {"CUDA_VERSION", "__cuda_cuda_h__"};
  return {"CUDART_VERSION", "__CUDA_RUNTIME_API_H__"};
}

HeaderVersion readHeaderVersion(llvm::StringRef path, Files &files) {
  HeaderVersion version;
  auto failed = [&](llvm::Error error) {
    version.problem = toFinding(std::move(error)).message;
    version.unreadable = true;
    return version;
  };
  auto file = files.open(path);
  if (!file)
    return failed(file.takeError());
  HeaderNames names = namesOf(path);
  std::string text;
  for (size_t wanted : {firstLook, secondLook, mostRead}) {
    size_t had = text.size();
    wanted = std::min<uint64_t>(wanted, std::max<uint64_t>((**file).size() + 1, firstLook));
    text.resize(wanted);
    auto got = (**file).readAt(had, {text.data() + had, wanted - had});
    if (!got)
      return failed(got.takeError());
    text.resize(had + *got);
    bool whole = text.size() < wanted;
    // The last line may be cut off within its number, so it is left for the next read.
    llvm::StringRef lines = text;
    if (!whole)
      lines = lines.take_front(lines.rfind('\n') + 1);
    version = parseHeaderVersion(lines, names.version);
    if (version.cuda.known())
      return version;
    version.unreadable = !whole;
    if (whole)
      break;
  }
  if (version.unreadable)
    version.problem = fmt::format("no {} in its first 16 MiB", names.version);
  eachDefinition(text, names.guard, [&](llvm::StringRef) {
    version.saysCuda = true;
    return false;
  });
  version.passesOn = llvm::StringRef(text).contains("include_next");
  return version;
}

} // namespace cudacc::probe
