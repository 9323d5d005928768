// SPDX-License-Identifier: Apache-2.0
#include "driver/config/DirectoryCodec.h"
#include "driver/config/Settings.h"
#include "driver/support/Fields.h"

namespace cudacc::config {

using namespace core;
using namespace support;

static Origin readOrigin(llvm::ArrayRef<std::string> fields) {
  Origin origin;
  int kind = 0;
  llvm::StringRef(fields[0]).getAsInteger(10, kind);
  origin.kind = Origin::Kind(kind);
  origin.name = fields[1];
  llvm::StringRef(fields[2]).getAsInteger(10, origin.line);
  return origin;
}

static void readSetting(GivenKeys &given, llvm::ArrayRef<std::string> fields) {
  if (const KeyInfo *row = findKey(fields[0]))
    given[size_t(row->key)].push_back({fields[4], readOrigin(fields.slice(1, 3))});
}

static void readInput(ToolchainDirectory &directory, llvm::ArrayRef<std::string> fields) {
  for (size_t kind = 0; kind < std::size(ToolchainDirectory::Input::kinds); ++kind) {
    if (ToolchainDirectory::Input::kinds[kind] != fields[1])
      continue;
    FileId id;
    id.path = fields[2];
    bool bad = llvm::StringRef(fields[3]).getAsInteger(10, id.device);
    bad |= llvm::StringRef(fields[4]).getAsInteger(10, id.inode);
    bad |= llvm::StringRef(fields[5]).getAsInteger(10, id.size);
    bad |= llvm::StringRef(fields[6]).getAsInteger(10, id.mtime);
    // An input that cannot be parsed never equals the file on disk.
    directory.inputs.push_back({ToolchainDirectory::Input::Kind(kind), bad ? FileId{} : id});
  }
}

static void readLinker(ToolchainDirectory &directory, llvm::ArrayRef<std::string> fields) {
  auto version = versions::CudaVersion::parse(fields[3]);
  directory.linker = {fields[1], fields[2], version.value_or(versions::CudaVersion()), fields[4],
                      fields[5]};
}

static void readText(ToolchainDirectory &directory, llvm::StringRef key, const std::string &value) {
  if (key == "nvcc")
    directory.nvcc = value;
  else if (key == "declaration-file")
    directory.declarationFile = value;
  else if (key == "driver")
    directory.driver = value;
  else if (key == "machine")
    directory.machine = value;
  else if (key == "program")
    directory.program = value;
  else if (key == "declaration-digest")
    directory.declarationDigest = value;
  else if (key == "made-with")
    directory.madeWith.push_back(value);
  else if (key == "fingerprint")
    directory.fingerprint = value;
  else if (key == "made-at")
    directory.madeAt = value;
}

std::optional<ToolchainDirectory> readToolchainDirectory(llvm::StringRef text) {
  ToolchainDirectory directory;
  GivenKeys given;
  bool first = true;
  bool good = readFields(text, [&](llvm::ArrayRef<std::string> fields) {
    if (first) {
      first = false;
      directory.anonymous = fields.size() == 3 && fields[2] == "anonymous";
      return fields.size() == 3 && fields[0] == ToolchainDirectory::magic &&
             fields[1] == ToolchainDirectory::form;
    }
    if (fields.size() == 5)
      readSetting(given, fields);
    else if (fields.size() == 3 && fields[0] == "compiler")
      directory.compilers.emplace_back(fields[1], fields[2]);
    else if (fields.size() == 6 && fields[0] == "device-linker-program")
      readLinker(directory, fields);
    else if (fields.size() == 7 && fields[0] == "input")
      readInput(directory, fields);
    else if (fields.size() == 2)
      readText(directory, fields[0], fields[1]);
    return true;
  });
  if (!good || first)
    return std::nullopt;
  for (const KeyInfo &row : allKeys())
    if (const Given &values = given[size_t(row.key)]; !values.empty())
      // cuda-cc wrote it, so it can only be invalid if another version did.
      if (llvm::Error error = apply(row.key, values, directory.declaration)) {
        llvm::consumeError(std::move(error));
        return std::nullopt;
      }
  directory.declaration.file = directory.declarationFile;
  return directory;
}

/// Whether the value recorded in the directory overrides the current one.
static bool isHeld(Key key, const Declaration &now, const Declaration &then) {
  using Kind = Origin::Kind;
  Kind said = originOf(key, then).kind;
  return said == Kind::Option ||
         (said == Kind::Variable && originOf(key, now).kind != Kind::Variable);
}

Declaration applyOver(const ToolchainDirectory &directory, Declaration now) {
#define SETTING(Id, Field, ...)                                                                    \
  if (isHeld(Key::Id, now, directory.declaration))                                                 \
    now.Field = directory.declaration.Field;
#include "driver/config/settings.def"
  return now;
}

} // namespace cudacc::config
