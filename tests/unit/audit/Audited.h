// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/audit/Audit.h"
#include "gmock/gmock.h"
#include <map>

namespace cudacc::test {

/// A short description of a build and its surroundings. Programs below /td/bin are cuda-cc, with
/// the toolchain directory /td, which is for torch==2.7.0.
struct Audited {
  audit::BuildModel model;
  std::map<std::string, audit::ProgramFacts> programs;
  std::map<std::string, audit::Artefact> artefacts;
  std::string runtime;

  Audited() {
    model.build = "/b";
    model.source = "/s";
    model.isDescribed = model.hasCommands = true;
    for (const char *name : {"nvcc", "g++", "cuda-cc"}) {
      audit::ProgramFacts &facts = programs["/td/bin/" + std::string(name)];
      facts.exists = facts.isOurs = true;
      facts.directory = "/td";
      facts.runtime = "torch==2.7.0";
    }
    for (const char *path : {"/usr/bin/c++", "/usr/bin/g++", "/cuda/bin/nvcc"})
      programs[path].exists = true;
    model.toolchains.push_back({"CUDA", "/td/bin/nvcc", "13.0.88", "/td/bin/g++", "/td"});
    model.toolchains.push_back({"CXX", "/usr/bin/c++", "12.2.0", "", ""});
  }

  /// A shared library of CUDA and C++, as built by cuda-cc.
  size_t library(const std::string &name, const std::string &language = "CUDA") {
    audit::BuildTarget target;
    target.name = name;
    target.type = audit::TargetType::Shared;
    target.language = language;
    target.artefacts = {"/b/lib" + name + ".so"};
    target.place = {"/s/CMakeLists.txt", unsigned(model.targets.size() + 5)};
    if (language == "CUDA")
      target.groups.push_back({"CUDA", {"/s/k.cu"}});
    model.targets.push_back(target);
    return model.targets.size() - 1;
  }
  audit::BuildCommand &command(size_t target, audit::BuildCommand::Kind kind,
                               std::vector<std::string> programs) {
    audit::BuildCommand command;
    command.kind = kind;
    command.isCuda = kind != audit::BuildCommand::Kind::Link;
    command.programs = std::move(programs);
    command.target = target;
    command.output = kind == audit::BuildCommand::Kind::Link
                         ? model.targets[target].artefacts[0]
                         : "/b/" + model.targets[target].name + ".o";
    model.commands.push_back(command);
    return model.commands.back();
  }
  /// A file in the build tree: linked by cuda-cc for \p spec; null: not by cuda-cc.
  core::BinaryFacts &artefact(const std::string &path, const char *spec = "torch==2.7.0") {
    core::BinaryFacts &facts = artefacts[path].facts;
    facts = {};
    facts.path = path;
    facts.kind = core::BinaryKind::SharedObject;
    facts.needed = {"libcudart.so.12", "libc.so.6"};
    if (spec) {
      core::LinkRecord link;
      link.targetSpec = spec;
      link.targetLibs["libcudart.so.12"] = "12.6.77";
      facts.manifest.links.push_back(link);
    }
    return facts;
  }
  /// Everything: compile, link and artefact, all correct.
  size_t good(const std::string &name) {
    size_t index = library(name);
    command(index, audit::BuildCommand::Kind::Compile, {"/td/bin/nvcc"});
    command(index, audit::BuildCommand::Kind::Link, {"/td/bin/g++"});
    artefact("/b/lib" + name + ".so");
    return index;
  }

  core::AuditReport report() {
    auto program = [this](llvm::StringRef path) -> const audit::ProgramFacts & {
      return programs[path.str()];
    };
    auto artefact = [this](llvm::StringRef path) -> const audit::Artefact * {
      auto found = artefacts.find(path.str());
      return found == artefacts.end() ? nullptr : &found->second;
    };
    auto portable = [](llvm::StringRef text) { return text.str(); };
    auto fixes = [](audit::FixKind remedy, llvm::StringRef directory) {
      return std::vector<std::string>{std::to_string(int(remedy)) + " " + directory.str()};
    };
    auto shown = [](llvm::StringRef path) { return path.str(); };
    return audit::audit(model, {program, artefact, portable, fixes, shown, runtime});
  }
  /// `CC6003 mixed link /s/CMakeLists.txt:5`.
  std::vector<std::string> findings() {
    std::vector<std::string> out;
    for (const core::AuditFinding &row : report().findings)
      out.push_back(core::str(row.finding.code) + " " + (row.target.empty() ? "-" : row.target) +
                    " " + row.step + (row.file.empty() ? "" : " " + row.file + ":") +
                    (row.line ? std::to_string(row.line) : ""));
    return out;
  }
};

inline bool advises(const core::AuditFinding &row, audit::FixKind remedy) {
  return row.finding.fixes.at(0).starts_with(std::to_string(int(remedy)) + " ");
}

inline std::string factOf(const core::Finding &finding, llvm::StringRef label) {
  for (const core::Fact &fact : finding.facts)
    if (fact.label == label)
      return fact.text;
  return "";
}

} // namespace cudacc::test
