// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/link/LinkInputs.h"
#include "driver/binary/Reader.h"
#include "driver/binary/device/FatbinCubin.h"
#include "driver/binary/elf/MemoryFile.h"
#include "driver/policy/rules/Coverage.h"
#include "driver/support/ReadWhole.h"
#include "driver/tables/lookup/Device.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Path.h"
#include <set>

namespace cudacc::commands {

using namespace core;
using namespace versions;
using llvm::StringRef;

static constexpr uint64_t mostBytes = uint64_t(4) << 30;
/// Files of at most this size are read at once, which takes less time than many short reads.
static constexpr uint64_t smallFile = 1 << 18;

static llvm::Expected<std::unique_ptr<ReadableFile>> openInput(pipeline::System &system,
                                                               const std::string &path) {
  std::string bytes;
  if (path != "-") {
    auto file = system.files.open(path);
    if (!file || (*file)->size() > smallFile)
      return file;
    auto whole = support::readWhole(**file, path, smallFile);
    if (!whole)
      return whole.takeError();
    return std::make_unique<binary::MemoryFile>(std::move(*whole));
  }
  std::vector<char> buffer(1 << 16);
  while (long got = system.console.in(buffer)) {
    if (got < 0)
      return makeError(Code::UnreadableFile,
                       fmt::format("cannot read stdin: {}", llvm::sys::StrError(int(-got))));
    bytes.append(buffer.data(), got);
    if (bytes.size() > mostBytes)
      return makeError(Code::LimitReached, "stdin has more than 4 GiB");
  }
  return std::make_unique<binary::MemoryFile>(std::move(bytes));
}

static llvm::Error refuse(Code code, const std::string &name, StringRef what,
                          std::vector<std::string> fixes = {}) {
  return makeError(code, fmt::format("{} {}", name, what), {{"input", name}}, std::move(fixes));
}

CudaVersion recordedToolkit(const Manifest &manifest) {
  CudaVersion newest;
  for (const auto &[record, count] : manifest.objects)
    if (auto version = CudaVersion::parse(record.toolkit))
      newest = std::max(newest, *version);
  return newest;
}

llvm::Expected<DeviceInput> inputOf(const binary::Container &container, StringRef name,
                                    uint64_t &taken) {
  taken += container.size;
  if (taken > mostBytes)
    return container.bytes.limit("more than 4 GiB of device code");
  auto bytes = container.bytes.bytes(container.offset, container.size, "device code");
  if (!bytes)
    return bytes.takeError();
  DeviceInput input;
  input.name = name.str();
  input.images = container.images.vec();
  input.bytes = std::move(*bytes);
  input.producer.cubins = container.release;
  return input;
}

namespace {

/// Reads one file, and collects what can be linked.
class DeviceInputReader {
public:
  DeviceInputReader(pipeline::System &system, const std::string &path)
      : system(system), path(path), name(path == "-" ? "stdin" : path) {}
  llvm::Expected<std::vector<DeviceInput>> read();

private:
  pipeline::System &system;
  const std::string &path;
  std::string name;
  uint64_t taken = 0;
  struct Found {
    DeviceInput input;
    std::string member;
    bool isRelocatable;
  };
  std::vector<Found> found;
  BinaryFacts facts;

