// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/RelocatableObjects.h"
#include "driver/binary/archive/Archive.h"
#include "driver/binary/device/Device.h"
#include "driver/binary/device/DeviceSections.h"
#include "driver/binary/manifest/Notes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::binary {

using llvm::StringRef;

/// Limit for the names in one section.
static constexpr uint64_t MaxNames = 64 << 20;
/// Longer section names are none of those that are read here.
static constexpr size_t NameRoom = 32;

/// Appends the NUL-terminated strings of a section; alignment leaves empty ones between them.
static llvm::Error readNames(Bytes &bytes, const llvm::ELF::Elf64_Shdr &section,
                             std::vector<std::string> &names) {
  if (section.sh_type == llvm::ELF::SHT_NOBITS)
    return llvm::Error::success();
  if (section.sh_size > MaxNames)
    return bytes.limit("a list of host references of more than 64 MiB");
  auto text = bytes.bytes(section.sh_offset, section.sh_size, "a list of names of device code");
  if (!text)
    return text.takeError();
  for (StringRef name : llvm::split(*text, '\0'))
    if (!name.empty())
      names.push_back(name.str());
  return llvm::Error::success();
}

/// Reads the sections that nvcc writes beside relocatable device code. `.nvHR` is followed by K
/// (kernels), D (variables) or C (constants), and by E (external) or I (internal).
static llvm::Error readSections(const Image &image, RelocatableObject &object) {
  return image.eachSection(
      [&](uint64_t index, const llvm::ELF::Elf64_Shdr &section) -> llvm::Error {
        auto name = sectionName(image, index, NameRoom);
        if (!name)
          return name.takeError();
        if (*name == "__nv_module_id")
          return readNames(image.bytes, section, object.modules);
        StringRef kind = *name;
        if (!kind.consume_front(".nvHR") || kind.size() != 2)
          return llvm::Error::success();
        return readNames(image.bytes, section, kind[0] == 'K' ? object.kernels : object.variables);
      });
}

static bool hasRelocatable(const core::DeviceCode &device) {
  return llvm::any_of(device.units, [](const core::DeviceUnit &unit) {
    return unit.home == core::DeviceUnit::Home::Relocatable;
  });
}

static llvm::Error visitObject(const std::string &member, Bytes &bytes, LinkFile &file,
                               VisitObject visit) {
  auto image = Image::open(bytes);
  if (!image)
    return image.takeError();
  RelocatableObject object;
  if (llvm::Error error = readDevice(*image, {}, object.device))
    return error;
  // A hint that the sections are there.
  file.hasReferences &= object.device.relocatable;
  if (!hasRelocatable(object.device))
    return llvm::Error::success();
  if (llvm::Error error = readSections(*image, object))
    return error;
  NoteBudget budget;
  DlopenNotes dlopens;
  if (llvm::Error error = readNotes(*image, budget, object.manifest, dlopens, nullptr))
    return error;
  auto all = bytes.bytes(0, bytes.size(), "the object");
  if (!all)
    return all.takeError();
  object.member = member;
  object.bytes = std::move(*all);
  return visit(std::move(object));
}

static bool isObject(Bytes &bytes, const Identity &identity) {
  auto type = bytes.get<uint16_t>(offsetof(llvm::ELF::Elf64_Ehdr, e_type), "the ELF header");
  if (type)
    return identity.readable && *type == llvm::ELF::ET_REL;
  llvm::consumeError(type.takeError());
  return false;
}

llvm::Expected<LinkFile> eachRelocatableObject(core::ReadableFile &file, StringRef path,
                                               OpenMember openMember, VisitObject visit) {
  Bytes bytes(file, path, 0, file.size());
  auto identity = identify(bytes);
  if (!identity)
    return identity.takeError();
  LinkFile result;
  if (identity->archive || identity->thinArchive) {
    result.kind = LinkFile::Kind::Archive;
    auto count = eachMember(file, bytes, path, identity->thinArchive, openMember,
                            [&](const std::string &name, Bytes &member) -> llvm::Error {
                              auto kind = identify(member);
                              if (!kind)
                                return kind.takeError();
                              return isObject(member, *kind)
                                         ? visitObject(name, member, result, visit)
                                         : llvm::Error::success();
                            });
    if (!count)
      return count.takeError();
  } else if (isObject(bytes, *identity)) {
    result.kind = LinkFile::Kind::Object;
    if (llvm::Error error = visitObject("", bytes, result, visit))
      return error;
  } else if (identity->readable) {
    result.kind = LinkFile::Kind::Linked;
  }
  return result;
}

} // namespace cudacc::binary
