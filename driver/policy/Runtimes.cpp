#include "driver/policy/Runtimes.h"
#include "driver/facts/Torch.h"

std::vector<std::string> cudacc::policy::knownRuntimes() {
  std::vector<std::string> texts;
  for (const facts::TorchRelease &torch : facts::torchReleases())
    texts.push_back("torch==" + torch.str());
  for (core::CudaVersion line : facts::toolkitLines())
    texts.push_back("cuda==" + line.str());
  return texts;
}
