// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/device/Device.h"
#include "driver/binary/device/DeviceSections.h"
#include "driver/binary/device/Fatbin.h"
#include "driver/binary/elf/Bytes.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

namespace cudacc::binary {

using core::DeviceUnit;
using Home = DeviceUnit::Home;
using Found = ContainerReader::State;

static constexpr char tooMany[] = "more than 262144 containers or 1048576 images";

namespace {
/// Scans a part of a file in words of eight bytes, reading large pieces in sequence. Uses the
/// memory of one piece.
class WordFinder {
public:
  explicit WordFinder(Bytes &bytes) : bytes(bytes) {}

  /// Offset of the first word at or after \p at, in steps of eight, for which \p test holds; \p end
  /// if there is none. A remainder of less than eight bytes is ignored.
  template <typename Test> llvm::Expected<uint64_t> find(uint64_t at, uint64_t end, Test test) {
    while (at < end && end - at >= sizeof(uint64_t)) {
      auto words = piece(at, end);
      if (!words)
        return words.takeError();
      for (uint64_t i = 0; i + sizeof(uint64_t) <= words->size(); i += sizeof(uint64_t)) {
        uint64_t word;
        std::memcpy(&word, words->data() + i, sizeof(word));
        if (test(word))
          return at + i;
      }
      at += words->size() & ~uint64_t(7);
    }
    return end;
  }

private:
  static constexpr uint64_t PieceSize = 256 << 10;
  Bytes &bytes;
  uint64_t offset = 0, filled = 0;
  std::unique_ptr<char[]> data;

  /// The buffered bytes from \p at on, at least eight; \p end is at least that far away.
  llvm::Expected<llvm::StringRef> piece(uint64_t at, uint64_t end) {
    if (at < offset || at - offset > filled || filled - (at - offset) < sizeof(uint64_t)) {
      if (!data)
        data.reset(new char[PieceSize]);
      filled = 0;
      uint64_t size = std::min(PieceSize, end - at);
      if (auto error = bytes.readApart(at, {data.get(), size}, "a section"))
        return error;
      offset = at;
      filled = size;
    }
    uint64_t size = std::min(filled - (at - offset), end - at);
    return llvm::StringRef(data.get() + (at - offset), size);
  }
};

/// Compares units by content; they are given by index.
struct SameUnits {
  const std::vector<DeviceUnit> *units;
  bool operator()(size_t a, size_t b) const {
    const DeviceUnit &x = (*units)[a], &y = (*units)[b];
    return std::tie(x.home, x.linked, x.images) < std::tie(y.home, y.linked, y.images);
  }
};

/// Reads the device code of one file.
class DeviceWalk {
public:
  DeviceWalk(const Image &image, core::DeviceCode &device, ContainerReader &reader,
             std::set<size_t, SameUnits> &known, OnContainer onContainer)
      : image(image), device(device), reader(reader), known(known), onContainer(onContainer),
        finder(image.bytes) {}

  llvm::Error run(bool deep);
  llvm::Error containers(uint64_t size);

private:
  const Image &image;
  core::DeviceCode &device;
  ContainerReader &reader;
  std::set<size_t, SameUnits> &known;
  OnContainer onContainer;
  WordFinder finder;
  std::vector<WrapperTarget> targets;
  /// The file offsets of all containers that were read.
  std::vector<uint64_t> offsets;
  bool spent = false;

