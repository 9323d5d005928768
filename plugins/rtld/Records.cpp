// SPDX-License-Identifier: Apache-2.0
#include "plugins/rtld/Records.h"
#include "plugins/rtld/TraceBuffer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <map>

namespace cudacc::rtld {

using llvm::StringRef;

namespace {

/// Flags of la_objsearch, la_activity and la_symbind are at most this; larger numbers are invalid.
constexpr unsigned mostFlag = 0xffff;

class Reader {
public:
  Records take() { return std::move(records); }
  void line(StringRef text);

private:
  using Fields = llvm::ArrayRef<StringRef>;

  Records records;
  /// Index of the last record of each process.
  std::map<uint64_t, size_t> current;

  bool begin(uint64_t pid, Fields fields);
  bool fork(uint64_t pid, Fields fields);
  bool event(Mark mark, Fields fields, Event &event);
};

} // namespace

std::string emptyBuffer(llvm::ArrayRef<StringRef> names, uint64_t size) {
  std::string text = llvm::join(names, "\n") + "\n";
  TraceBuffer head{};
  std::memcpy(head.magic, magic, sizeof magic);
  head.size = size;
  head.names = sizeof head;
  head.used = head.namesEnd = sizeof head + text.size();
  std::string bytes(reinterpret_cast<const char *>(&head), sizeof head);
  bytes += text;
  bytes.resize(size);
  return bytes;
}

static std::string plain(StringRef field) {
  std::string out;
  while (!field.empty()) {
    size_t at = std::min(field.find('%'), field.size());
    out += field.take_front(at);
    field = field.drop_front(at);
    unsigned byte;
    if (field.empty())
      break;
    if (field.substr(1, 2).size() == 2 && !field.substr(1, 2).getAsInteger(16, byte)) {
      out += char(byte);
      field = field.drop_front(3);
    } else {
      out += '%';
      field = field.drop_front();
    }
  }
  return out;
}

static bool number(StringRef field, uint64_t &value) { return !field.getAsInteger(10, value); }

static bool flag(StringRef field, unsigned &value) {
  return !field.getAsInteger(10, value) && value <= mostFlag;
}

bool Reader::begin(uint64_t pid, Fields fields) {
  ProcessRecord process;
  process.pid = pid;
  if (fields.size() < 6 || !number(fields[0], process.parent))
    return false;
  process.program = plain(fields[1]);
  process.workingDirectory = plain(fields[2]);
  if (fields[4] == "1")
    process.libraryPath = plain(fields[3]);
  process.preload = plain(fields[5]);
  for (StringRef word : fields.drop_front(6))
    process.words.push_back(plain(word));
  current[pid] = records.processes.size();
  records.processes.push_back(std::move(process));
  return true;
}

bool Reader::fork(uint64_t pid, Fields fields) {
  uint64_t parent, count;
  if (fields.size() != 2 || !number(fields[0], parent) || !number(fields[1], count))
    return false;
  auto found = current.find(parent);
  if (found == current.end() || parent == pid)
    return false;
  const ProcessRecord &from = records.processes[found->second];
  ProcessRecord process;
  process.pid = pid;
  process.parent = parent;
  process.program = from.program;
  process.workingDirectory = from.workingDirectory;
  process.preload = from.preload;
  process.libraryPath = from.libraryPath;
  process.words = from.words;
  process.forkedFrom = found->second;
  process.forkedAt = std::min<uint64_t>(count, from.events.size());
  current[pid] = records.processes.size();
  records.processes.push_back(std::move(process));
  return true;
}

bool Reader::event(Mark mark, Fields fields, Event &event) {
  switch (mark) {
  case Mark::Search:
    event.kind = Event::Kind::Search;
    if (fields.size() != 3 || !number(fields[0], event.object) || !flag(fields[1], event.flag))
      return false;
    event.text = plain(fields[2]);
    return true;
  case Mark::Open:
    event.kind = Event::Kind::Open;
    if (fields.size() != 3 || !number(fields[0], event.object) || !number(fields[1], event.other))
      return false;
    event.text = plain(fields[2]);
    return true;
  case Mark::Close:
    event.kind = Event::Kind::Close;
    return fields.size() == 1 && number(fields[0], event.object);
  case Mark::Activity:
    event.kind = Event::Kind::Activity;
    return fields.size() == 1 && flag(fields[0], event.flag);
  case Mark::Ready:
    event.kind = Event::Kind::Ready;
    return fields.empty();
  case Mark::Bind:
    event.kind = Event::Kind::Bind;
    if (fields.size() != 4 || !number(fields[0], event.object) || !number(fields[1], event.other) ||
        !flag(fields[2], event.flag))
      return false;
    event.text = plain(fields[3]);
    return true;
  case Mark::Start:
  case Mark::Fork:
    break;
  }
  return false;
}

void Reader::line(StringRef text) {
  llvm::SmallVector<StringRef, 16> fields;
  text.split(fields, '\t');
  uint64_t pid;
  if (fields.size() < 2 || fields[0].size() != 1 || !number(fields[1], pid)) {
    ++records.broken;
    return;
  }
  Mark mark = Mark(fields[0][0]);
  Fields rest = llvm::ArrayRef(fields).drop_front(2);
  bool good;
  if (mark == Mark::Start) {
    good = begin(pid, rest);
  } else if (mark == Mark::Fork) {
    good = fork(pid, rest);
  } else {
    Event one;
    auto found = current.find(pid);
    good = found != current.end() && event(mark, rest, one);
    if (good)
      records.processes[found->second].events.push_back(std::move(one));
  }
  records.broken += !good;
}

Records readBuffer(StringRef bytes) {
  Reader reader;
  TraceBuffer head;
  if (bytes.size() < sizeof head) {
    Records none;
    none.broken = 1;
    return none;
  }
  std::memcpy(&head, bytes.data(), sizeof head);
  uint64_t begin = std::max<uint64_t>(head.namesEnd, sizeof head);
  if (std::memcmp(head.magic, magic, sizeof magic) != 0 || begin > bytes.size()) {
    Records none;
    none.broken = 1;
    return none;
  }
  StringRef rest = bytes.slice(begin, std::max(begin, std::min(head.used, bytes.size())));
  while (!rest.empty()) {
    auto [text, behind] = rest.split('\n');
    // A process killed between reserving space and filling it leaves NULs, including the first
    // byte.
    text = text.substr(text.rfind('\0') + 1);
    if (!text.empty() && !text.starts_with("\t"))
      reader.line(text);
    rest = behind;
  }
  Records records = reader.take();
  records.lost = head.used > bytes.size();
  return records;
}

} // namespace cudacc::rtld
