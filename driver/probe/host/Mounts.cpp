// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/Mounts.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <sys/sysmacros.h>

namespace cudacc::probe {

using namespace core;
using llvm::StringRef;

/// Decodes octal escapes: a space is written as \\040, for example.
static std::string unescaped(StringRef text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned value;
    if (text[i] == '\\' && text.substr(i + 1).size() >= 3 &&
        !text.substr(i + 1, 3).getAsInteger(8, value)) {
      out += char(value);
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

Mounts Mounts::parse(StringRef text) {
  Mounts found;
  for (StringRef line : llvm::split(text, '\n')) {
    // 36 35 98:0 /root /point rw,noexec,relatime shared:1 - ext4 /dev/root rw
    llvm::SmallVector<StringRef, 16> words;
    line.split(words, ' ', -1, /*KeepEmpty=*/false);
    if (words.size() < 6)
      continue;
    bool noExec = llvm::is_contained(llvm::split(words[5], ','), "noexec");
    found.mounts.push_back({unescaped(words[4]), noExec});
    if (!noExec)
      continue;
    auto [major, minor] = words[2].split(':');
    unsigned high, low;
    if (!major.getAsInteger(10, high) && !minor.getAsInteger(10, low))
      found.devices.insert(makedev(high, low));
    StringRef type = line.split(" - ").second.split(' ').first;
    found.anyDevice |= type == "btrfs" || type == "overlay" || type == "bcachefs";
  }
  return found;
}

Mounts Mounts::read(Files &files) {
  // Files in /proc report no size, so the file is read until its end.
  auto file = files.open("/proc/self/mountinfo");
  std::string text;
  if (!file) {
    llvm::consumeError(file.takeError());
    return {};
  }
  while (text.size() < 16 << 20) {
    size_t had = text.size();
    text.resize(had + (16 << 10));
    auto got = (**file).readAt(had, {text.data() + had, text.size() - had});
    if (!got)
      llvm::consumeError(got.takeError());
    text.resize(had + (got ? *got : 0));
    if (text.size() == had)
      break;
  }
  return parse(text);
}

bool Mounts::isNoExec(StringRef path, uint64_t device, Files &files) const {
  if (!anyDevice && !devices.count(device))
    return false;
  std::string real = files.realPath(path).value_or(path.str());
  const Mount *best = nullptr;
  for (const Mount &mount : mounts) {
    StringRef below = real;
    bool holds = mount.point == "/" || (below.consume_front(mount.point) && below.starts_with("/"));
    if (holds && (!best || mount.point.size() >= best->point.size()))
      best = &mount;
  }
  return best && best->noExec;
}

} // namespace cudacc::probe
