// SPDX-License-Identifier: Apache-2.0
#include "driver/config/ParseOverride.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::config {

using namespace core;
using llvm::StringRef;

/// Shortened, so that it fits into the first line of a diagnostic beside a rule's name.
static std::string shown(StringRef word) {
  constexpr size_t widest = 12;
  return fmt::format("\"{}{}\"", word.take_front(widest), word.size() > widest ? "..." : "");
}

static llvm::Error bad(std::string message, std::string because, std::string fix = "") {
  std::vector<Fact> facts;
  if (!because.empty())
    facts.push_back({"because", std::move(because)});
  return makeError(Code::BadValue, std::move(message), std::move(facts),
                   fix.empty() ? std::vector<std::string>{}
                               : std::vector<std::string>{std::move(fix)});
}

static llvm::Error noSuchRule(StringRef word) {
  std::vector<std::string> numbers;
  llvm::SmallVector<StringRef, 256> names;
  for (const CodeInfo &row : allCodes()) {
    numbers.push_back(str(row.code));
    row.symbols.split(names, ' ', -1, false);
  }
  llvm::append_range(names, numbers);
  std::string upper = word.upper();
  StringRef near = nearest(upper, names);
  return bad(fmt::format("no rule is called {}", shown(word)), "",
             near.empty() ? "" : fmt::format("write {}", near));
}

static llvm::Expected<RuleName> parseRule(StringRef word) {
  RuleName rule;
  auto first = parseCode(word);
  if (!first)
    return noSuchRule(word);
  StringRef digits = word;
  digits.consume_front_insensitive("cc");
  bool isNumber = llvm::all_of(digits, llvm::isDigit);
  rule.word = isNumber ? str(*first) : word.upper();
  if (isNumber) {
    rule.codes = {*first};
    return rule;
  }
  for (const CodeInfo &row : allCodes())
    if (llvm::is_contained(llvm::split(row.symbols, ' '), rule.word))
      rule.codes.push_back(row.code);
  return rule;
}

/// Checks all codes of the name: nothing guarantees that they are of the same class.
static bool any(const RuleName &rule, llvm::ArrayRef<CodeClass> classes) {
  return llvm::any_of(rule.codes,
                      [&](Code code) { return llvm::is_contained(classes, info(code).codeClass); });
}

static llvm::Error notUpForChoice(const RuleName &rule, StringRef verb) {
  return bad(fmt::format("{} cannot be {}", rule.word, verb),
             "it reports that the call failed, not a property of what is built");
}

static constexpr StringRef severityWords[] = {"error", "warning", "remark"};

static std::optional<Severity> parseSeverity(StringRef word) {
  return llvm::StringSwitch<std::optional<Severity>>(word)
      .Case("error", Severity::Error)
      .Case("warning", Severity::Warning)
      .Case("remark", Severity::Remark)
      .Default(std::nullopt);
}

static StringRef nearestSeverity(StringRef word) {
  for (StringRef each : severityWords)
    if (!word.empty() && each.starts_with(word))
      return each;
  return nearest(word, severityWords);
}

llvm::Expected<SeverityChange> parseSeverityChange(StringRef text) {
  auto [name, word] = text.split('=');
  name = name.trim();
  word = word.trim();
  auto rule = parseRule(name);
  if (!rule)
    return rule.takeError();
  auto severity = parseSeverity(word);
  if (!severity) {
    StringRef near = nearestSeverity(word);
    std::string fix = near.empty() ? "" : fmt::format("write {}={}", rule->word, near);
    return bad(word.empty() ? fmt::format("{} is given no severity", rule->word)
                            : fmt::format("{} cannot be {}", rule->word, shown(word)),
               "", std::move(fix));
  }
  if (any(*rule, {CodeClass::Usage, CodeClass::Internal}))
    return notUpForChoice(*rule, "given a severity");
  if (*severity != Severity::Error && any(*rule, CodeClass::Unknown))
    return bad(rule->word + " cannot be less than an error", "what is unknown is never accepted");
  return SeverityChange{std::move(*rule), *severity};
}

llvm::Expected<Waiver> parseWaiver(StringRef text) {
  auto [head, reason] = text.split(':');
  head = head.trim();
  StringRef name = head.take_until(llvm::isSpace);
  auto rule = parseRule(name);
  if (!rule)
    return rule.takeError();
  Waiver waiver{std::move(*rule), head.drop_front(name.size()).trim().str(), reason.trim().str()};
  if (any(waiver.rule, {CodeClass::Usage, CodeClass::Internal}))
    return notUpForChoice(waiver.rule, "waived");
  if (any(waiver.rule, CodeClass::Unknown))
    return bad(waiver.rule.word + " cannot be waived", "what is unknown is never accepted");
  if (waiver.reason.empty())
    return bad(fmt::format("a waiver of {} needs a reason", waiver.rule.word),
               "the manifest records it",
               fmt::format("write \"{}: WHY IT DOES NO HARM\"", waiver.rule.word));
  if (llvm::any_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }))
    return bad(fmt::format("a waiver of {} is one line of text", waiver.rule.word), "");
  return waiver;
}

} // namespace cudacc::config
