// SPDX-License-Identifier: Apache-2.0
#include "driver/config/Config.h"
#include "driver/config/ActiveEnvironment.h"
#include "driver/config/ConfigFile.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "driver/versions/PlaceRequirement.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::config {

using namespace core;
using namespace support;

static GivenKeys fromOptions(const OwnOptions &own) {
  GivenKeys given;
  for (const KeyInfo &row : allKeys())
    for (const std::string &value : own[row.key])
      given[size_t(row.key)].push_back({value, {Origin::Kind::Option, row.optionName()}});
  return given;
}

static GivenKeys fromVariables(const Environment &env) {
  GivenKeys given;
  for (const KeyInfo &row : allKeys()) {
    if (row.variable.empty())
      continue;
    llvm::SmallVector<llvm::StringRef, 4> parts = {env.getOr(row.variable)};
    if (row.isList())
      std::exchange(parts, {})[0].split(parts, ';');
    for (llvm::StringRef part : parts)
      if (!part.trim().empty())
        given[size_t(row.key)].push_back(
            {part.trim().str(), {Origin::Kind::Variable, row.variable.str()}});
  }
  return given;
}

static std::string withoutBlanks(std::string text) {
  llvm::erase_if(text, [](char c) { return llvm::isSpace(c); });
  return text;
}

static llvm::Error checkBaked(Key key, const Declaration &said, const Declaration &baked) {
  Origin origin = originOf(key, baked);
  if (info(key).scope == KeyInfo::Scope::Call || !origin || origin.kind == Origin::Kind::Default ||
      withoutBlanks(valueOf(key, said)) == withoutBlanks(valueOf(key, baked)))
    return llvm::Error::success();
  std::string asked = originOf(key, said).str();
  return makeError(
      Code::ContradictsBaked, asked + " contradicts the toolchain directory",
      {{asked, valueOf(key, said)},
       {"baked in", fmt::format("{} = {}", info(key).name, valueOf(key, baked))},
       {"from", origin.str()}},
      {fmt::format("leave {} away", asked), "make a toolchain directory with the other setting"});
}

/// The toolchain directory's declaration, overridden by options and variables.
static llvm::Expected<Declaration> overBaked(const GivenKeys &options, const GivenKeys &variables,
                                             const Declaration &baked) {
  Declaration declaration = baked;
  for (const KeyInfo &row : allKeys()) {
    for (const GivenKeys *source : {&variables, &options}) {
      const Given &given = (*source)[size_t(row.key)];
      if (given.empty())
        continue;
      Declaration said;
      if (llvm::Error error = apply(row.key, given, said))
        return error;
      if (llvm::Error error = checkBaked(row.key, said, baked))
        return error;
      if (llvm::Error error = apply(row.key, given, declaration))
        return error;
    }
  }
  return declaration;
}

static void nameEnvironment(std::string &requirement, const Environment &env, Files &files) {
  if (auto prefix = llvm::expectedToOptional(activeEnvironment(env, files)))
    requirement = "env:" + *prefix;
}

std::string declarationText(const Declaration &declaration) {
  std::string text = declaration.file;
  for (const KeyInfo &row : allKeys()) {
    Origin origin = originOf(row.key, declaration);
    if (origin && origin.kind != Origin::Kind::Default)
      text += fmt::format("\n{}={}", row.name, valueOf(row.key, declaration));
  }
  return text;
}

std::vector<Finding> SearchNotes::findings() const {
  std::vector<Finding> all;
  for (const std::string &path : passedBy) {
    Finding finding;
    finding.code = Code::UntrustedDeclaration;
    finding.severity = Severity::Warning;
    finding.message = "a declaration in a shared directory is ignored";
    finding.facts = {{"file", path},
                     {"because", "everybody can put a file there (sticky and world-writable)"}};
    finding.fixes = {"move it into a directory of your own", "cuda-cc trust " + shellWord(path)};
    all.push_back(std::move(finding));
  }
  return all;
}

/// The runtime of the next file above \p config that declares one, if that file does not: a member
/// of a workspace has keys of its own, and runs on what the workspace runs on (F28).
static llvm::Expected<std::optional<ConfigFile>>
inheritRuntime(const std::optional<ConfigFile> &config, Files &files, support::Trust &trust,
               std::vector<std::string> *passedBy) {
  constexpr size_t at = size_t(Key::Runtime);
  std::optional<ConfigFile> found;
  for (const ConfigFile *below = config ? &*config : nullptr; below && below->given[at].empty();
       below = found ? &*found : nullptr) {
    llvm::StringRef folder = parentOf(below->path);
    if (folder == "/")
      return std::nullopt;
    if (llvm::Error error =
            findConfigFile(parentOf(folder), files, trust, passedBy).moveInto(found))
      return error;
  }
  if (found)
    for (size_t other = 0; other < keyCount; ++other)
      if (other != at)
        found->given[other].clear();
  return found;
}

llvm::Expected<Declaration> readDeclaration(const OwnOptions &own, const Environment &env,
                                            Files &files, const Declaration *baked, unsigned uid,
                                            llvm::StringRef from, SearchNotes *notes) {
  GivenKeys options = fromOptions(own), variables = fromVariables(env);
  for (GivenKeys *source : {&options, &variables}) {
    for (Setting<std::string> &each : (*source)[size_t(Key::Facts)])
      each.value = resolvePathAgainst(each.value, files.workingDirectory(), files);
    for (Setting<std::string> &each : (*source)[size_t(Key::Runtime)])
      each.value = resolveAgainst(each.value, files.workingDirectory(), files);
  }
  // A directory records the environment that was active when it was created.
  if (baked)
    for (GivenKeys *source : {&options, &variables})
      for (Setting<std::string> &each : (*source)[size_t(Key::Runtime)])
        if (auto place = versions::PlaceRequirement::parse(each.value); place && place->isActive)
          nameEnvironment(each.value, env, files);
  if (baked)
    return overBaked(options, variables, *baked);

  support::Trust trust(files, env, uid);
  auto config = findConfigFile(from.empty() ? files.workingDirectory() : from.str(), files, trust,
                               notes ? &notes->passedBy : nullptr);
  if (!config)
    return config.takeError();
  auto inherited = inheritRuntime(*config, files, trust, notes ? &notes->passedBy : nullptr);
  if (!inherited)
    return inherited.takeError();
  Declaration declaration;
  for (const KeyInfo &row : allKeys()) {
    size_t at = size_t(row.key);
    // Values that are overridden are still checked: an option must not hide a typo in a file.
    for (const Given *given :
         {*inherited ? &(**inherited).given[at] : nullptr,
          *config ? &(**config).given[at] : nullptr, &variables[at], &options[at]})
      if (given && !given->empty())
        if (llvm::Error error = apply(row.key, *given, declaration))
          return error;
  }
  if (notes)
    notes->required = declaration.require.value;
  if (!*config)
    return declaration;
  ConfigFile &file = **config;
  declaration.file = file.path;
  for (ConfigFile *each : {&file, *inherited ? &**inherited : nullptr}) {
    if (!each)
      continue;
    // Values that are overridden need no trust.
    for (size_t at = 0; at < keyCount; ++at)
      if (!variables[at].empty() || !options[at].empty())
        each->given[at].clear();
    if (auto refused = refuse(each->given, each->path, each->status, env, files, trust))
      return makeError(std::move(*refused));
  }
  return declaration;
}

} // namespace cudacc::config
