// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/CheckParts.h"
#include "driver/support/Text.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::report {

using core::Outcome;

unsigned badness(Outcome outcome) {
  return outcome == Outcome::Reject ? 2 : outcome == Outcome::Unknown ? 1 : 0;
}

Outcome worse(Outcome one, Outcome other) { return badness(other) > badness(one) ? other : one; }

Paint paintOf(Outcome outcome) {
  static constexpr Paint byBadness[] = {Paint::Fix, Paint::Warning, Paint::Error};
  return byBadness[badness(outcome)];
}

Paint paintOf(core::Severity severity) {
  static constexpr Paint paints[] = {Paint::Remark, Paint::Warning, Paint::Error};
  return versions::entryOf<core::Severity::Error>(paints, severity);
}

/// Words behind a command make it a sentence.
static bool isCommand(llvm::StringRef text) {
  static constexpr llvm::StringLiteral programs[] = {
      "auditwheel", "chmod", "conda", "cuda-cc", "export", "mv", "patchelf", "pip", "python", "uv"};
  if (text.contains(", ") || text.contains(" ("))
    return false;
  return llvm::is_contained(programs, text.take_until([](char c) { return c == ' '; })) ||
         text.contains(" -m pip ");
}

/// Where the command begins that the fix is, or that stands behind its colon; npos if it has none.
static size_t commandIn(llvm::StringRef fix) {
  size_t colon = fix.rfind(": ");
  if (isCommand(fix.take_front(colon)))
    return 0;
  bool hasOne = colon != llvm::StringRef::npos && isCommand(fix.substr(colon + 2));
  return hasOne ? colon + 2 : llvm::StringRef::npos;
}

std::string fixText(llvm::StringRef fix, unsigned column, llvm::StringRef ending) {
  std::string text = printable(fix);
  size_t at = commandIn(text);
  if (at == std::string::npos)
    return wrapped(text + ending.str(), column, column);
  if (at == 0 || column + columns(text) <= textColumns)
    return text;
  llvm::StringRef head = llvm::StringRef(text).take_front(at).rtrim(' ');
  return fmt::format("{}\n{:{}}{}", wrapped(head, column, column), "", column, text.substr(at));
}

std::string fixLines(llvm::ArrayRef<llvm::StringRef> fixes, Style style) {
  constexpr unsigned column = 7;
  std::string out;
  for (const llvm::StringRef &fix : fixes)
    out += fmt::format("  {} {}\n", painted("fix:", Paint::Fix, style),
                       fixText(fix, column, &fix == &fixes.back() ? "" : ", or"));
  return out;
}

std::vector<llvm::StringRef> fixesOf(const core::Verdict &verdict) {
  std::vector<llvm::StringRef> fixes;
  for (const core::Finding &finding : verdict.findings)
    for (const std::string &fix : finding.fixes)
      if (finding.severity != core::Severity::Remark && !llvm::is_contained(fixes, fix))
        fixes.push_back(fix);
  return fixes;
}

llvm::StringRef messageOf(const core::Finding &finding) {
  return finding.message.empty() ? core::info(finding.code).title
                                 : llvm::StringRef(finding.message);
}

std::vector<std::string> factRow(const core::Fact &fact) {
  return {fact.label.empty() ? "" : printable(fact.label) + ":",
          fact.text.empty() ? "unknown" : printable(fact.text)};
}

const core::Finding *decisive(const core::Verdict &verdict) {
  Outcome outcome = verdict.outcome();
  for (const core::Finding &finding : verdict.findings) {
    if (finding.severity != core::Severity::Error)
      continue;
    bool unknown = core::info(finding.code).codeClass == core::CodeClass::Unknown;
    if (unknown == (outcome == Outcome::Unknown))
      return &finding;
  }
  return nullptr;
}

std::string subject(const core::Judgement &judgement, size_t skip) {
  std::string out = printable(llvm::StringRef(judgement.path).drop_front(skip));
  if (judgement.alternatives.size() > 1)
    out += fmt::format(" (of {} alternatives)", judgement.alternatives.size());
  return out;
}

llvm::StringRef commonFolder(llvm::ArrayRef<core::Judgement> judgements) {
  constexpr size_t shortPath = 34;
  llvm::StringRef first = judgements.front().path, common = first;
  bool several = false, areLong = false;
  for (const core::Judgement &judgement : judgements) {
    several |= judgement.path != first;
    areLong |= judgement.path.size() > shortPath;
    while (!llvm::StringRef(judgement.path).starts_with(common))
      common = common.drop_back();
  }
  // A folder of one character is not worth a line of its own.
  size_t folder = common.find_last_of("/!") + 1;
  return several && areLong && folder > 1 ? common.take_front(folder) : "";
}

std::string runtime(const core::Judgement &judgement) {
  std::string out = printable(judgement.runtime);
  if (judgement.line.known() && !llvm::StringRef(judgement.runtime).starts_with("cuda=="))
    out += fmt::format(" (CUDA {})", judgement.line);
  return out;
}

