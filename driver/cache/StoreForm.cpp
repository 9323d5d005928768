#include "driver/cache/StoreForm.h"
#include <charconv>

namespace cudacc::cache {

using namespace core;
using namespace support;

static constexpr llvm::StringLiteral toolkitMagic = "cuda-cc-toolkit 3";
static constexpr llvm::StringLiteral hostMagic = "cuda-cc-host 2";

void writeInput(FieldWriter &out, const FileId &id) {
  out.line({"input", id.path, std::to_string(id.device), std::to_string(id.inode),
            std::to_string(id.size), std::to_string(id.mtime)});
}

template <typename T> static bool readNumber(const std::string &text, T &number) {
  const char *end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end;
}

std::optional<FileId> readInput(llvm::ArrayRef<std::string> fields) {
  FileId id;
  id.path = fields[1];
  if (!readNumber(fields[2], id.device) || !readNumber(fields[3], id.inode) ||
      !readNumber(fields[4], id.size) || !readNumber(fields[5], id.mtime))
    return std::nullopt;
  return id;
}

void writeProblem(FieldWriter &out, const Finding &problem) {
  out.line({"problem", std::to_string(int(problem.code)), std::to_string(int(problem.severity)),
            problem.message, problem.library, problem.symbol, problem.origin});
  for (const Fact &fact : problem.facts)
    out.line({"fact", fact.label, fact.text});
  for (const std::string &fix : problem.fixes)
    out.line({"fix", fix});
}

static bool readFinding(Finding &problem, llvm::ArrayRef<std::string> fields) {
  uint16_t code = 0;
  uint8_t severity = 0;
  if (!readNumber(fields[1], code) || !readNumber(fields[2], severity) ||
      severity > uint8_t(Severity::Error) || !parseCode(fields[1]))
    return false;
  problem.code = Code(code);
  problem.severity = Severity(severity);
  problem.message = fields[3];
  problem.library = fields[4];
  problem.symbol = fields[5];
  problem.origin = fields[6];
  return true;
}

bool readProblem(std::vector<Finding> &problems, llvm::ArrayRef<std::string> fields) {
  llvm::StringRef key = fields[0];
  if (key == "problem" && fields.size() == 7)
    return readFinding(problems.emplace_back(), fields);
  if (problems.empty())
    return false;
  if (key == "fact" && fields.size() == 3)
    problems.back().facts.push_back({fields[1], fields[2]});
  else if (key == "fix" && fields.size() == 2)
    problems.back().fixes.push_back(fields[1]);
  else
    return false;
  return true;
}

void writeAll(FieldWriter &out, llvm::StringRef key, llvm::ArrayRef<std::string> values) {
  for (const std::string &value : values)
    out.line({key, value});
}

std::string serialise(const Toolkit &toolkit) {
  FieldWriter out(toolkitMagic);
  out.line({"nvcc", toolkit.nvcc});
  out.line({"driver", toolkit.driver});
  out.line({"root", toolkit.root});
  out.line({"layout", std::to_string(int(toolkit.layout))});
  for (const Component &part : toolkit.components)
    out.line({"part", part.name, part.path, std::to_string(part.cuda.major),
              std::to_string(part.cuda.minor), part.version, part.evidence});
  writeAll(out, "include", toolkit.includeDirs);
  writeAll(out, "system", toolkit.systemIncludeDirs);
  writeAll(out, "library", toolkit.libraryDirs);
  writeAll(out, "path", toolkit.pathDirs);
  writeAll(out, "conflict", toolkit.conflicts);
  for (const FileId &id : toolkit.inputs)
    writeInput(out, id);
  return out.take();
}

static bool readToolkitLine(Toolkit &toolkit, llvm::ArrayRef<std::string> fields) {
  llvm::StringRef key = fields[0];
  if (key == "part" && fields.size() == 7) {
    Component part{fields[1], fields[2], {}, fields[5], fields[6]};
    toolkit.components.push_back(part);
    return !llvm::StringRef(fields[3]).getAsInteger(10, toolkit.components.back().cuda.major) &&
           !llvm::StringRef(fields[4]).getAsInteger(10, toolkit.components.back().cuda.minor);
  }
  if (key == "input" && fields.size() == 6) {
    auto id = readInput(fields);
    if (id)
      toolkit.inputs.push_back(std::move(*id));
    return id.has_value();
  }
  if (fields.size() != 2)
    return false;
  const std::string &value = fields[1];
  if (key == "nvcc")
    toolkit.nvcc = value;
  else if (key == "driver")
    toolkit.driver = value;
  else if (key == "root")
    toolkit.root = value;
  else if (key == "layout") {
    int layout = 0;
    if (llvm::StringRef(value).getAsInteger(10, layout))
      return false;
    toolkit.layout = ToolkitLayout(layout);
  } else if (key == "include")
    toolkit.includeDirs.push_back(value);
  else if (key == "system")
    toolkit.systemIncludeDirs.push_back(value);
  else if (key == "library")
    toolkit.libraryDirs.push_back(value);
  else if (key == "path")
    toolkit.pathDirs.push_back(value);
  else if (key == "conflict")
    toolkit.conflicts.push_back(value);
  return true;
}

std::optional<Toolkit> parseToolkit(llvm::StringRef text) {
  Toolkit toolkit;
  bool good = readKept(text, toolkitMagic, [&](llvm::ArrayRef<std::string> fields) {
    return readToolkitLine(toolkit, fields);
  });
  if (!good || toolkit.inputs.empty())
    return std::nullopt;
  return toolkit;
}

std::string serialise(const HostCompiler &compiler) {
  FieldWriter out(hostMagic);
  out.line({"path", compiler.path});
  out.line({"family", compiler.family});
  out.line({"version", compiler.version});
  out.line({"machine", compiler.machine});
  writeAll(out, "c", compiler.cIncludes);
  writeAll(out, "c++", compiler.cxxIncludes);
  writeAll(out, "library", compiler.libraryDirs);
  out.line({"library-path-at", std::to_string(compiler.libraryPathAt)});
  for (const FileId &id : compiler.inputs)
    writeInput(out, id);
  return out.take();
}

static bool readHostLine(HostCompiler &compiler, llvm::ArrayRef<std::string> fields) {
  llvm::StringRef key = fields[0];
  if (key == "input" && fields.size() == 6) {
    auto id = readInput(fields);
    if (id)
      compiler.inputs.push_back(std::move(*id));
    return id.has_value();
  }
  if (fields.size() != 2)
    return false;
  const std::string &value = fields[1];
  if (key == "path")
    compiler.path = value;
  else if (key == "family")
    compiler.family = value;
  else if (key == "version")
    compiler.version = value;
  else if (key == "machine")
    compiler.machine = value;
  else if (key == "c")
    compiler.cIncludes.push_back(value);
  else if (key == "c++")
    compiler.cxxIncludes.push_back(value);
  else if (key == "library")
    compiler.libraryDirs.push_back(value);
  else if (key == "library-path-at")
    return !llvm::StringRef(value).getAsInteger(10, compiler.libraryPathAt);
  return true;
}

std::optional<HostCompiler> parseHostCompiler(llvm::StringRef text) {
  HostCompiler compiler;
  bool good = readKept(text, hostMagic, [&](llvm::ArrayRef<std::string> fields) {
    return readHostLine(compiler, fields);
  });
  if (!good || compiler.inputs.empty())
    return std::nullopt;
  return compiler;
}

} // namespace cudacc::cache
