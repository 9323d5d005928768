#pragma once

#include "driver/core/Manifest.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

enum class BinaryKind { SharedObject, Executable, Relocatable, Archive, Other };

struct Import {
  std::string symbol;
  /// Version node (`libnvJitLink.so.12`) and the file that verneed names; empty when unversioned.
  std::string version, file;
  bool weak = false;
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
  /// Undefined dynamic symbols. For a relocatable object: undefined symbols.
  std::vector<Import> imports;
  bool executableStack = false;
  Manifest manifest;
  /// Members of an archive that carry records: name and records.
  struct Member {
    std::string name;
    Manifest manifest;
  };
  std::vector<Member> members;
  /// Of an archive: all members but its indices, and how many of them are ELF64 objects. Those of a
  /// thin archive lie in other files and count as no objects.
  uint64_t memberCount = 0, elfMembers = 0;
};

const char *str(BinaryKind kind);

} // namespace cudacc::core
