#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Fields.h"
#include "driver/core/Settings.h"
#include "driver/core/ShellWord.h"

namespace cudacc::core {

const std::string *ToolchainDirectory::compiler(llvm::StringRef name) const {
  for (const auto &[ours, real] : compilers)
    if (ours == name)
      return &real;
  return nullptr;
}

static bool isCxx(llvm::StringRef name) { return name.contains("++"); }

llvm::StringRef ToolchainDirectory::cName() const {
  for (const auto &[ours, real] : compilers)
    if (!isCxx(ours))
      return ours;
  return {};
}

llvm::StringRef ToolchainDirectory::cxxName() const {
  for (const auto &[ours, real] : compilers)
    if (isCxx(ours))
      return ours;
  return {};
}

/// Whether what the call that made the directory said holds over what is said now.
static bool isHeld(Key key, const Declaration &now, const Declaration &then) {
  using Kind = Origin::Kind;
  Kind said = originOf(key, then).kind;
  return said == Kind::Option ||
         (said == Kind::Variable && originOf(key, now).kind != Kind::Variable);
}

Declaration ToolchainDirectory::over(Declaration now) const {
#define SETTING(Id, Field, ...)                                                                    \
  if (isHeld(Key::Id, now, declaration))                                                           \
    now.Field = declaration.Field;
#include "driver/core/settings.def"
  return now;
}

static std::string kindText(Origin::Kind kind) { return std::to_string(int(kind)); }

/// A declaration that was only touched is the same; its digest says when it is another.
static bool isIdentity(const ToolchainDirectory::Input &input) {
  using Kind = ToolchainDirectory::Input::Kind;
  return input.kind == Kind::Compiler || input.kind == Kind::Toolkit;
}

static void writeInput(FieldWriter &out, const ToolchainDirectory::Input &input) {
  const FileId &id = input.id;
  out.line({"input", ToolchainDirectory::Input::kinds[size_t(input.kind)], id.path,
            std::to_string(id.device), std::to_string(id.inode), std::to_string(id.size),
            std::to_string(id.mtime)});
}

std::string ToolchainDirectory::serialise() const {
  FieldWriter out;
  if (!fingerprint.empty())
    out.line({"fingerprint", fingerprint});
  if (!madeAt.empty())
    out.line({"made-at", madeAt});
  for (const Input &input : inputs)
    if (!isIdentity(input))
      writeInput(out, input);
  return identity() + out.take();
}

std::string ToolchainDirectory::identity() const {
  FieldWriter out;
  out.line({magic, form, anonymous ? "anonymous" : "named"});
  for (const KeyInfo &row : allKeys())
    for (const Setting<std::string> &each : valuesOf(row.key, declaration))
      // Not being required is no setting that a call could contradict.
      if (each.origin && (row.key != Key::Require || declaration.require.value))
        out.line({row.name, kindText(each.origin.kind), each.origin.name,
                  std::to_string(each.origin.line), each.value});
  out.line({"declaration-file", declarationFile});
  out.line({"nvcc", nvcc});
  for (const auto &[ours, real] : compilers)
    out.line({"compiler", ours, real});
  if (!driver.empty())
    out.line({"driver", driver});
  if (!machine.empty())
    out.line({"machine", machine});
  if (!program.empty())
    out.line({"program", program});
  if (!declarationDigest.empty())
    out.line({"declaration-digest", declarationDigest});
  for (const std::string &word : madeWith)
    out.line({"made-with", word});
  for (const Input &input : inputs)
    if (isIdentity(input))
      writeInput(out, input);
  return out.take();
}

std::string ToolchainDirectory::remake() const {
  std::string command = "cuda-cc toolchain " + shellWord(path);
  for (const std::string &option : madeWith)
    command += " " + shellWord(option);
  return command;
}

} // namespace cudacc::core
