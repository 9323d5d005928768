// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/device/Fatbin.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::binary {

using core::Compression;
using core::DeviceImage;
using core::HasCode;
using core::ImageKind;
using State = ContainerReader::State;

static constexpr uint32_t MaxEntryHeader = 64 << 10;
static constexpr uint16_t EntryMark = 0x0101;

namespace {
struct ContainerHeader {
  uint32_t magic;
  uint16_t version, headerSize;
  uint64_t size;
};
static_assert(sizeof(ContainerHeader) == ContainerHeaderSize);

/// FB-47.
struct GroupHeader {
  uint32_t count, size;
};
struct GroupMember {
  uint16_t kind, mark;
  uint32_t offset;
  uint64_t size, reserved;
  uint16_t minor, major;
  uint32_t arch;
  uint64_t reserved2, flags, reserved3, reserved4;
};
static_assert(sizeof(GroupMember) == 64);
} // namespace

void addClause(std::vector<std::string> &clauses, const llvm::Twine &clause) {
  if (clauses.size() == 16)
    return;
  std::string text = clause.str();
  if (!llvm::is_contained(clauses, text))
    clauses.push_back(std::move(text));
}

llvm::Error Window::read(uint64_t at, uint64_t end, llvm::MutableArrayRef<char> out) {
  if (out.size() > data.size())
    return bytes.readApart(at, out, "device code");
  if (at < offset || at - offset > filled || out.size() > filled - (at - offset)) {
    filled = 0;
    uint64_t size = std::max<uint64_t>(out.size(), std::min<uint64_t>(data.size(), end - at));
    if (auto error = bytes.readApart(at, {data.data(), size}, "device code"))
      return error;
    offset = at;
    filled = size;
  }
  std::memcpy(out.data(), data.data() + (at - offset), out.size());
  return llvm::Error::success();
}

static ImageKind kindOf(uint16_t kind) {
  switch (kind) {
  case PtxEntry:
    return ImageKind::Ptx;
  case CubinEntry:
    return ImageKind::Cubin;
  case LtoIrEntry:
    return ImageKind::LtoIr;
  default:
    return ImageKind::Unknown;
  }
}

static Compression compressionOf(const EntryHeader &header) {
  if (!header.compressedSize)
    return Compression::None;
  switch (header.flags & (ZstdPayload | Lz4Payload)) {
  case ZstdPayload:
    return Compression::Zstd;
  case Lz4Payload:
    return Compression::Lz4;
  default:
    return Compression::Unknown;
  }
}

/// The image that the header of an entry or of a group member describes.
template <typename Header>
static DeviceImage imageOf(const Header &header, Compression compression) {
  DeviceImage image;
  image.kind = kindOf(header.kind);
  image.compression = compression;
  // Architecture numbers with more than 16 bits are unknown.
  image.arch.number = header.arch <= UINT16_MAX ? header.arch : 0;
  // If both flags are set, the narrower one counts.
  image.arch.suffix = header.flags & SuffixA ? 'a' : header.flags & SuffixF ? 'f' : 0;
  if (image.kind == ImageKind::Ptx || image.kind == ImageKind::LtoIr)
    image.version = {header.major, header.minor};
  if (image.kind == ImageKind::Cubin)
    image.code = HasCode::Unknown;
  return image;
}

State ContainerReader::damaged(const char *what, uint64_t at) {
  addClause(problems, fmt::format("{} (at {})", what, bytes.where(at)));
  return State::Damaged;
}

void ContainerReader::unknown(const llvm::Twine &what, uint64_t at) {
  addClause(problems, fmt::format("{} (at {})", what, bytes.where(at)));
}

llvm::Expected<std::optional<llvm::StringRef>> ContainerReader::inflated(const Entry &entry) {
  const EntryHeader &header = entry.header;
  if (!inflating || header.flags & LtoIrPacked ||
      (entry.compression != Compression::Zstd && entry.compression != Compression::Lz4))
    return std::nullopt;
  auto result = inflater.inflate(bytes, entry.payload(), header.compressedSize, header.plainSize,
                                 entry.compression);
  if (!result)
    return result.takeError();
  std::string where = fmt::format(" (at {})", bytes.where(entry.at));
  if (result->state == Inflater::State::TooLarge)
    addClause(device.limits, "a payload of more than 64 MiB" + where);
  else if (result->state == Inflater::State::TooMuch)
    addClause(device.limits, "payloads of more than 1 GiB, and 64 times their size" + where);
  else if (result->state == Inflater::State::Broken && options.verify)
    addClause(device.disagreements, "a payload of another size than its header says" + where);
  if (result->state != Inflater::State::Whole)
    return std::nullopt;
  return result->text;
}

void ContainerReader::apply(const Cubin &cubin, DeviceImage &image, uint64_t at) {
  image.code = cubin.code;
  image.relocatable = cubin.relocatable;
  if (options.verify && !cubin.readable)
    disagree(image, "no cubin", at);
  else if (options.verify && cubin.arch && cubin.arch != image.arch.number)
    disagree(image, fmt::format("a cubin for sm_{}", cubin.arch), at);
}

