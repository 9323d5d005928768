#include "driver/policy/Runtimes.h"
#include "driver/facts/Torch.h"

std::vector<std::string> cudacc::policy::knownRuntimes(const facts::Supplement *more) {
  std::vector<std::string> texts;
  for (const facts::TorchRelease &torch : facts::torchReleases(more))
    texts.push_back("torch==" + torch.str());
  for (core::CudaVersion line : facts::toolkitLines(more))
    texts.push_back("cuda==" + line.str());
  return texts;
}
