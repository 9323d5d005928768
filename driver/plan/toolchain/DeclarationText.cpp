#include "driver/plan/toolchain/DeclarationText.h"
#include "driver/versions/Format.h"

namespace cudacc::plan {

/// A basic string of TOML.
static std::string quoted(llvm::StringRef text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    if (c < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", c);
      continue;
    }
    if (c == '"' || c == '\\')
      out += '\\';
    out += char(c);
  }
  return out + "\"";
}

std::string runtimeLine(llvm::ArrayRef<std::string> runtime) {
  if (runtime.size() == 1)
    return fmt::format("runtime = {}\n", quoted(runtime.front()));
  std::string list;
  for (const std::string &each : runtime)
    list += (list.empty() ? "" : ", ") + quoted(each);
  return fmt::format("runtime = [{}]\n", list);
}

std::string withOwnTable(llvm::StringRef text, llvm::StringRef lines) {
  size_t first = text.find('\n');
  llvm::StringRef end =
      first != llvm::StringRef::npos && first > 0 && text[first - 1] == '\r' ? "\r\n" : "\n";
  std::string out = text.str();
  if (!text.empty() && !text.ends_with("\n"))
    out += end;
  if (!text.empty())
    out += end;
  std::string added = fmt::format("[tool.cuda-cc]\n{}", lines);
  for (char c : added)
    if (c == '\n')
      out += end;
    else
      out += c;
  return out;
}

} // namespace cudacc::plan