llvm::Expected<Cubin> ContainerReader::plainCubin(uint64_t at, uint64_t size) {
  auto read = [&](uint64_t offset, llvm::MutableArrayRef<char> out) {
    return window.read(at + offset, at + size, out);
  };
  if (options.onContainer) {
    auto made = cubinRelease(size, read);
    if (!made)
      return made.takeError();
    addRelease(*made);
  }
  return readCubin(size, read);
}

Cubin ContainerReader::inflatedCubin(llvm::StringRef text) {
  if (options.onContainer)
    addRelease(cubinRelease(text));
  return readCubin(text);
}

llvm::Error ContainerReader::cubin(const Entry &entry, DeviceImage &image) {
  if (entry.compression == Compression::None) {
    auto cubin = plainCubin(entry.payload(), entry.header.payloadSize);
    if (!cubin)
      return cubin.takeError();
    apply(*cubin, image, entry.at);
    return llvm::Error::success();
  }
  auto text = inflated(entry);
  if (!text)
    return text.takeError();
  if (*text)
    apply(inflatedCubin(**text), image, entry.at);
  return llvm::Error::success();
}

llvm::Expected<State> ContainerReader::group(const Entry &entry) {
  const EntryHeader &header = entry.header;
  static const char outside[] = "a group reaches beyond its header";
  if (header.optionsAt < sizeof(EntryHeader) || header.optionsAt > header.headerSize ||
      header.headerSize - header.optionsAt < sizeof(GroupHeader))
    return damaged(outside, entry.at);
  uint64_t at = entry.at + header.optionsAt, room = header.headerSize - header.optionsAt;
  auto group = window.get<GroupHeader>(at, entry.payload());
  if (!group)
    return group.takeError();
  if (group->count > (room - sizeof(GroupHeader)) / sizeof(GroupMember))
    return damaged(outside, entry.at);
  auto text = inflated(entry);
  if (!text)
    return text.takeError();
  bool plain = entry.compression == Compression::None;
  uint64_t whole = plain ? header.payloadSize : header.plainSize;
  at += sizeof(GroupHeader);
  for (uint32_t i = 0; i != group->count; ++i, at += sizeof(GroupMember)) {
    if (!budget.entries)
      return State::Spent;
    --budget.entries;
    auto member = window.get<GroupMember>(at, entry.payload());
    if (!member)
      return member.takeError();
    if (member->offset > whole || member->size > whole - member->offset)
      return damaged("a member of a group reaches beyond its payload", at);
    if (member->mark != EntryMark || kindOf(member->kind) == ImageKind::Unknown) {
      unknown("a member of a group of an unknown kind or version", at);
      continue;
    }
    DeviceImage image = imageOf(*member, entry.compression);
    if (image.kind == ImageKind::Cubin && *text)
      apply(inflatedCubin((*text)->substr(member->offset, member->size)), image, at);
    if (image.kind == ImageKind::Cubin && plain) {
      auto cubin = plainCubin(entry.payload() + member->offset, member->size);
      if (!cubin)
        return cubin.takeError();
      apply(*cubin, image, at);
    }
    images.push_back(image);
  }
  return State::Good;
}

llvm::Expected<State> ContainerReader::entry(const Entry &entry) {
  const EntryHeader &header = entry.header;
  if (header.compressedSize > header.payloadSize)
    return damaged("a compressed payload reaches beyond its entry", entry.at);
  uint64_t optionsEnd = uint64_t(header.nameAt) + header.nameSize;
  if (header.nameSize && (header.nameAt < sizeof(EntryHeader) || optionsEnd > header.headerSize))
    return damaged("a name reaches beyond its entry header", entry.at);
  if (header.kind == GroupEntry)
    return group(entry);
  DeviceImage image = imageOf(header, entry.compression);
  if (image.kind == ImageKind::Unknown)
    unknown(fmt::format("an entry of kind {:#x}", header.kind), entry.at);
  if (image.kind == ImageKind::Cubin)
    if (auto error = cubin(entry, image))
      return error;
  if (options.verify && (image.kind == ImageKind::Ptx || image.kind == ImageKind::LtoIr))
    if (auto error = verify(entry, image))
      return error;
  images.push_back(image);
  return State::Good;
}

