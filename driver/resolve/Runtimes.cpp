// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/Runtimes.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"

namespace cudacc::resolve {

using namespace versions;

std::vector<std::string> knownRuntimes(const tables::UserTables *more) {
  std::vector<std::string> texts;
  for (const tables::TorchRelease &torch : tables::torchReleases(more))
    texts.push_back(fmt::format("torch=={}", torch));
  for (versions::CudaVersion line : tables::toolkitLines(more))
    texts.push_back(fmt::format("cuda=={}", line));
  return texts;
}

/// `2.11` for 2.11.0: omits a last number of 0.
static std::string shortOf(const tables::TorchRelease &release) {
  std::string text = fmt::format("{}.{}", release.major, release.minor);
  return release.patch == 0 ? text : release.str();
}

std::string rangeFrom(const tables::TorchRelease &release) {
  std::string text = fmt::format("torch>={}", release);
  bool isPast = false;
  for (const tables::TorchRelease &each : tables::torchReleases()) {
    if (isPast && each.defaultLine.major != release.defaultLine.major)
      return fmt::format("{},<{}", text, shortOf(each));
    isPast |= each.str() == release.str();
  }
  return text;
}

std::string withLine(const std::string &requirement, CudaVersion line) {
  return fmt::format("{} (CUDA {})", requirement, line);
}

std::string firstTorchWith(CudaVersion version) {
  auto torch = tables::firstTorchWithLine(version);
  return torch ? withLine(rangeFrom(*torch), torch->defaultLine) : "";
}

} // namespace cudacc::resolve
