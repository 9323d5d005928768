#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Fields.h"
#include "driver/core/ShellWord.h"
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

/// A list is one setting.
template <typename T>
static void take(std::vector<Setting<T>> &now, const std::vector<Setting<T>> &then) {
  Setting<bool> isThen{false, now.empty() ? Origin{} : now.front().origin};
  take(isThen, {true, then.empty() ? Origin{} : then.front().origin});
  if (isThen.value)
    now = then;
}

Declaration ToolchainDirectory::over(Declaration now) const {
  const Declaration &then = declaration;
  take(now.runtime, then.runtime);
  take(now.enforce, then.enforce);
  take(now.require, then.require);
  take(now.toolkit, then.toolkit);
  take(now.hostCompiler, then.hostCompiler);
  take(now.launcher, then.launcher);
  Setting<Layout> layout = now.layout;
  take(layout, then.layout);
  if (layout.origin.kind != now.layout.origin.kind)
    now.systemPath = then.systemPath;
  now.layout = layout;
  take(now.installDir, then.installDir);
  take(now.dtags, then.dtags);
  take(now.facts, then.facts);
  take(now.severity, then.severity);
  take(now.waive, then.waive);
  take(now.assumeForwardCompatibility, then.assumeForwardCompatibility);
  take(now.strict, then.strict);
  take(now.develop, then.develop);
  take(now.manifest, then.manifest);
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

/// A declaration that was only touched is the same; its digest says when it is another.
static bool isIdentity(const ToolchainDirectory::Input &input) {
  using Kind = ToolchainDirectory::Input::Kind;
  return input.kind == Kind::Compiler || input.kind == Kind::Toolkit;
}

static constexpr llvm::StringLiteral inputKinds[] = {"declaration", "compiler", "toolkit",
                                                     "environment"};

static void writeInput(FieldWriter &out, const ToolchainDirectory::Input &input) {
  const FileId &id = input.id;
  out.line({"input", inputKinds[size_t(input.kind)], id.path, std::to_string(id.device),
            std::to_string(id.inode), std::to_string(id.size), std::to_string(id.mtime)});
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
  auto setting = [&](llvm::StringRef key, const Origin &origin, llvm::StringRef value) {
    out.line({key, kindText(origin.kind), origin.name, std::to_string(origin.line), value});
  };
  for (const Setting<std::string> &each : declaration.runtime)
    setting("runtime", each.origin, each.value);
  setting("enforce", declaration.enforce.origin, str(declaration.enforce.value));
  if (declaration.require.value)
    setting("require", declaration.require.origin, "1");
  setting("toolkit", declaration.toolkit.origin, declaration.toolkit.value);
  if (!declaration.hostCompiler.value.empty())
    setting("host-compiler", declaration.hostCompiler.origin, declaration.hostCompiler.value);
  for (const Setting<std::string> &each : declaration.launcher)
    setting("launcher", each.origin, each.value);
  if (declaration.installDir)
    setting("install-dir", declaration.installDir->origin, declaration.installDir->value);
  setting("layout", declaration.layout.origin, str(declaration.layout.value));
  if (!declaration.systemPath.empty())
    setting("system-path", declaration.layout.origin, declaration.systemPath);
  if (declaration.dtags)
    setting("dtags", declaration.dtags->origin, str(declaration.dtags->value));
  if (!declaration.facts.value.empty())
    setting("facts", declaration.facts.origin, declaration.facts.value);
  for (const Setting<SeverityChange> &each : declaration.severity)
    setting("severity", each.origin, each.value.str());
  for (const Setting<Waiver> &each : declaration.waive)
    setting("waive", each.origin, each.value.str());
  auto flag = [&](llvm::StringRef key, const Setting<bool> &value) {
    if (value.origin)
      setting(key, value.origin, value.value ? "1" : "0");
  };
  flag("assume-forward-compatibility", declaration.assumeForwardCompatibility);
  flag("strict", declaration.strict);
  if (declaration.develop)
    flag("develop", *declaration.develop);
  if (declaration.manifest.origin)
    setting("manifest", declaration.manifest.origin, str(declaration.manifest.value));
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

/// Ours, and so understood; a waiver or severity that is not is no override.
template <typename T>
static void readOverride(std::vector<Setting<T>> &list, llvm::StringRef text, Origin origin) {
  if (auto parsed = T::parse(text))
    list.push_back({std::move(*parsed), std::move(origin)});
  else
    llvm::consumeError(parsed.takeError());
}

static void readOverrides(Declaration &declaration, llvm::StringRef key, const std::string &value,
                          Origin origin) {
  if (key == "severity")
    readOverride(declaration.severity, value, std::move(origin));
  else if (key == "waive")
    readOverride(declaration.waive, value, std::move(origin));
  else if (key == "assume-forward-compatibility")
    declaration.assumeForwardCompatibility = {value == "1", std::move(origin)};
  else if (key == "strict")
    declaration.strict = {value == "1", std::move(origin)};
  else if (key == "develop")
    declaration.develop = {value == "1", std::move(origin)};
  else if (key == "manifest")
    declaration.manifest = {llvm::StringSwitch<ManifestMode>(value)
                                .Case("always", ManifestMode::Always)
                                .Case("never", ManifestMode::Never)
                                .Default(ManifestMode::Declared),
                            std::move(origin)};
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
  else if (key == "host-compiler")
    declaration.hostCompiler = {value, origin};
  else if (key == "launcher")
    declaration.launcher.push_back({value, origin});
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
  else if (key == "facts")
    declaration.facts = {value, origin};
  else if (key == "dtags")
    declaration.dtags = {value == "runpath" ? Dtags::Runpath : Dtags::Rpath, origin};
  else
    readOverrides(declaration, key, value, std::move(origin));
}

static void readInput(ToolchainDirectory &directory, llvm::ArrayRef<std::string> fields) {
  for (size_t kind = 0; kind < std::size(inputKinds); ++kind) {
    if (inputKinds[kind] != fields[1])
      continue;
    FileId id;
    id.path = fields[2];
    bool bad = llvm::StringRef(fields[3]).getAsInteger(10, id.device);
    bad |= llvm::StringRef(fields[4]).getAsInteger(10, id.inode);
    bad |= llvm::StringRef(fields[5]).getAsInteger(10, id.size);
    bad |= llvm::StringRef(fields[6]).getAsInteger(10, id.mtime);
    // One that cannot be read is never the same as what is there now.
    directory.inputs.push_back({ToolchainDirectory::Input::Kind(kind), bad ? FileId{} : id});
  }
}

static void readText(ToolchainDirectory &directory, llvm::StringRef key, const std::string &value) {
  if (key == "nvcc")
    directory.nvcc = value;
  else if (key == "declaration-file")
    directory.declarationFile = value;
  else if (key == "driver")
    directory.driver = value;
  else if (key == "machine")
    directory.machine = value;
  else if (key == "program")
    directory.program = value;
  else if (key == "declaration-digest")
    directory.declarationDigest = value;
  else if (key == "made-with")
    directory.madeWith.push_back(value);
  else if (key == "fingerprint")
    directory.fingerprint = value;
  else if (key == "made-at")
    directory.madeAt = value;
}

std::string ToolchainDirectory::remake() const {
  std::string command = "cuda-cc toolchain " + shellWord(path);
  for (const std::string &option : madeWith)
    command += " " + shellWord(option);
  return command;
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
    else if (fields.size() == 7 && fields[0] == "input")
      readInput(directory, fields);
    else if (fields.size() == 2)
      readText(directory, fields[0], fields[1]);
    return true;
  });
  if (!good || first)
    return std::nullopt;
  directory.declaration.file = directory.declarationFile;
  return directory;
}

} // namespace cudacc::core
