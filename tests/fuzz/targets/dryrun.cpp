// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/graph/Dryrun.h"
#include "driver/ninja/graph/BuildFile.h"
#include "tests/fuzz/Input.h"
#include <set>

using namespace cudacc;

/// Ninja refuses a file that two steps make, and steps that wait for each other.
static void check(const ninja::StepGraph &graph) {
  std::set<std::string> made, names;
  for (const ninja::Step &step : graph.steps) {
    fuzz::expect(names.insert(step.name).second && !step.outputs.empty());
    for (const std::string &name : step.inputs)
      fuzz::expect(made.count(name));
    for (const std::string &name : step.outputs)
      fuzz::expect(made.insert(name).second);
  }
  for (const ninja::Delivery &delivery : graph.deliveries)
    fuzz::expect(delivery.step < graph.steps.size());
  std::vector<std::string> keys(graph.steps.size(), "key");
  ninja::buildFile(graph, keys, "/bin/cuda-cc --cudacc-step");
}

/// What `nvcc --dryrun` prints, as a graph of steps.
static void run(llvm::StringRef text) {
  ninja::Dryrun dryrun = ninja::readDryrun(text);
  ninja::DepfileRequest request;
  request.target = text.starts_with("#") ? "" : "a.o";
  if (auto graph = ninja::makeGraph(dryrun, request, "/build"))
    check(*graph);
  else
    fuzz::expect(!llvm::toString(graph.takeError()).empty() || !dryrun.commands.empty());
}

static const fuzz::Target target("dryrun", run);
