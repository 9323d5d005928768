#include "driver/policy/WaysOut.h"
#include "driver/facts/Torch.h"

std::string cudacc::policy::firstTorchWith(core::CudaVersion version) {
  auto torch = facts::firstTorchWithLine(version);
  if (!torch)
    return {};
  return "torch>=" + torch->str() + " (CUDA " + torch->defaultLine.str() + ")";
}
