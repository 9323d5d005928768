// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Bindings.h"
#include "driver/binary/elf/Versions.h"
#include "llvm/ADT/StringSet.h"
#include <unordered_map>

namespace cudacc::binary {

using namespace llvm::ELF;

/// Limit for the bytes of names read from one file.
static constexpr uint64_t MaxBoundNames = 256 << 20;

namespace {

/// A linked file with its dynamic section.
struct Linked {
  Bytes bytes;
  Image image;
  Dynamic dynamic;

  Linked(core::ReadableFile &file, llvm::StringRef path)
      : bytes(file, path, 0, file.size()), image{bytes} {}
  llvm::Error open();
};

/// One pass over the relocations of a file.
class Order {
public:
  Order(Linked &linked, llvm::ArrayRef<llvm::StringRef> wanted) : linked(linked) {
    for (llvm::StringRef name : wanted)
      left.insert(name);
  }
  llvm::Expected<std::vector<Binding>> read();

private:
  Linked &linked;
  llvm::StringSet<> left;
  /// By symbol index, which may be any number: the symbol's name if it is wanted, else empty.
  std::unordered_map<uint32_t, std::string> names;
  std::vector<Binding> found;
  uint64_t spent = 0;

  llvm::Error table(uint64_t address, uint64_t size, bool isLazy);
  llvm::Expected<llvm::StringRef> nameOf(uint32_t index);
};

} // namespace

llvm::Error Linked::open() {
  auto read = openDynamic(bytes, image);
  if (!read)
    return read.takeError();
  dynamic = *read;
  return llvm::Error::success();
}

llvm::Expected<llvm::StringRef> Order::nameOf(uint32_t index) {
  auto [place, isNew] = names.try_emplace(index);
  if (!isNew)
    return place->second;
  static constexpr char what[] = "the symbol table";
  auto offset = linked.image.offsetOf(linked.dynamic.symbols + uint64_t(index) * sizeof(Elf64_Sym),
                                      sizeof(Elf64_Sym), what);
  if (!offset)
    return offset.takeError();
  auto symbol = linked.bytes.get<Elf64_Sym>(*offset, what);
  if (!symbol)
    return symbol.takeError();
  auto name = linked.dynamic.string(linked.bytes, symbol->st_name, "a symbol's name");
  if (!name)
    return name.takeError();
  if ((spent += name->size()) > MaxBoundNames)
    return linked.bytes.limit("symbol names of more than 256 MiB");
  if (symbol->st_shndx == SHN_UNDEF && left.contains(*name))
    place->second = std::move(*name);
  return place->second;
}

llvm::Error Order::table(uint64_t address, uint64_t size, bool isLazy) {
  static constexpr char what[] = "a relocation table";
  if (!address || !size)
    return llvm::Error::success();
  auto offset = linked.image.offsetOf(address, size, what);
  if (!offset)
    return offset.takeError();
  return linked.bytes.each<Elf64_Rela>(*offset, size / sizeof(Elf64_Rela), what,
                                       [&](uint64_t, const Elf64_Rela &relocation) -> llvm::Error {
                                         uint32_t index = relocation.r_info >> 32;
                                         if (!index || left.empty())
                                           return llvm::Error::success();
                                         auto name = nameOf(index);
                                         if (!name)
                                           return name.takeError();
                                         if (left.erase(*name))
                                           found.push_back({name->str(), isLazy});
                                         return llvm::Error::success();
                                       });
}

llvm::Expected<std::vector<Binding>> Order::read() {
  const Dynamic &dynamic = linked.dynamic;
  bool now = dynamic.bindNow || dynamic.flags & DF_BIND_NOW || dynamic.flags1 & DF_1_NOW;
  if (!dynamic.symbols)
    return std::move(found);
  if (auto error = table(dynamic.relocations, dynamic.relocationsSize, false))
    return error;
  if (auto error = table(dynamic.pltRelocations, dynamic.pltRelocationsSize, !now))
    return error;
  return std::move(found);
}

llvm::Expected<std::vector<Binding>> bindingOrder(core::ReadableFile &file, llvm::StringRef path,
                                                  llvm::ArrayRef<llvm::StringRef> wanted) {
  Linked linked(file, path);
  if (auto error = linked.open())
    return error;
  return Order(linked, wanted).read();
}

llvm::Expected<std::vector<core::VersionNeed>> versionNeeds(core::ReadableFile &file,
                                                            llvm::StringRef path) {
  Linked linked(file, path);
  if (auto error = linked.open())
    return error;
  auto names = readVersionNames(linked.image, linked.dynamic);
  if (!names)
    return names.takeError();
  std::vector<core::VersionNeed> needs;
  for (const VersionNames::Asked &asked : names->asked)
    if (const VersionNames::Version *version = names->at(asked.index); version && !version->defined)
      needs.push_back({names->files[version->file], version->name, asked.isWeak});
  return needs;
}

} // namespace cudacc::binary
