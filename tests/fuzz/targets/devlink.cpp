// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/Job.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

/// What the program and its helper pass to each other. Bytes that are read are those written.
static void run(llvm::StringRef bytes) {
  std::string_view view(bytes.data(), bytes.size());
  if (auto job = devlink::decodeJob(view)) {
    fuzz::expect(devlink::encode(*job) == view);
    for (const devlink::JobInput &input : job->inputs)
      fuzz::expect(input.bytes.data()[input.bytes.size()] == '\0');
    for (const devlink::Link &link : job->links)
      for (uint32_t input : link.inputs)
        fuzz::expect(input < job->inputs.size());
  }
  if (auto reply = devlink::decodeReply(view))
    fuzz::expect(devlink::encode(*reply) == view);
}

static const fuzz::Target target("devlink", run);