  llvm::Error take(const binary::Container &container);
  llvm::Error takeFile(ReadableFile &file);
  llvm::Error checkFacts() const;
  void addRecord(Found &each) const;
};

} // namespace

llvm::Error DeviceInputReader::take(const binary::Container &container) {
  // What the toolkit's own linker made is complete; it is no input of another link.
  if (container.linked)
    return llvm::Error::success();
  Found next;
  next.member = container.bytes.memberName().str();
  if (llvm::Error error =
          inputOf(container, next.member.empty() ? name : fmt::format("{}({})", name, next.member),
                  taken)
              .moveInto(next.input))
    return error;
  next.isRelocatable =
      container.home == DeviceUnit::Home::Relocatable ||
      llvm::any_of(container.images, [](const DeviceImage &each) { return each.relocatable; });
  found.push_back(std::move(next));
  return llvm::Error::success();
}

/// A file of device code that is no container.
llvm::Error DeviceInputReader::takeFile(ReadableFile &file) {
  DeviceInput input;
  input.name = name;
  input.images = facts.device.units.front().images;
  switch (input.images.front().kind) {
  case ImageKind::Cubin:
    input.kind = devlink::JobInputKind::Cubin;
    break;
  case ImageKind::Ptx:
    input.kind = devlink::JobInputKind::Ptx;
    break;
  case ImageKind::LtoIr:
    input.kind = devlink::JobInputKind::LtoIr;
    break;
  case ImageKind::Unknown:
    return refuse(Code::UnknownContainer, name, "has device code of an unknown form");
  }
  if (file.size() > mostBytes)
    return refuse(Code::LimitReached, name, "has more than 4 GiB of device code");
  input.bytes.resize(file.size());
  auto got = file.readAt(0, {input.bytes.data(), input.bytes.size()});
  if (!got)
    return got.takeError();
  if (*got != input.bytes.size())
    return refuse(Code::UnreadableFile, name, "became shorter while it was read");
  if (input.kind == devlink::JobInputKind::Cubin)
    input.producer.cubins = binary::cubinRelease(input.bytes);
  found.push_back({std::move(input), "", true});
  return llvm::Error::success();
}

llvm::Error DeviceInputReader::checkFacts() const {
  if (!facts.device.limits.empty())
    return refuse(Code::LimitReached, name, facts.device.limits.front());
  if (!facts.device.unknown.empty())
    return makeError(Code::UnknownContainer,
                     fmt::format("{}: device code that cannot be read", name),
                     {{"because", facts.device.unknown.front()}});
  if (!facts.notAudited.empty())
    return refuse(Code::InputType, name, fmt::format("cannot be linked: {}", facts.notAudited));
  if (facts.kind == BinaryKind::Archive && facts.memberCount == 0)
    return refuse(Code::InputType, name, "is an empty archive");
  if (facts.compilerIr || facts.irMembers)
    return refuse(Code::InputType, name, "has compiler IR, whose device code is not known yet",
                  {"compile without -flto"});
  if (facts.kind == BinaryKind::Other)
    return refuse(Code::InputType, name, "is no device code, object, archive or library");
  return llvm::Error::success();
}

void DeviceInputReader::addRecord(Found &each) const {
  CudaVersion &recorded = each.input.producer.recorded;
  recorded = recordedToolkit(facts.manifest);
  for (const BinaryFacts::Member &member : facts.members)
    if (member.name == each.member)
      recorded = std::max(recorded, recordedToolkit(member.manifest));
}

llvm::Expected<std::vector<DeviceInput>> DeviceInputReader::read() {
  auto file = openInput(system, path);
  if (!file)
    return file.takeError();
  binary::ReadOptions options;
  options.device = options.inflate = true;
  options.imports = options.thorough = false;
  auto onContainer = [&](const binary::Container &container) { return take(container); };
  options.onContainer = onContainer;
  auto openMember = [&](StringRef member) {
    llvm::SmallString<256> place;
    if (!member.starts_with("/"))
      place = llvm::sys::path::parent_path(path);
    llvm::sys::path::append(place, member);
    return system.files.open(place);
  };
  options.openMember = openMember;
  if (llvm::Error error = binary::read(**file, name, options).moveInto(facts))
    return error;
  if (llvm::Error error = checkFacts())
    return error;
  if (facts.kind == BinaryKind::DeviceCode && found.empty() && !facts.device.units.empty())
    if (llvm::Error error = takeFile(**file))
      return error;
  bool hasRelocatable = llvm::any_of(found, [](const Found &each) { return each.isRelocatable; });
  std::vector<DeviceInput> inputs;
  for (Found &each : found) {
    if (hasRelocatable && !each.isRelocatable)
      continue;
    addRecord(each);
    inputs.push_back(std::move(each.input));
  }
  if (inputs.empty())
    return refuse(Code::InputType, name, "has no device code", {"compile it with nvcc -dc"});
  return inputs;
}

llvm::Expected<std::vector<DeviceInput>> readDeviceInputs(pipeline::System &system,
                                                          const std::string &path) {
  return DeviceInputReader(system, path).read();
}

std::vector<Arch> commonArchs(llvm::ArrayRef<DeviceInput> inputs) {
  std::set<Arch> named;
  for (const DeviceInput &input : inputs)
    for (const DeviceImage &image : input.images)
      if (image.arch.known())
        named.insert(image.arch);
  std::vector<Arch> covered, exact;
  for (Arch arch : named) {
    auto covers = [&](const DeviceInput &input) {
      return policy::linkableImage(input.images, arch, false) != nullptr;
    };
    // Machine code of this very architecture.
    auto isExact = [&](const DeviceInput &input) {
      const DeviceImage *image = policy::linkableImage(input.images, arch, false);
      return image && image->arch == arch && image->kind == ImageKind::Cubin;
    };
    if (llvm::all_of(inputs, covers))
      covered.push_back(arch);
    if (llvm::any_of(inputs, isExact) && llvm::all_of(inputs, covers))
      exact.push_back(arch);
  }
  if (!exact.empty())
    return exact;
  // PTX and LTO-IR of the oldest architecture link for all later ones.
  if (!covered.empty())
    return {covered.front()};
  return {};
}

std::optional<Arch> oldestArch(llvm::ArrayRef<DeviceInput> inputs) {
  std::optional<Arch> oldest;
  for (const DeviceInput &input : inputs)
    for (const DeviceImage &image : input.images)
      if (image.arch.known() && (!oldest || image.arch < *oldest))
        oldest = image.arch;
  return oldest;
}

static policy::Artifact artifactOf(ImageKind kind) {
  switch (kind) {
  case ImageKind::Ptx:
    return policy::Artifact::Ptx;
  case ImageKind::LtoIr:
    return policy::Artifact::LtoIr;
  case ImageKind::Cubin:
  case ImageKind::Unknown:
    break;
  }
  return policy::Artifact::Cubin;
}

policy::LinkImage linkInputOf(StringRef name, const DeviceImage &image, const Producer &producer) {
  policy::LinkImage fact;
  fact.name = name.str();
  fact.kind = artifactOf(image.kind);
  if (producer.recorded.known()) {
    fact.producer = producer.recorded;
    fact.evidence = fmt::format("record of nvcc {}", producer.recorded);
  } else if (image.kind == ImageKind::Cubin && producer.cubins.known()) {
    fact.producer = producer.cubins;
    fact.evidence = fmt::format("made by CUDA {}", producer.cubins);
  }
  if (image.kind == ImageKind::Ptx) {
    fact.isa = image.version;
    if (fact.evidence.empty())
      fact.evidence = fmt::format(".version {}", image.version);
  }
  if (image.kind == ImageKind::LtoIr && !fact.producer.known()) {
    // Several minors may share the version; the oldest of them is certain.
    auto lines = tables::linesOfLtoIr(image.version);
    if (!lines.empty()) {
      fact.producer = lines.front();
      fact.evidence = fmt::format("LTO-IR {}", image.version);
    }
  }
  return fact;
}

std::optional<policy::LinkImage> linkInputFor(const DeviceInput &input, Arch arch, bool lto) {
  const DeviceImage *image = policy::linkableImage(input.images, arch, lto);
  if (!image)
    return std::nullopt;
  return linkInputOf(input.name, *image, input.producer);
}

} // namespace cudacc::commands