  llvm::Error section(const ByteRange &range, Home home);
  /// Where to continue after an offset without a container.
  llvm::Expected<uint64_t> behind(uint64_t at, uint64_t end);
  llvm::Expected<uint64_t> nextContainer(uint64_t at, uint64_t end);
  llvm::Error scan(const ByteRange &range, bool nameless);
  llvm::Error findWrappers();
  llvm::Error checkTargets();
  llvm::Expected<uint64_t> found(uint64_t at, uint64_t end, bool nameless, bool &any);
  const WrapperTarget *targetAt(uint64_t offset) const;
  llvm::Error show(uint64_t at, Home home, bool linked);
  void add(Home home, bool linked);
};
} // namespace

const WrapperTarget *DeviceWalk::targetAt(uint64_t offset) const {
  // If a container has several wrappers, that of the device link counts; it sorts last.
  auto next = llvm::upper_bound(targets, WrapperTarget{offset, true, UINT64_MAX});
  return next != targets.begin() && std::prev(next)->offset == offset ? &*std::prev(next) : nullptr;
}

/// Passes the container that was read last.
llvm::Error DeviceWalk::show(uint64_t at, Home home, bool linked) {
  if (!onContainer)
    return llvm::Error::success();
  return onContainer(
      {home, linked, reader.images, reader.release, image.bytes, at, reader.next - at});
}

void DeviceWalk::add(Home home, bool linked) {
  device.units.push_back({home, linked, 1, std::move(reader.images)});
  auto [same, isNew] = known.insert(device.units.size() - 1);
  if (isNew)
    return;
  ++device.units[*same].count;
  reader.images = std::move(device.units.back().images);
  device.units.pop_back();
}

llvm::Expected<uint64_t> DeviceWalk::behind(uint64_t at, uint64_t end) {
  auto next = finder.find(at, end, [](uint64_t word) { return word != 0; });
  if (!next || *next != at)
    return next;
  addClause(device.unknown, fmt::format("bytes that are no container among device code (at {})",
                                        image.bytes.where(at)));
  return nextContainer(at + sizeof(uint64_t), end);
}

llvm::Expected<uint64_t> DeviceWalk::nextContainer(uint64_t at, uint64_t end) {
  return finder.find(at, end, [](uint64_t word) { return word == ContainerStart; });
}

llvm::Error DeviceWalk::section(const ByteRange &range, Home home) {
  for (uint64_t at = range.begin; at < range.end && !spent;) {
    auto state = reader.read(at, range.end, home);
    if (!state)
      return state.takeError();
    for (const std::string &problem : reader.problems)
      addClause(device.unknown, problem);
    spent = *state == Found::Spent;
    if (*state != Found::None)
      offsets.push_back(at);
    if (*state == Found::Good || !reader.images.empty()) {
      const WrapperTarget *target = targetAt(at);
      bool linked = target && target->linked;
      if (*state == Found::Good)
        if (auto error = show(at, home, linked))
          return error;
      add(home, linked);
    }
    if (*state == Found::Good || *state == Found::Foreign) {
      at = range.begin + llvm::alignTo(reader.next - range.begin, 8);
      continue;
    }
    auto next = *state == Found::None ? behind(at, range.end)
                                      : nextContainer(at + sizeof(uint64_t), range.end);
    if (!next)
      return next.takeError();
    at = *next;
  }
  return llvm::Error::success();
}

/// Adds the container at \p at if there is one; returns the offset at which to continue.
llvm::Expected<uint64_t> DeviceWalk::found(uint64_t at, uint64_t end, bool nameless, bool &any) {
  auto state = reader.read(at, end, Home::Elsewhere);
  if (!state)
    return state.takeError();
  spent = *state == Found::Spent;
  if (*state != Found::Good)
    return at + sizeof(uint64_t);
  any = true;
  const WrapperTarget *target = targetAt(at);
  Home home = Home::Elsewhere;
  if (nameless && target)
    home = llvm::any_of(reader.images, [](const core::DeviceImage &i) { return i.relocatable; })
               ? Home::Relocatable
               : Home::Fatbin;
  if (home != Home::Elsewhere)
    for (const std::string &problem : reader.problems)
      addClause(device.unknown, problem);
  if (auto error = show(at, home, target && target->linked))
    return error;
  add(home, target && target->linked);
  return at + llvm::alignTo(reader.next - at, 8);
}

llvm::Error DeviceWalk::scan(const ByteRange &range, bool nameless) {
  bool any = false;
  for (uint64_t at = range.begin; at < range.end && !spent;) {
    auto hit = finder.find(at, range.end, [](uint64_t word) { return word == ContainerStart; });
    if (!hit)
      return hit.takeError();
    if (*hit >= range.end)
      break;
    auto next = found(*hit, range.end, nameless, any);
    if (!next)
      return next.takeError();
    at = *next;
  }
  if (!any || !range.section)
    return llvm::Error::success();
  auto name = sectionName(image, range.section, 256);
  if (!name)
    return name.takeError();
  if (!llvm::is_contained(device.otherSections, *name))
    addClause(device.otherSections, *name);
  return llvm::Error::success();
}

/// Used without section names: finds words in writable segments that look like a wrapper's magic.
llvm::Error DeviceWalk::findWrappers() {
  std::vector<WrapperRange> ranges;
  for (const llvm::ELF::Elf64_Phdr &segment : image.segments) {
    if (segment.p_type != llvm::ELF::PT_LOAD || !(segment.p_flags & llvm::ELF::PF_W) ||
        !image.bytes.holds(segment.p_offset, segment.p_filesz))
      continue;
    uint64_t end = segment.p_offset + segment.p_filesz;
    for (uint64_t at = segment.p_offset + (-segment.p_vaddr & 7); at < end;) {
      auto hit = finder.find(at, end, [](uint64_t word) {
        return word == (uint64_t(1) << 32 | WrapperMagic) ||
               word == (uint64_t(2) << 32 | WrapperMagic);
      });
      if (!hit)
        return hit.takeError();
      if (*hit >= end || end - *hit < sizeof(Wrapper))
        break;
      if (ranges.size() == MaxRanges) {
        addClause(device.limits, "too many wrappers");
        break;
      }
      ranges.push_back({*hit, sizeof(Wrapper), segment.p_vaddr + (*hit - segment.p_offset), 0});
      at = *hit + sizeof(Wrapper);
    }
  }
  // A false match is no damage, so its clauses are dropped.
  core::DeviceCode ignored;
  auto read = readWrappers(image, ranges, ignored);
  if (!read)
    return read.takeError();
  targets = std::move(*read);
  return llvm::Error::success();
}

llvm::Error DeviceWalk::checkTargets() {
  llvm::sort(offsets);
  for (const WrapperTarget &target : targets) {
    uint32_t magic = llvm::binary_search(offsets, target.offset) ? ContainerMagic : 0;
    if (!magic && target.offset && image.bytes.holds(target.offset, sizeof(magic)))
      if (auto error = image.bytes.readApart(
              target.offset, {reinterpret_cast<char *>(&magic), sizeof(magic)}, "a container"))
        return error;
    if (magic != ContainerMagic)
      addClause(device.brokenWrappers, fmt::format("a wrapper that points at no container (at {})",
                                                   image.bytes.where(target.wrapper)));
  }
  return llvm::Error::success();
}

llvm::Error DeviceWalk::run(bool deep) {
  auto sections = findDeviceSections(image, deep, device);
  if (!sections)
    return sections.takeError();
  if (sections->named) {
    auto read = readWrappers(image, sections->wrappers, device);
    if (!read)
      return read.takeError();
    targets = std::move(*read);
  } else if (auto error = findWrappers()) {
    return error;
  }
  for (const ByteRange &range : sections->fatbins)
    if (auto error = section(range, Home::Fatbin))
      return error;
  for (const ByteRange &range : sections->relocatable)
    if (auto error = section(range, Home::Relocatable))
      return error;
  if (sections->named)
    if (auto error = checkTargets())
      return error;
  size_t before = device.units.size();
  if (deep || !sections->named)
    for (const ByteRange &range : sections->data)
      if (auto error = scan(range, !sections->named))
        return error;
  // Without section names, the purpose of an object's containers cannot be determined.
  if (!sections->named && image.header.e_type == llvm::ELF::ET_REL && device.units.size() != before)
    addClause(device.unknown, "device code in an object without names of sections");
  if (spent)
    addClause(device.limits, tooMany);
  return llvm::Error::success();
}

llvm::Error DeviceWalk::containers(uint64_t size) {
  ByteRange whole;
  whole.begin = 0;
  whole.end = size;
  if (auto error = section(whole, Home::Fatbin))
    return error;
  if (spent)
    addClause(device.limits, tooMany);
  return llvm::Error::success();
}

struct DeviceReader::State {
  DeviceOptions options;
  core::DeviceCode &device;
  std::set<size_t, SameUnits> known;
  FatbinBudget budget;
  Inflater inflater;

  State(const DeviceOptions &options, core::DeviceCode &device)
      : options(options), device(device), known(SameUnits{&device.units}) {
    for (size_t i = 0; i != device.units.size(); ++i)
      known.insert(i);
  }
};

DeviceReader::DeviceReader(const DeviceOptions &options, core::DeviceCode &device)
    : state(std::make_unique<State>(options, device)) {}

DeviceReader::~DeviceReader() = default;

llvm::Error DeviceReader::read(const Image &image) {
  ContainerReader reader(image.bytes, state->options, state->device, state->budget,
                         state->inflater);
  return DeviceWalk(image, state->device, reader, state->known, state->options.onContainer)
      .run(state->options.deep);
}

llvm::Error DeviceReader::readContainers(const Image &image, uint64_t size) {
  ContainerReader reader(image.bytes, state->options, state->device, state->budget,
                         state->inflater);
  return DeviceWalk(image, state->device, reader, state->known, state->options.onContainer)
      .containers(size);
}

llvm::Error readDevice(const Image &image, const DeviceOptions &options, core::DeviceCode &device) {
  return DeviceReader(options, device).read(image);
}

} // namespace cudacc::binary