llvm::Expected<State> ContainerReader::entries(uint64_t at, uint64_t end) {
  while (at != end) {
    if (end - at < sizeof(EntryHeader))
      return damaged("an entry reaches beyond its container", at);
    if (!budget.entries)
      return State::Spent;
    --budget.entries;
    auto header = window.get<EntryHeader>(at, end);
    if (!header)
      return header.takeError();
    if (header->headerSize < sizeof(EntryHeader) || header->headerSize > MaxEntryHeader)
      return damaged("an entry header of a size it cannot have", at);
    uint64_t room = end - at;
    if (header->headerSize > room || header->payloadSize > room - header->headerSize)
      return damaged("an entry reaches beyond its container", at);
    Entry next{*header, at, compressionOf(*header)};
    at = next.end();
    if (header->mark != EntryMark) {
      unknown(fmt::format("an entry of version {:#x}", header->mark), next.at);
      images.emplace_back();
      continue;
    }
    auto state = entry(next);
    if (!state || *state != State::Good)
      return state;
  }
  return State::Good;
}

/// A PTX file has both relevant directives within this size (FB-25).
static constexpr uint64_t MaxHead = 64 << 10;

std::string describe(const core::DeviceImage &image) {
  switch (image.kind) {
  case ImageKind::Ptx:
    return fmt::format("{} PTX ISA {}", image.arch.str("compute_"), image.version);
  case ImageKind::Cubin:
    return fmt::format("{} cubin", image.arch);
  case ImageKind::LtoIr:
    return fmt::format("{} LTO-IR {}", image.arch.str("lto_"), image.version);
  case ImageKind::Unknown:
    break;
  }
  return "image of an unknown kind";
}

/// The word after a directive of PTX; empty if the directive is missing.
static llvm::StringRef directive(llvm::StringRef text, llvm::StringRef name) {
  for (size_t at = text.find(name); at != llvm::StringRef::npos; at = text.find(name, at + 1)) {
    llvm::StringRef rest = text.drop_front(at + name.size());
    bool starts = at == 0 || text[at - 1] == '\n';
    if (starts && (rest.starts_with(" ") || rest.starts_with("\t")))
      return rest.ltrim(" \t").take_until(
          [](char c) { return c == ',' || c == '\0' || llvm::isSpace(c); });
  }
  return "";
}

static std::string payloadOf(const core::DeviceImage &image, llvm::StringRef text) {
  if (image.kind == ImageKind::Ptx) {
    llvm::StringRef version = directive(text, ".version"), target = directive(text, ".target");
    if (version.empty() || target.empty())
      return "no PTX";
    auto arch = versions::Arch::parse(target);
    return fmt::format("PTX ISA {} for {}", version, arch ? arch->str("compute_") : target.str());
  }
  if (!text.starts_with("\xed\x43\x4e\x7f") || text.size() < 6)
    return "no LTO-IR";
  return fmt::format("LTO-IR {}", versions::CudaVersion{uint8_t(text[4]), uint8_t(text[5])});
}

static std::string expected(const core::DeviceImage &image) {
  if (image.kind == ImageKind::Ptx)
    return fmt::format("PTX ISA {} for {}", image.version, image.arch.str("compute_"));
  return fmt::format("LTO-IR {}", image.version);
}

void ContainerReader::disagree(const core::DeviceImage &image, llvm::StringRef payload,
                               uint64_t at) {
  addClause(device.disagreements, fmt::format("a header says {}, its payload is {} (at {})",
                                              describe(image), payload, bytes.where(at)));
}

llvm::Error ContainerReader::verify(const Entry &entry, const core::DeviceImage &image) {
  std::string head;
  if (entry.compression == Compression::None) {
    auto read =
        bytes.bytes(entry.payload(), std::min(entry.header.payloadSize, MaxHead), "device code");
    if (!read)
      return read.takeError();
    head = std::move(*read);
  } else {
    auto whole = inflated(entry);
    if (!whole)
      return whole.takeError();
    if (!*whole)
      return llvm::Error::success();
    head = (*whole)->take_front(MaxHead).str();
  }
  std::string payload = payloadOf(image, head);
  if (payload != expected(image))
    disagree(image, payload, entry.at);
  return llvm::Error::success();
}

llvm::Expected<State> ContainerReader::read(uint64_t at, uint64_t end,
                                            core::DeviceUnit::Home home) {
  images.clear();
  problems.clear();
  release = {};
  bool opens = options.deep || options.inflate;
  inflating = options.verify || (opens && home != core::DeviceUnit::Home::Elsewhere);
  if (end - at < ContainerHeaderSize)
    return State::None;
  auto header = window.get<ContainerHeader>(at, end);
  if (!header)
    return header.takeError();
  if (header->magic != ContainerMagic)
    return State::None;
  if (!budget.containers)
    return State::Spent;
  --budget.containers;
  bool known = header->version == 1 && header->headerSize == ContainerHeaderSize;
  uint64_t headerSize = std::max<uint64_t>(header->headerSize, ContainerHeaderSize);
  if (!known)
    unknown(fmt::format("a container of version {}, header size {}", header->version,
                        header->headerSize),
            at);
  if (headerSize > end - at || header->size > end - at - headerSize)
    return damaged("a container reaches beyond its section", at);
  next = at + headerSize + header->size;
  return known ? entries(at + headerSize, next) : State::Foreign;
}

} // namespace cudacc::binary
