// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/TorchRelease.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/toolkit/HeaderVersion.h"
#include "driver/support/Paths.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;
using llvm::StringRef;

/// version.h of torch 2.0 to 2.15 has at most 1.5 KB, version.py 0.5 KB.
static constexpr uint64_t largestVersionFile = 64 << 10;

std::string assignedInPython(StringRef text, StringRef name) {
  std::string value;
  for (StringRef line : llvm::split(text, '\n')) {
    if (!line.consume_front(name))
      continue;
    line = line.ltrim();
    if (line.starts_with(":"))
      line = line.drop_front(std::min(line.find('='), line.size()));
    if (!line.consume_front("="))
      continue;
    line = line.trim();
    char quote = line.empty() ? 0 : line.front();
    if (quote != '\'' && quote != '"')
      continue;
    StringRef inside = line.drop_front().take_until([&](char c) { return c == quote; });
    if (inside.size() + 1 < line.size())
      value = inside.str();
  }
  return value;
}

/// Parses `2.11.0+cu130` into release and label.
static bool take(StringRef text, FoundTorch &torch) {
  auto version = Version::parse(text.trim());
  if (!version || version->release.size() < 2)
    return false;
  torch.release = Version{};
  torch.release.release = version->release;
  if (!version->local.empty())
    torch.label = version->local.front();
  return true;
}

bool readTorchFolder(StringRef folder, Files &files, FoundTorch &torch) {
  for (StringRef name : {"version.py", "build-version"}) {
    std::string path = joinPath(folder, name);
    auto text = llvm::expectedToOptional(files.read(path, largestVersionFile));
    if (!text)
      continue;
    bool python = name == "version.py";
    // Any project may have a version.py; torch's also defines `cuda`.
    if (python && !StringRef(*text).contains("\ncuda"))
      continue;
    if (!take(python ? assignedInPython(*text, "__version__") : *text, torch))
      continue;
    if (python && torch.label.empty())
      if (auto line = CudaVersion::parse(assignedInPython(*text, "cuda")))
        torch.label = fmt::format("cu{}{}", line->major, line->minor);
    torch.evidence = path;
    return true;
  }
  return false;
}

bool readTorchHeader(const std::string &path, Files &files, FoundTorch &torch) {
  auto text = files.read(path, largestVersionFile);
  if (!text) {
    Finding finding = toFinding(text.takeError());
    if (!files.stat(path).exists())
      return false;
    torch.problem = finding.message;
    return true;
  }
  std::vector<uint64_t> numbers;
  for (StringRef macro : {"TORCH_VERSION_MAJOR", "TORCH_VERSION_MINOR", "TORCH_VERSION_PATCH"}) {
    auto digits = definedNumber(*text, macro);
    uint64_t number;
    if (!digits && numbers.empty())
      return false;
    if (!digits || digits->getAsInteger(10, number) || number > 9999) {
      torch.problem = fmt::format("no {} with a number in {}", macro, path);
      return true;
    }
    numbers.push_back(number);
  }
  torch.release.release = std::move(numbers);
  torch.evidence = "TORCH_VERSION_MAJOR in " + path;
  return true;
}

bool readTorchHeaders(StringRef root, Files &files, FoundTorch &torch) {
  torch.guarded = readTorchHeader(joinPath(root, "torch/headeronly/version.h"), files, torch);
  if (!torch.guarded &&
      !readTorchHeader(support::joinPath(root, fmt::format("{}/torch/version.h", torchApiFolder)),
                       files, torch))
    return readTorchFolder(support::joinPath(root, ".."), files, torch);
  // The label is in the files beside the headers; the release that is compiled is the headers' own.
  if (FoundTorch beside; torch.known() && readTorchFolder(joinPath(root, ".."), files, beside) &&
                         beside.release == torch.release)
    torch.label = std::move(beside.label);
  return true;
}

} // namespace cudacc::probe
