// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/Members.h"
#include "driver/binary/elf/Symbols.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::binary {

static constexpr uint64_t MaxMemberNames = 1 << 20, MaxMemberNameBytes = 64 << 20;

llvm::Expected<Members::Name *> Members::nameOf(llvm::StringRef text, Bytes &bytes) {
  auto [place, isNew] = names.try_emplace(text);
  if (isNew) {
    nameBytes += text.size();
    if (names.size() > MaxMemberNames || nameBytes > MaxMemberNameBytes)
      return bytes.limit("more than 2^20 symbols, or names of more than 64 MiB");
    place->second.order = names.size();
  }
  return &place->second;
}

llvm::Error Members::addSymbols(const Image &image, Bytes &bytes) {
  ObjectSymbols symbols;
  if (auto error = readObjectSymbols(image, true, symbols))
    return error;
  facts.irMembers += symbols.slimLto;
  for (const core::Import &import : symbols.undefined) {
    auto name = nameOf(import.symbol, bytes);
    if (!name)
      return name.takeError();
    (*name)->needed = true;
    (*name)->strong |= !import.weak;
  }
  for (const std::string &symbol : symbols.defined) {
    auto name = nameOf(symbol, bytes);
    if (!name)
      return name.takeError();
    (*name)->defined = true;
  }
  return llvm::Error::success();
}

llvm::Error Members::addElf(const std::string &name, Bytes &bytes) {
  auto image = Image::open(bytes);
  if (!image)
    return image.takeError();
  core::Manifest manifest;
  if (auto error = readNotes(*image, budget, manifest, dlopens, nullptr))
    return error;
  if (!manifest.empty() || !manifest.problems.empty())
    facts.members.push_back({name, std::move(manifest)});
  if (options.imports && options.thorough && image->header.e_type == llvm::ELF::ET_REL)
    if (auto error = addSymbols(*image, bytes))
      return error;
  return options.device ? device.read(*image) : llvm::Error::success();
}

llvm::Error Members::add(const std::string &name, Bytes &bytes) {
  auto identity = identify(bytes);
  if (!identity)
    return identity.takeError();
  facts.irMembers += identity->bitcode;
  if (facts.notAudited.empty())
    facts.notAudited = std::move(identity->notAudited);
  if (!identity->readable)
    return llvm::Error::success();
  ++facts.elfMembers;
  if (!facts.machine)
    facts.machine = identity->machine;
  return addElf(name, bytes);
}

void Members::finish() {
  facts.dlopens = std::move(dlopens.sonames);
  std::vector<const llvm::StringMapEntry<Name> *> open;
  for (const auto &entry : names)
    if (entry.second.needed && !entry.second.defined)
      open.push_back(&entry);
  llvm::sort(open, [](const auto *a, const auto *b) { return a->second.order < b->second.order; });
  for (const auto *entry : open) {
    core::Import import;
    import.symbol = entry->first().str();
    import.weak = !entry->second.strong;
    facts.imports.push_back(std::move(import));
  }
}

} // namespace cudacc::binary
