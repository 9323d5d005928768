// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/Proof.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/Check.h"
#include "driver/report/text/CheckParts.h"
#include "driver/report/text/InspectParts.h"
#include "driver/report/text/Text.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace report;
using llvm::json::Object;

Outcome Proof::outcome() const {
  Outcome worst = Verdict{findings}.outcome();
  for (const Judgement &judgement : judgements)
    worst = worse(worst, judgement.verdict.outcome());
  return worst;
}

std::string Proof::name() const {
  return extra.empty() ? resolution : fmt::format("{} [{}]", resolution, extra);
}

Outcome outcomeOf(llvm::ArrayRef<Proof> proofs) {
  Outcome worst = Outcome::Accept;
  for (const Proof &proof : proofs)
    worst = worse(worst, proof.outcome());
  return worst;
}

static std::string verdict(Outcome outcome, Style style) {
  return painted(core::str(outcome), paintOf(outcome), style);
}

std::string proofText(llvm::StringRef wheel, llvm::ArrayRef<Proof> proofs, Style style) {
  std::string out = fmt::format("{}: {}\n", printable(wheel), verdict(outcomeOf(proofs), style));
  for (const Proof &proof : proofs) {
    Block block;
    block.style = style;
    Rows rows;
    for (const auto &[name, version] : proof.installed)
      rows.push_back({printable(name), printable(version)});
    std::string text = verdict(proof.outcome(), style);
    if (!proof.extra.empty())
      text += fmt::format(", with [{}]", printable(proof.extra));
    block.addText(proof.resolution, text);
    block.addTable("installed", std::move(rows));
    for (const Proof::Import &each : proof.imports)
      block.addText("import",
                    fmt::format("{}: {}", printable(each.module), each.works ? "works" : "fails"));
    out += block.text;
    if (proof.outcome() != Outcome::Accept && !proof.judgements.empty())
      out += report::check(proof.judgements, style);
    out += report::text(proof.findings, style);
  }
  return out;
}

static llvm::json::Value oneJson(const Proof &proof) {
  Object installed;
  for (const auto &[name, version] : proof.installed)
    installed[key(name)] = fixed(version);
  Object out{{"resolution", proof.resolution},
             {"verdict", core::str(proof.outcome())},
             {"lowered", strings(proof.lowered)},
             {"installed", std::move(installed)},
             {"check", toJson(llvm::ArrayRef<Judgement>(proof.judgements), {})},
             {"imports", array(proof.imports,
                               [](const Proof::Import &each) -> llvm::json::Value {
                                 return Object{{"module", fixed(each.module)},
                                               {"works", each.works}};
                               })},
             {"findings", array(proof.findings, findingJson)}};
  put(out, "extra", proof.extra);
  return out;
}

llvm::json::Value proofJson(llvm::StringRef wheel, llvm::ArrayRef<Proof> proofs) {
  return Object{{"schema", 1},
                {"path", fixed(wheel)},
                {"verdict", core::str(outcomeOf(proofs))},
                {"proofs", array(proofs, oneJson)}};
}

} // namespace cudacc::commands
