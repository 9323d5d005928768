// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/check/SkippedFiles.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "driver/versions/ModuleName.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;

/// Python's version, from `lib/python3.11/site-packages`; empty if the path does not contain it.
static std::string pythonOf(const Runtime &runtime) {
  for (llvm::StringRef site : runtime.target.sitePackages) {
    llvm::StringRef name = support::nameOf(support::parentOf(site));
    if (name.consume_front("python"))
      return name.str();
  }
  return {};
}

SkippedFiles::SkippedFiles(const Inputs &inputs, llvm::ArrayRef<ReadFile> files)
    : inputs(inputs), files(files) {
  std::map<size_t, std::map<uint16_t, size_t>> counts;
  for (size_t i = 0; i != files.size(); ++i)
    if (files[i].state == ReadFile::State::Read && files[i].facts.machine)
      ++counts[inputs.packageOf(inputs.files[i])][files[i].facts.machine];
  for (const auto &[package, of] : counts) {
    auto most = llvm::max_element(
        of, [](const auto &one, const auto &other) { return one.second < other.second; });
    bool isTie =
        llvm::count_if(of, [&](const auto &each) { return each.second == most->second; }) > 1;
    machines[package] = isTie ? 0 : most->first;
  }
}

std::string SkippedFiles::reason(size_t file, const Runtime *runtime) const {
  const Input &input = inputs.files[file];
  const BinaryFacts &facts = files[file].facts;
  if (input.named || files[file].state != ReadFile::State::Read ||
      facts.kind != BinaryKind::SharedObject)
    return {};
  auto machine = machines.find(inputs.packageOf(input));
  if (machine != machines.end() && machine->second && facts.machine &&
      facts.machine != machine->second)
    return "for " + describeMachine(facts.machine);
  std::string python = runtime ? pythonOf(*runtime) : "";
  std::optional<std::string> of = pythonOfModule(support::nameOf(input.name));
  // `3` stands for all versions (abi3).
  bool isOther = of && *of != "3" && *of != python;
  return python.empty() || !isOther ? "" : "for Python " + *of;
}

std::vector<Finding>
SkippedFiles::finding(const std::map<std::string, std::vector<std::string>> &filesByReason) {
  constexpr size_t shown = 3;
  if (filesByReason.empty())
    return {};
  size_t count = 0;
  Finding finding;
  finding.code = Code::NotJudged;
  finding.severity = Severity::Remark;
  for (const auto &[reason, paths] : filesByReason) {
    count += paths.size();
    std::string text = llvm::join(llvm::ArrayRef(paths).take_front(shown), ", ");
    if (paths.size() > shown)
      text += fmt::format(", and {} more", paths.size() - shown);
    finding.facts.push_back({reason, std::move(text)});
  }
  finding.message = fmt::format("{} not judged: never loaded with the others",
                                count == 1 ? "1 file is" : fmt::format("{} files are", count));
  return {std::move(finding)};
}

void remarkOnPlace(const Input &input, const ReadFile &file, Judgement &judgement) {
  if (!input.places.empty() || file.state != ReadFile::State::Read || file.facts.needed.empty())
    return;
  Finding finding;
  finding.code = Code::NotFound;
  finding.severity = Severity::Remark;
  finding.message = "its search path is not judged: its place is not under site-packages";
  judgement.verdict.add(std::move(finding));
}

} // namespace cudacc::commands
