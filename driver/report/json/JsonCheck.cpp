// SPDX-License-Identifier: Apache-2.0
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/Check.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::report {

using llvm::json::Object;
using llvm::json::Value;

static Value floorJson(const core::LibraryFloor &floor) {
  Object out{{"soname", fixed(floor.soname)},           {"imports", floor.imports},
             {"deciding", strings(floor.deciding)},     {"unknown", strings(floor.unknown)},
             {"exceptions", strings(floor.exceptions)}, {"oldest_opened", floor.oldestOpened}};
  put(out, "dist", floor.dist);
  if (floor.known())
    out["version"] = fixed(floor.least.str());
  put(out, "cuda", floor.cuda);
  put(out, "serves", floor.serves);
  put(out, "requirement", floor.requirement);
  return out;
}

static Value judgementJson(const core::Judgement &judgement) {
  Object out{{"path", fixed(judgement.path)},
             {"runtime", fixed(judgement.runtime)},
             {"verdict", core::str(judgement.verdict.outcome())},
             {"findings", array(judgement.verdict.findings, findingJson)},
             {"floor", floorsJson(judgement.floor)},
             {"libraries", array(judgement.floor, floorJson)}};
  put(out, "line", judgement.line);
  putTorch(out, judgement.torch);
  putList(out, "alternatives", judgement.alternatives);
  putList(out, "excluded_by", judgement.excludedBy);
  Object driver;
  put(driver, "code", judgement.driver.code);
  put(driver, "ptx", judgement.driver.ptx);
  if (!driver.empty())
    out["driver"] = std::move(driver);
  return out;
}

Value toJson(llvm::ArrayRef<core::Judgement> judgements, llvm::ArrayRef<core::Finding> problems,
             std::optional<std::vector<std::string>> requirements) {
  std::vector<llvm::StringRef> runtimes;
  for (const core::Judgement &judgement : judgements)
    if (runtimes.empty() || !llvm::is_contained(runtimes, judgement.runtime))
      runtimes.push_back(judgement.runtime);
  Object out{
      {"schema", 1}, {"runtimes", strings(runtimes)}, {"files", array(judgements, judgementJson)}};
  if (requirements)
    out["requires_dist"] = strings(*requirements);
  putList(out, "problems", problems, findingJson);
  return out;
}

Value withManifests(Value document, const Manifests &manifests) {
  size_t files = manifests.with + manifests.without.size();
  if (files)
    (*document.getAsObject())["manifest"] =
        Object{{"files", files}, {"without", strings(manifests.without)}};
  return document;
}

} // namespace cudacc::report
