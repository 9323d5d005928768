// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/init/Project.h"
#include "driver/plan/toolchain/DeclarationText.h"
#include "driver/support/Toml.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

/// A pyproject.toml, for which `init` proposes a runtime. What it appends is read.
static void run(llvm::StringRef text) {
  auto project = fuzz::valueOf(commands::readProject(text, "pyproject.toml"));
  if (!project)
    return;
  unsigned lines = 1 + text.count('\n');
  for (const commands::ProjectRequirement &each : project->requirements)
    fuzz::expect(!each.list.empty() && each.line <= lines);
  support::TextError error;
  auto before = support::readToml(text, error);
  if (!before || before->find("tool"))
    return;
  std::string more = plan::withLines(text, plan::declarationLines({"torch==2.5.1"}, true));
  auto after = support::readToml(more, error);
  fuzz::expect(after && after->find("tool") && llvm::StringRef(more).starts_with(text));
}

static const fuzz::Target target("project", run);
