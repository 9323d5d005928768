// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/MatrixResult.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/CheckParts.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace report;
using llvm::json::Array;
using llvm::json::Object;

static llvm::json::Value toolkitJson(const FoundMatrix &found, const FoundToolkit &toolkit) {
  Object out{{"root", fixed(toolkit.root)}};
  put(out, "cuda", toolkit.cuda);
  if (auto fetch = found.fetches.find(toolkit.root); fetch != found.fetches.end())
    out["fetch"] = toJson(fetch->second.plan);
  return out;
}

static llvm::StringRef stateWord(MatrixBuilt::State state) {
  static constexpr llvm::StringLiteral words[] = {"not-made", "built", "failed"};
  return versions::entryOf<MatrixBuilt::State::Failed>(words, state);
}

static llvm::json::Value buildJson(const MatrixResult &result, unsigned at, bool isRun) {
  const FoundMatrix &found = *result.found;
  const plan::MatrixBuild &build = found.plan.builds[at];
  Object out{{"name", result.builds[at].name},
             {"toolkit", toolkitJson(found, found.plan.inputs.toolkits[build.toolkit])},
             {"declared", fixed(found.runtimes[build.base].name)},
             {"runtimes", array(build.runtimes, [&](unsigned runtime) {
                return fixed(found.runtimes[runtime].name);
              })}};
  put(out, "torch", found.plan.torchOf(build));
  put(out, "python", build.python);
  if (!isRun)
    return out;
  out["state"] = stateWord(result.builds[at].state);
  if (result.builds[at].state != MatrixBuilt::State::NotMade)
    out["log"] = fixed(fmt::format("{}/{}/{}", found.request.folder, result.builds[at].name,
                                   matrixfile::buildLog));
  return out;
}

static llvm::json::Value cellJson(const MatrixResult &result, unsigned build, unsigned runtime) {
  const Finding *decisive = nullptr;
  auto outcome = result.outcome(build, runtime, &decisive);
  Object out{{"build", result.builds[build].name},
             {"verdict", str(outcome.value_or(Outcome::Unknown))}};
  if (decisive) {
    out["code"] = str(decisive->code);
    out["because"] = fixed(messageOf(*decisive));
  }
  return out;
}

static llvm::json::Value runtimeJson(const MatrixResult &result, unsigned at, bool isRun) {
  const Runtime &runtime = result.found->runtimes[at];
  Object out{{"runtime", fixed(runtime.name)}};
  put(out, "line", runtime.target.line);
  if (!isRun)
    return out;
  Array cells;
  for (unsigned build = 0; build < result.builds.size(); ++build)
    if (result.builds[build].state != MatrixBuilt::State::NotMade)
      cells.push_back(cellJson(result, build, at));
  out["verdict"] = str(result.outcome(at));
  out["cells"] = std::move(cells);
  return out;
}

llvm::json::Value matrixJson(const MatrixResult &result, bool isRun) {
  const FoundMatrix &found = *result.found;
  Array builds;
  for (unsigned at = 0; at < result.builds.size(); ++at)
    builds.push_back(buildJson(result, at, isRun));
  Object out{{"schema", 1},
             {"candidates", found.plan.candidates},
             {"builds", std::move(builds)},
             {"runtimes",
              array(result.runtimes, [&](unsigned at) { return runtimeJson(result, at, isRun); })},
             {"unserved", array(found.plan.unserved,
                                [&](const plan::UnservedRuntime &each) -> llvm::json::Value {
                                  return Object{
                                      {"runtime", fixed(found.runtimes[each.runtime].name)},
                                      {"verdict", str(each.outcome())},
                                      {"finding", toJson(unservedFinding(found, each))}};
                                })},
             {"missing_toolkits", strings(found.missing)}};
  if (!isRun)
    return out;
  out["verdict"] = str(result.outcome());
  std::vector<Judgement> judgements = result.judgements();
  llvm::json::Value check = toJson(judgements, {});
  out["files"] = std::move(*check.getAsObject()->get("files"));
  putList(out, "problems", result.problems(), findingJson);
  return out;
}

} // namespace cudacc::commands
