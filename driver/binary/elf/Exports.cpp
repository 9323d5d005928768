// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Exports.h"
#include "driver/binary/elf/SymbolCount.h"
#include "driver/binary/elf/Symbols.h"
#include "driver/binary/elf/Versions.h"
#include "llvm/Object/ELF.h"

namespace cudacc::binary {

using namespace llvm::ELF;

/// Limit for the symbols in one hash chain. Linkers make short chains.
static constexpr unsigned MaxChain = 1 << 16;

struct ExportTable::State {
  std::unique_ptr<core::ReadableFile> file;
  std::string path;
  /// Separate caches, so that the tables do not evict each other.
  Bytes bytes, hashes, symbols, strings;
  Image image;
  Dynamic dynamic;
  VersionNames versions;
  bool versioned = false;
  GnuHashHeader gnu{};
  uint32_t sysvBuckets = 0, sysvChains = 0;
  /// File offsets; 0 if the table is absent.
  uint64_t gnuOffset = 0, sysvOffset = 0;

  State(std::unique_ptr<core::ReadableFile> opened, llvm::StringRef name)
      : file(std::move(opened)), path(name.str()), bytes(*file, path, 0, file->size()),
        hashes(*file, path, 0, file->size()), symbols(*file, path, 0, file->size()),
        strings(*file, path, 0, file->size()), image{bytes} {}

