// SPDX-License-Identifier: Apache-2.0
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"

namespace cudacc::report {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static llvm::StringRef sourceWord(core::Word::Source source) {
  static constexpr llvm::StringLiteral words[] = {"argv", "response-file", "config-file", "prepend",
                                                  "append"};
  return versions::entryOf<core::Word::Source::Append>(words, source);
}

static Value wordJson(const core::Word &word) {
  Object out{{"text", fixed(word.text)}, {"from", sourceWord(word.source)}};
  if (word.source == core::Word::Source::Argv || word.source == core::Word::Source::ResponseFile)
    out["arg"] = word.arg;
  return out;
}

static Value includeJson(const core::IncludeDir &dir) {
  static constexpr llvm::StringLiteral kinds[] = {"quote", "angle", "system", "after"};
  return Object{{"path", fixed(dir.path)}, {"kind", kinds[static_cast<size_t>(dir.kind)]}};
}

static Value linkInputJson(const core::LinkInput &input) {
  return Object{{"kind", input.kind == core::LinkInput::Kind::File ? "file" : "library"},
                {"text", fixed(input.text)},
                {"word", input.word},
                {"shared", input.shared}};
}

static Value ownJson(const core::OwnOptions &own) {
  Object out;
  for (const core::KeyInfo &row : core::allKeys()) {
    llvm::ArrayRef<std::string> given = own[row.key];
    if (given.empty())
      continue;
    if (row.isList())
      out[row.name] = strings(given);
    else if (row.option == core::KeyInfo::Option::On)
      out[row.name] = true;
    else
      out[row.name] = fixed(given.back());
  }
  put(out, "print", own.print);
  if (own.help)
    out["help"] = true;
  return out;
}

/// The names of the flags that are set; most are not.
static Array switches(const core::Invocation &call) {
  const std::pair<bool, llvm::StringLiteral> all[] = {
      {call.verbose, "verbose"},
      {call.dryRun, "dry-run"},
      {call.danglingOption, "dangling-option"},
      {call.hasVariableFlags, "variable-flags"},
      {call.takesRecord, "takes-record"},
      {call.shared, "shared"},
      {call.staticLink, "static"},
      {call.nostdinc, "nostdinc"},
      {call.nostdlib, "nostdlib"},
      {call.freestanding, "freestanding"},
      {call.givesBuildId, "build-id"},
      {call.needsForwarding, "needs-forwarding"},
  };
  Array out;
  for (const auto &[on, name] : all)
    if (on)
      out.push_back(name);
  return out;
}

Value toJson(const core::Invocation &call) {
  Object out{{"schema", 1}, {"role", core::str(call.role)}};
  if (call.role == core::Role::Tool) {
    put(out, "tool", call.tool);
    out["args"] = strings(call.args);
    out["own"] = ownJson(call.own);
    return out;
  }
  out["dialect"] = core::str(call.dialect);
  out["kind"] = core::str(call.kind);
  out["launchers"] = strings(call.launchers);
  put(out, "compiler", call.compiler);
  out["args"] = strings(call.args);
  out["words"] = array(call.words, wordJson);
  out["own"] = ownJson(call.own);
  out["switches"] = switches(call);
  put(out, "output", call.output);
  out["includes"] = array(call.includes, includeJson);
  out["library_dirs"] = strings(call.libraryDirs);
  out["link_inputs"] = array(call.linkInputs, linkInputJson);
  out["sources"] = strings(call.sources);
  out["cuda_sources"] = call.cudaSources;
  put(out, "ccbin", call.ccbin);
  put(out, "cuda_path", call.cudaPath);
  out["rpaths"] = strings(call.rpaths);
  put(out, "linker", call.linkerName);
  put(out, "cudart", call.cudart);
  return out;
}

Value toJson(const core::LinkedLibrary &library) {
  Object out{{"word", library.word},
             {"archive", library.isArchive},
             {"stub", library.isStub},
             {"by_path_only", library.byPathOnly}};
  put(out, "spelled", library.spelled);
  put(out, "path", library.path);
  put(out, "soname", library.soname);
  put(out, "dist", library.dist);
  put(out, "version", library.version);
  put(out, "cuda", library.cuda);
  put(out, "evidence", library.evidence);
  put(out, "conflict", library.conflict);
  return out;
}

Value toJson(const core::Plan &plan) {
  const core::Command &command = plan.command;
  Object child{{"program", fixed(command.program)}, {"argv", strings(command.argv.strings())}};
  child["unset"] = strings(command.unset);
  child["set"] = array(command.set, [](const std::pair<std::string, std::string> &variable) {
    return fixed(fmt::format("{}={}", variable.first, variable.second));
  });
  Object out{{"schema", 1},
             {"command", std::move(child)},
             {"judges_output", plan.judgesOutput},
             {"reasons", strings(plan.reasons)}};
  auto pathOf = [](const auto &each) { return fixed(each.path); };
  putList(out, "directories", plan.directories, pathOf);
  putList(out, "kept", plan.kept, pathOf);
  putList(out, "files", plan.files, pathOf);
  return out;
}

} // namespace cudacc::report
