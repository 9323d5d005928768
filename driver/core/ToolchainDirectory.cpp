#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Fields.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::core {

static constexpr llvm::StringLiteral magic = "cuda-cc-toolchain";
static constexpr llvm::StringLiteral form = "1";

const std::string *ToolchainDirectory::compiler(llvm::StringRef name) const {
  for (const auto &[ours, real] : compilers)
    if (ours == name)
      return &real;
  return nullptr;
}

template <typename T> static void take(Setting<T> &now, const Setting<T> &then) {
  using Kind = Origin::Kind;
  bool ours = then.origin.kind == Kind::Option ||
              (then.origin.kind == Kind::Variable && now.origin.kind != Kind::Variable);
  if (ours)
    now = then;
}

template <typename T>
static void take(std::optional<Setting<T>> &now, const std::optional<Setting<T>> &then) {
  if (!then)
    return;
  Setting<T> current = now.value_or(Setting<T>{});
  take(current, *then);
  if (current.origin)
    now = current;
}

Declaration ToolchainDirectory::over(Declaration now) const {
  const Declaration &then = declaration;
  Setting<bool> has{false, now.declared() ? now.runtime.front().origin : Origin{}};
  Setting<bool> had{true, then.declared() ? then.runtime.front().origin : Origin{}};
  take(has, had);
  if (has.value)
    now.runtime = then.runtime;
  take(now.enforce, then.enforce);
  take(now.require, then.require);
  take(now.toolkit, then.toolkit);
  Setting<Layout> layout = now.layout;
  take(layout, then.layout);
  if (layout.origin.kind != now.layout.origin.kind)
    now.systemPath = then.systemPath;
  now.layout = layout;
  take(now.installDir, then.installDir);
  take(now.dtags, then.dtags);
  return now;
}

static std::string kindText(Origin::Kind kind) { return std::to_string(int(kind)); }

static Origin readOrigin(llvm::ArrayRef<std::string> fields) {
  Origin origin;
  int kind = 0;
  llvm::StringRef(fields[0]).getAsInteger(10, kind);
  origin.kind = Origin::Kind(kind);
  origin.name = fields[1];
  llvm::StringRef(fields[2]).getAsInteger(10, origin.line);
  return origin;
}

std::string ToolchainDirectory::serialise() const {
  FieldWriter out;
  out.line({magic, form, anonymous ? "anonymous" : "named"});
  auto setting = [&](llvm::StringRef key, const Origin &origin, llvm::StringRef value) {
    out.line({key, kindText(origin.kind), origin.name, std::to_string(origin.line), value});
  };
  for (const Setting<std::string> &each : declaration.runtime)
    setting("runtime", each.origin, each.value);
  setting("enforce", declaration.enforce.origin, str(declaration.enforce.value));
  if (declaration.require.value)
    setting("require", declaration.require.origin, "1");
  setting("toolkit", declaration.toolkit.origin, declaration.toolkit.value);
  if (declaration.installDir)
    setting("install-dir", declaration.installDir->origin, declaration.installDir->value);
  setting("layout", declaration.layout.origin, str(declaration.layout.value));
  if (!declaration.systemPath.empty())
    setting("system-path", declaration.layout.origin, declaration.systemPath);
  if (declaration.dtags)
    setting("dtags", declaration.dtags->origin, str(declaration.dtags->value));
  out.line({"declaration-file", declarationFile});
  out.line({"nvcc", nvcc});
  for (const auto &[ours, real] : compilers)
    out.line({"compiler", ours, real});
  return out.take();
}

static void readSetting(Declaration &declaration, llvm::ArrayRef<std::string> fields) {
  llvm::StringRef key = fields[0];
  Origin origin = readOrigin(fields.slice(1, 3));
  const std::string &value = fields[4];
  if (key == "runtime")
    declaration.runtime.push_back({value, origin});
  else if (key == "enforce")
    declaration.enforce = {llvm::StringSwitch<Enforce>(value)
                               .Case("symbols", Enforce::Symbols)
                               .Case("warn", Enforce::Warn)
                               .Case("off", Enforce::Off)
                               .Default(Enforce::Toolkit),
                           origin};
  else if (key == "require")
    declaration.require = {true, origin};
  else if (key == "toolkit")
    declaration.toolkit = {value, origin};
  else if (key == "install-dir")
    declaration.installDir = {value, origin};
  else if (key == "layout")
    declaration.layout = {llvm::StringSwitch<Layout>(value)
                              .Case("system", Layout::System)
                              .Case("conda", Layout::Conda)
                              .Case("none", Layout::None)
                              .Default(Layout::Wheels),
                          origin};
  else if (key == "system-path")
    declaration.systemPath = value;
  else if (key == "dtags")
    declaration.dtags = {value == "runpath" ? Dtags::Runpath : Dtags::Rpath, origin};
}

std::optional<ToolchainDirectory> ToolchainDirectory::parse(llvm::StringRef text) {
  ToolchainDirectory directory;
  bool first = true;
  bool good = readFields(text, [&](llvm::ArrayRef<std::string> fields) {
    if (first) {
      first = false;
      directory.anonymous = fields.size() == 3 && fields[2] == "anonymous";
      return fields.size() == 3 && fields[0] == magic && fields[1] == form;
    }
    if (fields.size() == 5)
      readSetting(directory.declaration, fields);
    else if (fields.size() == 3 && fields[0] == "compiler")
      directory.compilers.emplace_back(fields[1], fields[2]);
    else if (fields.size() == 2 && fields[0] == "nvcc")
      directory.nvcc = fields[1];
    else if (fields.size() == 2 && fields[0] == "declaration-file")
      directory.declarationFile = fields[1];
    return true;
  });
  if (!good || first)
    return std::nullopt;
  return directory;
}

} // namespace cudacc::core
