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
  /// Device code in a file of its own: a fatbin, a cubin, PTX or LTO-IR. A program loads it
  /// (cuModuleLoad) or links it (nvJitLink); ld.so never sees it.
  DeviceCode,
  Other
};

struct Import {
  std::string symbol;
  /// Version node (`libnvJitLink.so.12`) and the file that verneed names. Empty if unversioned.
  std::string version, file;
  bool weak = false;
};

/// A defined dynamic symbol that others can bind to.
struct Export {
  std::string symbol;
  /// Version node. Empty if unversioned.
  std::string version;
  bool isWeak = false, isFunction = false;
  /// `name@node`, not the default version: only importers that name the node bind to it.
  bool isHidden = false;
};

/// What the bytes of one file say. Strings come from the file unchanged; the printer escapes them.
struct BinaryFacts {
  std::string path;
  BinaryKind kind = BinaryKind::Other;
  /// ELF e_machine.
  uint16_t machine = 0;
  /// Empty if the file has no DT_SONAME.
  std::string soname;
  std::vector<std::string> needed;
  /// Elements, split at colons. An empty tag sets `hasRpath` and has no elements.
  std::vector<std::string> rpath, runpath;
  bool hasRpath = false, hasRunpath = false;
  /// The one that counts: the loader ignores RPATH if there is a RUNPATH (LS-10).
  const std::vector<std::string> &searchPath() const { return hasRunpath ? runpath : rpath; }
  /// DT_FLAGS_1: NODEFLIB, NOOPEN, PIE.
  bool noDefaultDirectories = false, noDlopen = false, isPie = false;
  /// ET_EXEC: a program that is not position-independent.
  bool isFixed = false;
  /// A shared object without a dynamic section, as `objcopy --only-keep-debug` leaves it.
  bool lacksDynamic = false;
  /// Undefined dynamic symbols. For a relocatable object: undefined symbols.
  std::vector<Import> imports;
  /// Read only on request. The absolute symbols that the version nodes define are left out (SY-5).
  std::vector<Export> exports;
  /// Version nodes that the file defines, without the base version; files that verneed names, in
  /// its order. `hasVersionTable`: the file has a symbol version table (DT_VERSYM).
  std::vector<std::string> definedVersions, versionFiles;
  bool hasVersionTable = false;
  /// SONAMEs listed in `.note.dlopen` (UAPI.12), in its order.
  std::vector<std::string> dlopens;
  /// A relocatable object that holds compiler IR: its imports and device code are unknown until the
  /// link.
  bool compilerIr = false;
  /// .symtab has local symbols of libcudart_static.a (SY-25). Always false after strip.
  bool staticCudart = false;
  /// That cudart is at least of this CUDA release, by its functions. 0.0 if there is none.
  versions::CudaVersion cudartRelease;
  /// Why the file was not analysed: "32-bit ELF", "big-endian ELF", "ELF of machine 243". Empty if
  /// it was.
  std::string notAudited;
  /// Read only on request.
  DeviceCode device;
  bool executableStack = false;
  Manifest manifest;
  /// A member of an archive that has manifest records: its name and the records.
  struct Member {
    std::string name;
    Manifest manifest;
  };
  std::vector<Member> members;
  /// For an archive: the number of members without its indices, of ELF64 objects of a supported
  /// machine, and of members in compiler IR (see `compilerIr`). Members of a thin archive lie in
  /// other files and are neither unless those files were opened.
  uint64_t memberCount = 0, elfMembers = 0, irMembers = 0;
};

const char *str(BinaryKind kind);

} // namespace cudacc::core
