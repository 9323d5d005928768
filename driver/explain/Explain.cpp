// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/Explain.h"
#include "driver/explain/MessageValues.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace cudacc::explain {

using namespace core;
using llvm::StringRef;

/// Bytes of text between two scans.
static constexpr size_t step = 1 << 16;

Explainer::Explainer(const Target *runtime, policy::AskTorch torchTable)
    : runtime(runtime), torchTable(torchTable), messages(tables::messages()), matcher(messages) {
  starts.push_back({0, 1});
  if (runtime)
    result.runtime = runtime->describe();
}

void Explainer::add(StringRef bytes) {
  while (!bytes.empty()) {
    // Line by line, to record where each line begins.
    size_t end = std::min(bytes.find('\n'), step - 1);
    StringRef line = bytes.take_front(end + 1);
    bytes = bytes.drop_front(line.size());
    uint64_t before = reader.lines();
    reader.add(line, window);
    uint64_t at = base + window.size();
    if (reader.lines() != before) {
      if (starts.back().at == at)
        starts.back().line = reader.lines() + 1;
      else
        starts.push_back({at, reader.lines() + 1});
    }
    if (window.size() - scanned > step + MessageMatcher::reach)
      scan(false);
  }
}

void Explainer::scan(bool toEnd) {
  size_t to = toEnd ? window.size() : window.size() - MessageMatcher::reach;
  matcher.scan(window, scanned, to, [&](MessageMatch match) {
    match.begin += base;
    match.end += base;
    found(std::move(match));
  });
  scanned = to;
  // Keep a match that the next step may overlap, as long as its text is in the window.
  if (toEnd || (pending && pending->begin + MessageMatcher::reach < base + scanned))
    chooseExplanation();
  size_t drop = scanned > MessageMatcher::reach ? scanned - MessageMatcher::reach : 0;
  window.erase(0, drop);
  base += drop;
  scanned -= drop;
  auto first =
      llvm::partition_point(starts, [&](const LineStart &each) { return each.at <= base; });
  if (first - starts.begin() > 1)
    starts.erase(starts.begin(), first - 1);
}

/// Of overlapping matches the one from the earlier row of the table wins, and within a row the
/// longer one.
static bool isBetter(const MessageMatch &match, const MessageMatch &than) {
  if (match.message != than.message)
    return match.message < than.message;
  return match.end - match.begin > than.end - than.begin;
}

void Explainer::found(MessageMatch match) {
  bool overlaps = pending && match.begin < pending->end && pending->begin < match.end;
  if (overlaps && !isBetter(match, *pending))
    return;
  if (!overlaps)
    chooseExplanation();
  pending = std::move(match);
}

uint64_t Explainer::lineAt(uint64_t at) const {
  auto it = llvm::partition_point(starts, [&](const LineStart &each) { return each.at <= at; });
  return std::prev(it)->line;
}

void Explainer::chooseExplanation() {
  if (!pending)
    return;
  StringRef text = StringRef(window).slice(pending->begin - base, pending->end - base);
  keep(*pending, text, lineAt(pending->begin));
  pending.reset();
}

static Explanation explain(const tables::Message &message, const MessageMatch &match,
                           const Target *runtime, policy::AskTorch torchTable) {
  Explanation out;
  out.id = message.id.str();
  out.family = message.family.str();
  out.source = message.source.str();
  for (const MessagePlaceholder &placeholder : match.placeholders)
    out.values.emplace_back(placeholder.name.str(), placeholder.value);
  MessageValues values(match.placeholders, runtime, torchTable);
  for (StringRef text : message.what)
    if (auto said = values.filled(text)) {
      out.what = *said;
      break;
    }
  for (StringRef text : message.facts)
    if (auto said = values.filled(text)) {
      auto [label, rest] = StringRef(*said).split(": ");
      out.facts.push_back({label.str(), rest.str()});
    }
  for (StringRef text : message.causes)
    if (auto said = values.filled(text))
      out.causes.push_back(*said);
  for (StringRef text : message.fixes)
    if (auto said = values.filled(text))
      out.fixes.push_back(*said);
  return out;
}

void Explainer::keep(const MessageMatch &match, StringRef text, uint64_t line) {
  // Hostile logs have a message every few bytes: pieces are appended, which costs less than fmt.
  std::string key(reinterpret_cast<const char *>(&match.message), sizeof match.message);
  for (const MessagePlaceholder &placeholder : match.placeholders)
    key.append("\n").append(placeholder.name).append("=").append(placeholder.value);
  if (auto it = places.find(key); it != places.end()) {
    ++result.messages[it->second].count;
    return;
  }
  if (result.messages.size() == most) {
    ++result.more;
    return;
  }
  places[key] = result.messages.size();
  Explanation &kept =
      result.messages.emplace_back(explain(messages[match.message], match, runtime, torchTable));
  kept.message = text.str();
  std::replace(kept.message.begin(), kept.message.end(), '\n', ' ');
  kept.line = line;
}

static bool isNamePart(char c) { return llvm::isAlnum(c) || StringRef("_$.+-").contains(c); }

/// Whether a sentence about something else follows the name, or its arguments: `cudaMalloc failed:
/// out of memory`. Then the name tells nothing about what happened.
static bool isSubject(StringRef rest) {
  rest = rest.ltrim("'\"`");
  StringRef next = rest.ltrim(' ').take_while(isNamePart).rtrim('.');
  return rest.starts_with("(") ||
         llvm::is_contained({"failed", "returned", "was", "is", "has", "error"}, next);
}

void Explainer::searchNames() {
  for (StringRef rest = window; !rest.empty();) {
    rest = rest.drop_until(isNamePart);
    StringRef word = rest.take_while(isNamePart);
    rest = rest.drop_front(word.size());
    size_t at = word.data() - window.data();
    if (isSubject(rest))
      continue;
    if (auto match = matcher.named(word.rtrim(".-+")))
      keep(*match, word.rtrim(".-+"), lineAt(base + at));
  }
}

Explained Explainer::finish(bool byName) {
  reader.finish(window);
  bool isWhole = base == 0;
  std::string text = byName && isWhole ? window : "";
  scan(true);
  if (result.messages.empty() && byName && isWhole) {
    window = std::move(text);
    base = 0;
    searchNames();
  }
  return std::move(result);
}

} // namespace cudacc::explain
