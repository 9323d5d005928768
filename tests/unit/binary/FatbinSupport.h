// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Support.h"
#include "driver/binary/device/Device.h"
#include "driver/binary/device/Fatbin.h"
#include "driver/binary/device/FatbinWrappers.h"
#include "llvm/BinaryFormat/ELF.h"

namespace cudacc::binary::test {

/// One entry; `header` has all fields except those that describe the payload.
struct TestEntry {
  EntryHeader header{PtxEntry, 0x0101, 64, 0, 0, 0, 0, 9, 80, 0, 0, 0x11, 0, 0};
  /// Bytes between the fixed part and the payload.
  std::string extension{};
  std::string payload{};

  std::string bytes() const;
};

TestEntry ptx(unsigned arch, unsigned major, unsigned minor, uint64_t flags = 0);
TestEntry cubin(unsigned arch, const std::string &payload, uint64_t flags = 0);
/// The same with its payload compressed by the library itself.
TestEntry zstd(TestEntry entry);
TestEntry lz4(TestEntry entry);
/// FB-47: members and the payload that contains them.
TestEntry group(const std::vector<std::pair<unsigned, std::string>> &cubins);

std::string container(const std::vector<TestEntry> &entries);

/// A cubin: `type` 2 is final; `code` bytes of instructions.
std::string cubinFile(unsigned arch, uint16_t type, size_t code, unsigned abi = 8);
/// For sm_80: with an executable section, without one, and before the device link.
inline const std::string withCode = cubinFile(80, llvm::ELF::ET_EXEC, 64),
                         withoutCode = cubinFile(80, llvm::ELF::ET_EXEC, 0),
                         toLink = cubinFile(80, llvm::ELF::ET_REL, 64);

/// How a wrapper's pointer is stored (FB-11).
enum class Form { Relative, RelativeUnsorted, Symbolic, InPlace, Executable, Object };
constexpr Form AllForms[] = {Form::Relative, Form::RelativeUnsorted, Form::Symbolic,
                             Form::InPlace,  Form::Executable,       Form::Object};

/// A file with device code.
struct TestFile {
  std::string fatbin{}, relocatable{}, data{};
  struct To {
    uint32_t version = 1;
    /// Offset in .nv_fatbin, or in __nv_relfatbin.
    uint64_t offset = 0;
    bool inRelocatable = false;
  };
  std::vector<To> wrappers{};
  Form form = Form::Relative;
  uint16_t machine = llvm::ELF::EM_X86_64;

  std::string bytes() const;
};

/// Removes the section headers, as sstrip does.
std::string withoutSections(std::string bytes);

core::DeviceCode deviceOf(const std::string &bytes, const DeviceOptions &options = {});
/// The inventory of a library with this .nv_fatbin and no wrappers.
core::DeviceCode fatbin(std::string bytes, const DeviceOptions &options = {});
/// The units in short: "fatbin linked [sm_80 cubin yes, compute_80 PTX ISA 9.0] x2".
std::vector<std::string> unitsOf(const core::DeviceCode &device);
std::vector<std::string> unitsOf(const std::string &bytes, const DeviceOptions &options = {});

} // namespace cudacc::binary::test
