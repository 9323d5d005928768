// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/coherence/Guard.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Drivers.h"
#include "driver/versions/Format.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using tables::Works;

const TargetLibrary *nvJitLinkOf(const Target &target) {
  return target.find(fmt::format("libnvJitLink.so.{}", target.line.major));
}

bool takesLtoIr(CudaVersion producer, CudaVersion consumer) {
  Works measured = tables::nvJitLinkTakes(ImageKind::LtoIr, producer, consumer);
  if (measured != Works::Unknown)
    return measured == Works::Yes;
  if (producer.major == consumer.major)
    return producer <= consumer;
  return producer < consumer &&
         tables::majorsWork(ImageKind::LtoIr, producer.major, consumer.major);
}

} // namespace cudacc::policy
