// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/graph/StepGraph.h"
#include "driver/probe/toolkit/HeaderVersion.h"
#include "driver/probe/toolkit/TorchRelease.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

/// Preprocessed text, of which a depfile is made, headers, and torch's version.py.
static void run(llvm::StringRef text) {
  ninja::DepfileRequest request{"a.o", true, false};
  std::string all = ninja::depfileText({text.str()}, "a.cu", request);
  fuzz::expect(ninja::depfileText({text.str(), text.str()}, "a.cu", request) == all);
  request.withoutSystem = true;
  fuzz::expect(ninja::depfileText({text.str()}, "a.cu", request).size() <= all.size());
  for (llvm::StringRef macro : {"CUDA_VERSION", "CUDART_VERSION"}) {
    auto header = probe::parseHeaderVersion(text, macro);
    fuzz::expect(header.cuda.known() || !header.problem.empty());
    probe::definedNumber(text, macro);
  }
  probe::assignedInPython(text, "__version__");
  probe::assignedInPython(text, "cuda");
}

static const fuzz::Target target("preprocessed", run);
