// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/DeviceCode.h"
#include "driver/core/Manifest.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

enum class BinaryKind {
  SharedObject,
  Executable,
  Relocatable,
  Archive,
  /// Device code that lies in a file of its own: a fatbin, a cubin, PTX or LTO-IR. A program loads
  /// it (cuModuleLoad) or links it (nvJitLink); ld.so never sees it.
  DeviceCode,
  Other
};

struct Import {
  std::string symbol;
  /// Version node (`libnvJitLink.so.12`) and the file that verneed names; empty when unversioned.
  std::string version, file;
  bool weak = false;
};

/// A defined dynamic symbol that others can bind to.
struct Export {
  std::string symbol;
  /// Version node; empty when unversioned.
  std::string version;
  bool isWeak = false, isFunction = false;
  /// `name@node`, not the default: bound only by importers that ask for the node.
  bool isHidden = false;
};

/// What the bytes of one file say. Strings come from the file unchanged; the printer escapes them.
struct BinaryFacts {
  std::string path;
  BinaryKind kind = BinaryKind::Other;
  /// ELF e_machine.
  uint16_t machine = 0;
  /// Empty: none.
  std::string soname;
  std::vector<std::string> needed;
  /// Elements, split at colons; `hasRpath` without elements is an empty tag.
  std::vector<std::string> rpath, runpath;
  bool hasRpath = false, hasRunpath = false;
  /// DT_FLAGS_1: NODEFLIB, NOOPEN, PIE.
  bool noDefaultDirectories = false, noDlopen = false, isPie = false;
  /// A shared object without a dynamic section, as `objcopy --only-keep-debug` leaves it.
  bool lacksDynamic = false;
  /// Undefined dynamic symbols. For a relocatable object: undefined symbols.
  std::vector<Import> imports;
  /// Only when asked for; the nodes' own absolute symbols are left out (SY-5).
  std::vector<Export> exports;
  /// Version nodes the file defines, without the base version; whether it has a symbol version
  /// table (DT_VERSYM); files that verneed names, in its order.
  std::vector<std::string> definedVersions, versionFiles;
  bool hasVersionTable = false;
  /// Sonames of `.note.dlopen` (UAPI.12), in its order.
  std::vector<std::string> dlopens;
  /// Why one of those notes says nothing; empty: all were read.
  std::string dlopenProblem;
  /// A relocatable object whose code is compiler IR: its imports and device code cannot be seen
  /// before the link.
  bool compilerIr = false;
  /// Local symbols of libcudart_static.a are in .symtab (SY-25); false after strip.
  bool staticCudart = false;
  /// Why a file was not looked into: "32-bit ELF", "big-endian ELF", "ELF of machine 243"; empty:
  /// it was.
  std::string notAudited;
  /// Only when asked for.
  DeviceCode device;
  bool executableStack = false;
  Manifest manifest;
  /// Members of an archive that carry records: name and records.
  struct Member {
    std::string name;
    Manifest manifest;
  };
  std::vector<Member> members;
  /// Of an archive: all members but its indices, how many of them are ELF64 objects of an audited
  /// machine, and how many are compiler IR (see `compilerIr`). Those of a thin archive lie in other
  /// files and count as neither unless they were opened.
  uint64_t memberCount = 0, elfMembers = 0, irMembers = 0;
};

const char *str(BinaryKind kind);

} // namespace cudacc::core
