#include "driver/probe/HeaderVersion.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/Paths.h"

namespace cudacc::probe {

using namespace core;

static constexpr size_t firstLook = 16 << 10;
static constexpr size_t mostRead = 64 << 10;

static bool consumeBlanks(llvm::StringRef &text) {
  size_t before = text.size();
  text = text.ltrim(" \t");
  return text.size() != before;
}

/// The digits when \p line is `# define MACRO digits`.
static std::optional<llvm::StringRef> definition(llvm::StringRef line, llvm::StringRef macro) {
  consumeBlanks(line);
  if (!line.consume_front("#"))
    return std::nullopt;
  consumeBlanks(line);
  if (!line.consume_front("define") || !consumeBlanks(line) || !line.consume_front(macro) ||
      !consumeBlanks(line))
    return std::nullopt;
  llvm::StringRef digits = line.take_while([](char c) { return c >= '0' && c <= '9'; });
  if (digits.empty())
    return std::nullopt;
  return digits;
}

HeaderVersion parseHeaderVersion(llvm::StringRef text, llvm::StringRef macro) {
  for (size_t at = text.find(macro); at != llvm::StringRef::npos;
       at = text.find(macro, at + macro.size())) {
    size_t begin = text.rfind('\n', at);
    begin = begin == llvm::StringRef::npos ? 0 : begin + 1;
    auto digits = definition(text.slice(begin, text.find('\n', at)), macro);
    if (!digits)
      continue;
    unsigned value;
    std::optional<CudaVersion> cuda;
    if (!digits->getAsInteger(10, value))
      cuda = CudaVersion::fromMacro(value);
    if (!cuda)
      return {{}, (macro + " is " + digits->take_front(16) + ", which is no CUDA release").str()};
    return {*cuda, ""};
  }
  return {{}, ("no " + macro + " in it").str()};
}

HeaderVersion readHeaderVersion(llvm::StringRef path, Files &files) {
  llvm::StringRef macro = nameOf(path) == "cuda.h" ? "CUDA_VERSION" : "CUDART_VERSION";
  auto file = files.open(path);
  if (!file)
    return {{}, takeFinding(file.takeError()).message};
  std::string text;
  HeaderVersion version;
  for (size_t wanted : {firstLook, mostRead}) {
    size_t had = text.size();
    text.resize(wanted);
    auto got = (**file).readAt(had, {text.data() + had, wanted - had});
    if (!got)
      return {{}, takeFinding(got.takeError()).message};
    text.resize(had + *got);
    bool whole = text.size() < wanted;
    // A line cut at the end of the first look could show half a number.
    llvm::StringRef lines = text;
    if (!whole)
      lines = lines.take_front(lines.rfind('\n') + 1);
    version = parseHeaderVersion(lines, macro);
    if (version.cuda.known() || whole)
      return version;
  }
  return version;
}

} // namespace cudacc::probe
