// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/device/Device.h"
#include "driver/binary/elf/Layout.h"
#include "tests/fuzz/Input.h"
#include "tests/fuzz/Mutate.h"

using namespace cudacc;
using namespace llvm::ELF;

/// A file whose device code, and other data, are these bytes.
static std::string around(llvm::StringRef bytes) {
  std::vector<binary::OutSection> sections;
  for (const char *name : {".nv_fatbin", "__nv_relfatbin", ".rodata"})
    sections.push_back({name, SHT_PROGBITS, SHF_ALLOC, 8, bytes.str()});
  return binary::assemble(binary::fileHeader(ET_REL, EM_X86_64), {}, std::move(sections));
}

static core::DeviceCode read(llvm::StringRef file, const binary::DeviceOptions &options) {
  fuzz::Input input(file);
  binary::Bytes bytes(input, "x", 0, file.size());
  core::DeviceCode device;
  auto image = binary::Image::open(bytes);
  llvm::Error error = image ? binary::readDevice(*image, options, device) : image.takeError();
  if (error)
    fuzz::expectFinding(std::move(error));
  return device;
}

/// Reading again with decompression returns more about the same images.
static void compare(core::DeviceCode plain, core::DeviceCode verified) {
  auto counts = [](core::DeviceCode &device) {
    std::vector<uint64_t> found(3);
    for (const core::DeviceUnit &unit : device.units)
      found[unsigned(unit.home)] += unit.count * (1 + unit.images.size());
    return found;
  };
  if (counts(plain) != counts(verified) || plain.unknown != verified.unknown)
    __builtin_trap();
}

static void run(llvm::StringRef bytes) {
  std::string file = bytes.starts_with(ElfMagic) ? bytes.str() : around(bytes);
  compare(read(file, {}), read(file, {.verify = true}));
  read(file, {.deep = true, .verify = true});
}

static const fuzz::Target target("fatbin", run, fuzz::mutateFatbin);