  llvm::Error open();
  llvm::Error openHashes();
  llvm::Expected<bool> find(llvm::StringRef symbol, llvm::StringRef node);

private:
  /// The state of one look-up.
  struct Search {
    llvm::StringRef symbol, node;
    /// Default versions found, if no node is required.
    unsigned defaults = 0;
    bool found = false;
  };
  llvm::Error match(uint64_t index, Search &search);
  llvm::Expected<bool> versionFits(uint64_t index, Search &search);
  llvm::Error searchGnu(Search &search);
  llvm::Error searchSysv(Search &search);
  llvm::Expected<uint32_t> word(uint64_t offset) {
    return hashes.get<uint32_t>(offset, "the hash table");
  }
};

llvm::Error ExportTable::State::openHashes() {
  if (dynamic.gnuHash) {
    auto offset = image.offsetOf(dynamic.gnuHash, sizeof(GnuHashHeader), "the GNU hash table");
    if (!offset)
      return offset.takeError();
    auto header = hashes.get<GnuHashHeader>(*offset, "the GNU hash table");
    if (!header)
      return header.takeError();
    gnu = *header;
    // The loader masks the filter's index with the filter's size, so this is a power of two.
    if (!gnu.filterWords || gnu.filterWords & (gnu.filterWords - 1))
      return bytes.broken("the GNU hash table contradicts itself", *offset);
    gnuOffset = *offset + sizeof(GnuHashHeader);
    return llvm::Error::success();
  }
  if (!dynamic.hash)
    return llvm::Error::success();
  auto offset = image.offsetOf(dynamic.hash, 8, "the hash table");
  if (!offset)
    return offset.takeError();
  auto buckets = word(*offset), chains = word(*offset + 4);
  if (!buckets || !chains)
    return llvm::joinErrors(buckets.takeError(), chains.takeError());
  sysvBuckets = *buckets;
  sysvChains = *chains;
  sysvOffset = *offset + 8;
  return llvm::Error::success();
}

llvm::Error ExportTable::State::open() {
  auto read = openDynamic(bytes, image);
  if (!read)
    return read.takeError();
  if (!image.segment(PT_DYNAMIC))
    return bytes.broken("it has no dynamic section", 0);
  dynamic = *read;
  auto names = readVersionNames(image, dynamic);
  if (!names)
    return names.takeError();
  versions = std::move(*names);
  // _dl_check_map_versions enables the table only for files that define or need a version.
  versioned = dynamic.versions && (dynamic.needs || dynamic.definitions);
  return openHashes();
}

/// The version conditions of check_match. Nodes are compared by name instead of by the hash in the
/// tables, which is derived from the name.
llvm::Expected<bool> ExportTable::State::versionFits(uint64_t index, Search &search) {
  if (!versioned)
    return true;
  static constexpr char what[] = "the symbol version table";
  auto offset = image.offsetOf(dynamic.versions + index * 2, 2, what);
  if (!offset)
    return offset.takeError();
  auto entry = symbols.get<uint16_t>(*offset, what);
  if (!entry)
    return entry.takeError();
  bool hidden = *entry & 0x8000;
  if (!search.node.empty()) {
    const VersionNames::Version *version = versions.at(*entry);
    return version ? search.node == version->name : !hidden;
  }
  if ((*entry & 0x7fff) < 3)
    return true;
  search.defaults += !hidden;
  return false;
}

llvm::Error ExportTable::State::match(uint64_t index, Search &search) {
  static constexpr char what[] = "the symbol table";
  auto offset =
      image.offsetOf(dynamic.symbols + index * sizeof(Elf64_Sym), sizeof(Elf64_Sym), what);
  if (!offset)
    return offset.takeError();
  auto symbol = symbols.get<Elf64_Sym>(*offset, what);
  if (!symbol)
    return symbol.takeError();
  uint64_t size = search.symbol.size();
  if (!bindable(*symbol) || symbol->getBinding() == STB_LOCAL ||
      symbol->st_name >= dynamic.stringsSize || size >= dynamic.stringsSize - symbol->st_name)
    return llvm::Error::success();
  char part[256];
  for (uint64_t at = 0; at <= size; at += sizeof(part)) {
    uint64_t count = std::min<uint64_t>(size + 1 - at, sizeof(part));
    if (auto error = strings.read(dynamic.stringsOffset + symbol->st_name + at, {part, count},
                                  "a symbol's name"))
      return error;
    bool last = at + count == size + 1;
    if (llvm::StringRef(part, count - last) != search.symbol.substr(at, count) ||
        (last && part[count - 1]))
      return llvm::Error::success();
  }
  auto fits = versionFits(index, search);
  if (!fits)
    return fits.takeError();
  search.found = *fits;
  return llvm::Error::success();
}

llvm::Error ExportTable::State::searchGnu(Search &search) {
  uint32_t hash = llvm::object::hashGnu(search.symbol);
  uint64_t filter = gnuOffset + uint64_t(hash / 64 & (gnu.filterWords - 1)) * 8;
  auto bits = hashes.get<uint64_t>(filter, "the hash table");
  if (!bits)
    return bits.takeError();
  if (!(*bits >> (hash % 64) & *bits >> ((hash >> (gnu.shift & 31)) % 64) & 1) || !gnu.buckets)
    return llvm::Error::success();
  uint64_t buckets = gnuOffset + uint64_t(gnu.filterWords) * 8;
  uint64_t chains = buckets + uint64_t(gnu.buckets) * 4;
  auto first = word(buckets + uint64_t(hash % gnu.buckets) * 4);
  if (!first)
    return first.takeError();
  if (!*first)
    return llvm::Error::success();
  if (*first < gnu.firstSymbol)
    return bytes.broken("the GNU hash table contradicts itself", buckets);
  for (uint64_t index = *first; index != *first + uint64_t(MaxChain); ++index) {
    auto chain = word(chains + (index - gnu.firstSymbol) * 4);
    if (!chain)
      return chain.takeError();
    if ((*chain | 1) == (hash | 1))
      if (auto error = match(index, search))
        return error;
    if (search.found || *chain & 1)
      return llvm::Error::success();
  }
  return bytes.limit("a hash chain of more than 2^16 symbols");
}

llvm::Error ExportTable::State::searchSysv(Search &search) {
  if (!sysvBuckets)
    return llvm::Error::success();
  auto index = word(sysvOffset + uint64_t(llvm::object::hashSysV(search.symbol) % sysvBuckets) * 4);
  for (unsigned i = 0; i != MaxChain; ++i) {
    if (!index)
      return index.takeError();
    if (!*index)
      return llvm::Error::success();
    if (*index >= sysvChains)
      return bytes.broken("the hash table contradicts itself", sysvOffset);
    if (auto error = match(*index, search))
      return error;
    if (search.found)
      return llvm::Error::success();
    index = word(sysvOffset + (uint64_t(sysvBuckets) + *index) * 4);
  }
  llvm::consumeError(index.takeError());
  return bytes.limit("a hash chain of more than 2^16 symbols");
}

llvm::Expected<bool> ExportTable::State::find(llvm::StringRef symbol, llvm::StringRef node) {
  Search search{symbol, node};
  if (symbol.empty() || !dynamic.symbols)
    return false;
  if (gnuOffset) {
    if (auto error = searchGnu(search))
      return error;
  } else if (sysvOffset) {
    if (auto error = searchSysv(search))
      return error;
  }
  return search.found || search.defaults == 1;
}

ExportTable::ExportTable(std::unique_ptr<State> state) : state(std::move(state)) {}
ExportTable::~ExportTable() = default;

llvm::Expected<std::unique_ptr<ExportTable>>
ExportTable::open(std::unique_ptr<core::ReadableFile> file, llvm::StringRef path) {
  auto state = std::make_unique<State>(std::move(file), path);
  if (auto error = state->open())
    return error;
  return std::unique_ptr<ExportTable>(new ExportTable(std::move(state)));
}

versions::Exported ExportTable::find(llvm::StringRef symbol, llvm::StringRef node) {
  auto found = state->find(symbol, node);
  if (found)
    return *found ? versions::Exported::Yes : versions::Exported::No;
  llvm::consumeError(found.takeError());
  return versions::Exported::Unknown;
}

bool ExportTable::versioned() const { return state->versioned; }

} // namespace cudacc::binary
