// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/device/DeviceFile.h"
#include "driver/binary/device/DeviceSections.h"
#include "driver/binary/device/Fatbin.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::binary {

using core::DeviceImage;
using core::DeviceUnit;
using core::ImageKind;
using llvm::StringRef;

/// Both relevant directives of PTX are within this size, whatever comments precede them.
static constexpr uint64_t MaxTextHead = 64 << 10;
/// A tool's note is a few hundred bytes long.
static constexpr uint64_t MaxNote = 16 << 10;
/// Earlier architectures have no suffix.
static constexpr uint16_t FirstWithSuffix = 90, FirstWithFamilies = 100;

static StringRef skipComments(StringRef text) {
  for (;;) {
    text = text.ltrim();
    if (text.starts_with("//"))
      text = text.drop_until([](char c) { return c == '\n'; });
    else if (text.starts_with("/*"))
      text = text.substr(std::min(text.find("*/", 2), text.size() - 2) + 2);
    else
      return text;
  }
}

/// Reads `.version 8.4` and `.target sm_90a, ...`, with which PTX begins, in this order.
static bool readPtx(StringRef head, core::DeviceCode &device) {
  StringRef text = skipComments(head);
  auto word = [&](StringRef directive) -> std::optional<StringRef> {
    if (!text.consume_front(directive) || !(text.starts_with(" ") || text.starts_with("\t")))
      return std::nullopt;
    text = text.ltrim(" \t");
    StringRef found =
        text.take_while([](char c) { return llvm::isAlnum(c) || c == '.' || c == '_'; });
    text = skipComments(text.drop_front(found.size()));
    return found;
  };
  auto version = word(".version");
  if (!version)
    return false;
  auto target = word(".target");
  auto number = versions::CudaVersion::parse(*version);
  auto arch = target ? versions::Arch::parse(*target) : std::nullopt;
  DeviceImage image;
  if (number && arch) {
    image.kind = ImageKind::Ptx;
    image.version = *number;
    image.arch = *arch;
  } else {
    addClause(device.unknown, "PTX whose .version or .target cannot be read");
  }
  device.units.push_back({DeviceUnit::Home::Fatbin, false, 1, {image}});
  return true;
}

/// Returns `sm_90a` from `-arch sm_90a -m 64` in the command that ptxas or nvlink recorded in a
/// note; std::nullopt if there is no such note or if it has another number.
static llvm::Expected<std::optional<versions::Arch>> notedArch(const Image &image,
                                                               unsigned number) {
  for (uint64_t i = 0; i != image.sectionCount; ++i) {
    auto section = image.section(i);
    if (!section)
      return section.takeError();
    if (section->sh_type != llvm::ELF::SHT_NOTE || section->sh_size > MaxNote)
      continue;
    auto name = sectionName(image, i, 64);
    if (!name)
      return name.takeError();
    if (*name != ".note.nv.tkinfo")
      continue;
    auto text = image.bytes.bytes(section->sh_offset, section->sh_size, "the note of the tool");
    if (!text)
      return text.takeError();
    for (StringRef rest = StringRef(*text).split("-arch").second; !rest.empty();
         rest = rest.split("-arch").second) {
      StringRef said =
          rest.ltrim(" =").take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      if (auto arch = versions::Arch::parse(said); arch && arch->number == number)
        return arch;
    }
  }
  return std::nullopt;
}

/// Returns what the flags say: ABI 7 has a flag for the suffix a (nvcc 12.4 and 12.5, sm_90 and
/// sm_90a compared), ABI 8 has none that is known (13.0). Families (sm_100f) came later than both.
static std::optional<versions::Arch> flaggedArch(const llvm::ELF::Elf64_Ehdr &header,
                                                 unsigned number) {
  versions::Arch arch;
  arch.number = number;
  if (number < FirstWithSuffix)
    return arch;
  if (header.e_ident[llvm::ELF::EI_ABIVERSION] != 7)
    return std::nullopt;
  if (header.e_flags & llvm::ELF::EF_CUDA_ACCELERATORS)
    arch.suffix = 'a';
  else if (number >= FirstWithFamilies)
    return std::nullopt;
  return arch;
}

