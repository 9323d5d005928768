// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/device/FatbinWrappers.h"
#include "driver/binary/device/Fatbin.h"
#include "driver/binary/device/FatbinRelocations.h"
#include "driver/versions/Format.h"

namespace cudacc::binary {

using namespace llvm::ELF;

static constexpr uint64_t MaxWrappers = 1 << 18;

namespace {
class Wrappers {
public:
  Wrappers(const Image &image, core::DeviceCode &device)
      : image(image), device(device), isObject(image.header.e_type == ET_REL) {}

  llvm::Error collect(const WrapperRange &range);
  llvm::Expected<std::vector<WrapperTarget>> targets(llvm::ArrayRef<WrapperRange> ranges);

private:
  const Image &image;
  core::DeviceCode &device;
  bool isObject;
  std::vector<WrapperSlot> slots;
  /// Total size of all ranges.
  uint64_t size = 0;
};
} // namespace

llvm::Error Wrappers::collect(const WrapperRange &range) {
  uint64_t count = range.size / sizeof(Wrapper);
  size += range.size;
  if (range.size > image.bytes.size() || size > image.bytes.size())
    return image.bytes.broken("the wrappers reach beyond the end", range.offset);
  if (range.size % sizeof(Wrapper))
    addClause(device.brokenWrappers, fmt::format("wrappers end in the middle of one (at {})",
                                                 image.bytes.where(range.offset)));
  if (count > MaxWrappers - slots.size()) {
    addClause(device.limits, "more than 262144 wrappers");
    count = MaxWrappers - slots.size();
  }
  return image.bytes.each<Wrapper>(
      range.offset, count, "the wrappers", [&](uint64_t i, const Wrapper &wrapper) {
        uint64_t into = i * sizeof(Wrapper);
        auto where = [&] {
          return fmt::format(" (at {})", image.bytes.where(range.offset + into));
        };
        if (wrapper.magic != WrapperMagic) {
          addClause(device.brokenWrappers, "a wrapper without its magic number" + where());
        } else if (wrapper.version != 1 && wrapper.version != 2) {
          addClause(device.unknown,
                    fmt::format("a wrapper of version {}{}", wrapper.version, where()));
        } else {
          slots.push_back({range.address + into + offsetof(Wrapper, container), wrapper.container,
                           range.offset + into, range.section, wrapper.version == 2});
        }
        return llvm::Error::success();
      });
}

llvm::Expected<std::vector<WrapperTarget>> Wrappers::targets(llvm::ArrayRef<WrapperRange> ranges) {
  if (slots.empty())
    return std::vector<WrapperTarget>();
  LoadMap map(image);
  if (!isObject)
    llvm::sort(slots,
               [](const WrapperSlot &a, const WrapperSlot &b) { return a.address < b.address; });
  if (auto error =
          isObject ? resolveObject(image, ranges, slots) : resolveLinked(image, map, slots))
    return error;
  std::vector<WrapperTarget> targets;
  for (const WrapperSlot &slot : slots) {
    uint64_t offset = isObject ? (slot.resolved ? slot.value : 0)
                               : map.offsetOf(slot.value, ContainerHeaderSize).value_or(0);
    targets.push_back({offset, slot.linked, slot.offset});
  }
  llvm::sort(targets);
  return targets;
}

llvm::Expected<std::vector<WrapperTarget>>
readWrappers(const Image &image, llvm::ArrayRef<WrapperRange> ranges, core::DeviceCode &device) {
  Wrappers wrappers(image, device);
  for (const WrapperRange &range : ranges)
    if (auto error = wrappers.collect(range))
      return error;
  return wrappers.targets(ranges);
}

} // namespace cudacc::binary
