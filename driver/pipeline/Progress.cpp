// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Progress.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>

namespace cudacc::pipeline {

using llvm::StringRef;

static constexpr llvm::StringLiteral eraseLine = "\r\033[K";
/// A line that the terminal wraps cannot be rewritten. All are this wide.
static constexpr size_t widest = 79;

uint64_t steadyClock() {
  using namespace std::chrono;
  return uint64_t(duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count());
}

/// "FRONT: NAME", with the end of a name that is too long. A name may contain anything.
static std::string lineOf(StringRef front, StringRef name) {
  size_t room = widest - std::min(front.size() + 2, widest);
  std::string text = fmt::format("{}{}", front, name.empty() ? "" : ": ");
  if (name.size() > room) {
    name = name.take_back(room - std::min<size_t>(room, 3));
    while (!name.empty() && (name.front() & 0xc0) == 0x80)
      name = name.drop_front();
    text += "...";
  }
  for (char c : name)
    text += llvm::isPrint(c) || (c & 0x80) ? c : '?';
  return text;
}

void Progress::show(StringRef text) {
  uint64_t now = clock();
  if (now < next)
    return;
  next = now + period;
  isShown = true;
  console.err(fmt::format("{}{}", eraseLine, text));
}

void Progress::begin(StringRef what, size_t number, size_t of, StringRef name) {
  std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock)
    return;
  item = lineOf(fmt::format("{} {} of {}", what, number, of), name);
  show(item);
}

void Progress::goOn(StringRef path) {
  std::unique_lock lock(mutex, std::try_to_lock);
  if (lock && clock() >= next)
    show(item.empty() ? lineOf("reading", path) : item);
}

void Progress::clear() {
  std::lock_guard lock(mutex);
  if (isShown)
    console.err(eraseLine);
  isShown = false;
}

} // namespace cudacc::pipeline