static llvm::Error readBareCubin(Bytes &bytes, core::DeviceCode &device) {
  auto image = Image::open(bytes);
  if (!image)
    return image.takeError();
  auto cubin = readCubin(bytes.size(), [&](uint64_t offset, llvm::MutableArrayRef<char> out) {
    return bytes.read(offset, out, "the cubin");
  });
  if (!cubin)
    return cubin.takeError();
  DeviceImage found;
  found.kind = ImageKind::Cubin;
  found.code = cubin->code;
  found.relocatable = cubin->relocatable;
  found.arch.number = cubin->arch;
  std::optional<versions::Arch> arch = flaggedArch(image->header, cubin->arch);
  if (!arch) {
    auto noted = notedArch(*image, cubin->arch);
    if (!noted)
      return noted.takeError();
    arch = *noted;
  }
  if (arch)
    found.arch = *arch;
  if (!cubin->readable || !cubin->arch) {
    found.kind = ImageKind::Unknown;
    addClause(device.unknown, "a cubin of an unknown form");
  } else if (!arch) {
    found.kind = ImageKind::Unknown;
    addClause(device.unknown,
              fmt::format("a cubin for sm_{} that does not say whether it is for that GPU alone",
                          cubin->arch));
  }
  auto home = found.relocatable ? DeviceUnit::Home::Relocatable : DeviceUnit::Home::Fatbin;
  device.units.push_back({home, false, 1, {found}});
  return llvm::Error::success();
}

/// The architecture's number times ten is at offset 26 (nvcc 13.0, sm_75 to sm_120 compared); where
/// a suffix is stored is unknown.
static llvm::Error readBareLtoIr(Bytes &bytes, core::DeviceCode &device) {
  constexpr uint64_t size = 28;
  if (!bytes.holds(0, size))
    return bytes.broken("LTO-IR that ends in its header", 0);
  auto head = bytes.bytes(0, size, "the header of LTO-IR");
  if (!head)
    return head.takeError();
  auto at = [&](size_t i) { return uint8_t((*head)[i]); };
  DeviceImage image;
  image.kind = ImageKind::LtoIr;
  image.version = {at(4), at(5)};
  unsigned number = at(26) | at(27) << 8;
  if (number % 10 == 0 && number / 10 < FirstWithSuffix)
    image.arch.number = number / 10;
  device.units.push_back({DeviceUnit::Home::Relocatable, false, 1, {image}});
  return llvm::Error::success();
}

static llvm::Error readBareFatbin(Bytes &bytes, const DeviceOptions &options,
                                  core::DeviceCode &device) {
  Image image{bytes};
  // F10 inflates only what the verdict needs; in this file, that is everything.
  DeviceOptions opening = options;
  opening.inflate = true;
  if (llvm::Error error = DeviceReader(opening, device).readContainers(image, bytes.size()))
    return error;
  for (DeviceUnit &unit : device.units) {
    bool ltoIr = llvm::any_of(
        unit.images, [](const DeviceImage &each) { return each.kind == ImageKind::LtoIr; });
    bool linked = llvm::any_of(unit.images, [](const DeviceImage &each) {
      return each.kind == ImageKind::Unknown || each.kind == ImageKind::Ptx ||
             (each.kind == ImageKind::Cubin && !each.relocatable);
    });
    bool relocatable = llvm::any_of(unit.images, [](const auto &each) { return each.relocatable; });
    if (relocatable || (ltoIr && !linked))
      unit.home = DeviceUnit::Home::Relocatable;
  }
  return llvm::Error::success();
}

llvm::Expected<bool> readDeviceFile(Bytes &bytes, const Identity &identity,
                                    const DeviceOptions &options, core::BinaryFacts &facts) {
  llvm::Error error = llvm::Error::success();
  if (identity.fatbin) {
    error = readBareFatbin(bytes, options, facts.device);
  } else if (identity.cubin) {
    error = readBareCubin(bytes, facts.device);
  } else if (identity.ltoIr) {
    error = readBareLtoIr(bytes, facts.device);
  } else {
    if (identity.elf || identity.archive || identity.bitcode)
      return false;
    auto head = bytes.bytes(0, std::min<uint64_t>(bytes.size(), MaxTextHead), "the text");
    if (!head)
      return head.takeError();
    if (!readPtx(*head, facts.device))
      return false;
  }
  if (error)
    return error;
  facts.kind = core::BinaryKind::DeviceCode;
  facts.machine = 0;
  facts.notAudited.clear();
  return true;
}

} // namespace cudacc::binary
