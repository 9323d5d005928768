#include "driver/policy/Runtimes.h"
#include "driver/facts/Torch.h"

namespace cudacc::policy {

using namespace core;

std::vector<std::string> knownRuntimes(const facts::Supplement *more) {
  std::vector<std::string> texts;
  for (const facts::TorchRelease &torch : facts::torchReleases(more))
    texts.push_back("torch==" + torch.str());
  for (core::CudaVersion line : facts::toolkitLines(more))
    texts.push_back("cuda==" + line.str());
  return texts;
}

/// `2.11`, where the last number is none that tells.
static std::string shortOf(const facts::TorchRelease &release) {
  std::string text = std::to_string(release.major) + "." + std::to_string(release.minor);
  return release.patch == 0 ? text : release.str();
}

std::string rangeFrom(const facts::TorchRelease &release) {
  std::string text = "torch>=" + release.str();
  bool isPast = false;
  for (const facts::TorchRelease &each : facts::torchReleases()) {
    if (isPast && each.defaultLine.major != release.defaultLine.major)
      return text + ",<" + shortOf(each);
    isPast |= each.index == release.index;
  }
  return text;
}

std::string withLine(const std::string &requirement, CudaVersion line) {
  return requirement + " (CUDA " + line.str() + ")";
}

std::string firstTorchWith(CudaVersion version) {
  auto torch = facts::firstTorchWithLine(version);
  return torch ? withLine(rangeFrom(*torch), torch->defaultLine) : "";
}

} // namespace cudacc::policy