std::string floorText(const core::LibraryFloor &floor) {
  std::string out = printable(floor.soname);
  if (!floor.known())
    return out + ", version unknown";
  versions::CudaVersion line = lineOf(floor);
  return fmt::format("{} >= {}", out, line.known() ? line.str() : floor.least.str());
}

versions::CudaVersion lineOf(const core::LibraryFloor &floor) {
  return floor.serves.known() ? floor.serves : floor.cuda;
}

std::vector<std::string> floorTexts(llvm::ArrayRef<core::LibraryFloor> floors) {
  std::vector<std::string> texts;
  versions::CudaVersion together;
  bool isOfSeveral = false;
  for (const core::LibraryFloor *floor : newestFirst(floors)) {
    texts.push_back(floorText(*floor));
    together = std::max(together, floor->cuda);
    isOfSeveral |= lineOf(*floor) != floor->cuda;
  }
  // A library that several majors have does not say which of them it is with the others.
  if (isOfSeveral)
    texts.push_back(fmt::format("together CUDA >= {}", together));
  return texts;
}

std::vector<const core::LibraryFloor *> newestFirst(llvm::ArrayRef<core::LibraryFloor> floors) {
  std::vector<const core::LibraryFloor *> order;
  for (const core::LibraryFloor &floor : floors)
    order.push_back(&floor);
  llvm::stable_sort(
      order, [](const auto *left, const auto *right) { return lineOf(*left) > lineOf(*right); });
  return order;
}

/// Rejected only for reasons that are not related to CUDA.
static bool isForOthers(const core::Judgement &judgement) {
  const auto &findings = judgement.verdict.findings;
  return judgement.verdict.outcome() == Outcome::Reject &&
         llvm::all_of(findings, [](const core::Finding &each) {
           return each.severity != core::Severity::Error || each.code == core::Code::NotCudas;
         });
}

std::string counts(llvm::ArrayRef<core::Judgement> judgements) {
  size_t of[3] = {};
  for (const core::Judgement &judgement : judgements)
    ++of[badness(judgement.verdict.outcome())];
  static constexpr llvm::StringLiteral words[] = {"accepted", "unknown", "rejected"};
  size_t others = llvm::count_if(judgements, isForOthers);
  std::string out;
  for (unsigned i = 3; i-- != 0;) {
    if (of[i])
      support::appendItem(out, fmt::format("{} {}", of[i], words[i]));
    if (i == 2 && others)
      out += others == of[i]
                 ? " for libraries that are not CUDA's"
                 : fmt::format(", {} of them for libraries that are not CUDA's", others);
  }
  return out;
}

std::string count(size_t number, llvm::StringRef noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string reason(const core::Judgement &judgement) {
  if (const core::Finding *finding = decisive(judgement.verdict)) {
    return fmt::format("{} [{}]", printable(messageOf(*finding)), core::str(finding->code));
  }
  size_t warnings = llvm::count_if(judgement.verdict.findings, [](const core::Finding &each) {
    return each.severity == core::Severity::Warning;
  });
  return warnings ? count(warnings, "warning") : "";
}

size_t distinct(llvm::ArrayRef<core::Judgement> judgements, std::string core::Judgement::*field) {
  std::vector<llvm::StringRef> values;
  for (const core::Judgement &judgement : judgements)
    values.push_back(judgement.*field);
  llvm::sort(values);
  return std::unique(values.begin(), values.end()) - values.begin();
}

std::string headline(llvm::ArrayRef<core::Judgement> judgements) {
  const core::Judgement &one = judgements.front();
  if (judgements.size() == 1)
    return fmt::format("{}: {} on {}", subject(one), core::str(one.verdict.outcome()),
                       runtime(one));
  size_t files = distinct(judgements, &core::Judgement::path);
  size_t runtimes = distinct(judgements, &core::Judgement::runtime);
  return fmt::format("{} on {}: {}", files == 1 ? subject(one) : count(files, "file"),
                     runtimes == 1 ? runtime(one) : count(runtimes, "runtime"), counts(judgements));
}

static Paint paintOfWord(llvm::StringRef word) {
  for (Outcome outcome : {Outcome::Accept, Outcome::Reject, Outcome::Unknown})
    if (word == core::str(outcome))
      return paintOf(outcome);
  return Paint::Plain;
}

std::string paintedTable(llvm::StringRef text, bool head, unsigned column, Style style) {
  if (!style.colour)
    return text.str();
  std::string out;
  for (bool first = true; !text.empty(); first = false) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (first && head) {
      out += painted(line, Paint::Dim, style) + "\n";
      continue;
    }
    llvm::StringRef word = line.drop_front(std::min<size_t>(column, line.size()));
    word = word.take_until([](char c) { return c == ' '; });
    out += line.take_front(column);
    out += painted(word, paintOfWord(word), style);
    out += line.drop_front(std::min(column + word.size(), line.size()));
    out += '\n';
  }
  return out;
}

} // namespace cudacc::report
