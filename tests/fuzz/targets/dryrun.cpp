// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/ninja/Dryrun.h"
#include "driver/plan/ninja/BuildFile.h"
#include "tests/fuzz/Input.h"
#include <set>

using namespace cudacc;

/// Ninja refuses a file that two steps make, and steps that wait for each other.
static void check(const plan::StepGraph &graph) {
  std::set<std::string> made, names;
  for (const plan::Step &step : graph.steps) {
    fuzz::expect(names.insert(step.name).second && !step.outputs.empty());
    for (const std::string &name : step.inputs)
      fuzz::expect(made.count(name));
    for (const std::string &name : step.outputs)
      fuzz::expect(made.insert(name).second);
  }
  for (const plan::Delivery &delivery : graph.deliveries)
    fuzz::expect(delivery.step < graph.steps.size());
  std::vector<std::string> keys(graph.steps.size(), "key");
  plan::buildFile(graph, keys, "/bin/cuda-cc --cudacc-step");
}

/// What `nvcc --dryrun` prints, as a graph of steps.
static void run(llvm::StringRef text) {
  plan::Dryrun dryrun = plan::readDryrun(text);
  plan::DepfileRequest request;
  request.target = text.starts_with("#") ? "" : "a.o";
  std::string unknown;
  if (auto graph = plan::makeGraph(dryrun, request, "/build", unknown))
    check(*graph);
  else
    fuzz::expect(!unknown.empty() || !dryrun.commands.empty());
}

static const fuzz::Target target("dryrun", run);
