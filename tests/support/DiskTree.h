// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/Reader.h"
#include "driver/binary/elf/Header.h"
#include "driver/core/Diagnostic.h"
#include "driver/loader/search/Loader.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include <memory>

namespace cudacc::test {

/// The disk as the loader's search sees it; each path is opened once.
class DiskTree {
public:
  explicit DiskTree(core::Files &files, uint16_t machine = llvm::ELF::EM_X86_64)
      : files(files), machine(machine) {}

  loader::Candidate open(llvm::StringRef path) {
    tried.push_back(path.str());
    auto [place, isNew] = known.try_emplace(path);
    if (isNew)
      place->second = look(path);
    return place->second;
  }

  std::vector<std::string> tried;

private:
  using Kind = loader::Candidate::Kind;

  static loader::Candidate unreadable(std::string reason) {
    loader::Candidate result;
    result.kind = Kind::Unreadable;
    result.reason = std::move(reason);
    return result;
  }

  /// Determines why nothing can be opened at the path, which stat does not report.
  loader::Candidate absent(llvm::StringRef path) {
    loader::Candidate result;
    llvm::StringRef name = path.rsplit('/').second;
    if (name.size() > 255 && files.stat(path.drop_back(name.size())).exists()) {
      result.reason = "File name too long";
      result.blocked = true;
      return result;
    }
    for (llvm::StringRef up = path.rsplit('/').first; !up.empty(); up = up.rsplit('/').first)
      if (core::FileStatus status = files.stat(up); status.exists()) {
        if (status.kind != core::FileStatus::Kind::Directory)
          result.reason = "Not a directory";
        break;
      }
    std::string at = path.str();
    for (unsigned links = 0; auto target = files.readLink(at); ++links) {
      result.reason = loader::DanglingLink;
      if (links == 40) {
        result.reason = "Too many levels of symbolic links";
        result.blocked = true;
        break;
      }
      at = llvm::StringRef(*target).starts_with("/")
               ? *target
               : llvm::StringRef(at).rsplit('/').first.str() + "/" + *target;
    }
    return result;
  }

  loader::Candidate look(llvm::StringRef path) {
    core::FileStatus status = files.stat(path);
    loader::Candidate result;
    if (!status.exists())
      return absent(path);
    if (status.kind == core::FileStatus::Kind::Directory)
      result = loader::directoryCandidate();
    else if (status.kind == core::FileStatus::Kind::Other)
      result = unreadable("no regular file");
    else
      result = regular(path);
    result.device = status.id.device;
    result.inode = status.id.inode;
    return result;
  }

  loader::Candidate regular(llvm::StringRef path) {
    auto file = files.open(path);
    if (!file) {
      llvm::consumeError(file.takeError());
      loader::Candidate result;
      result.reason = "Permission denied";
      return result;
    }
    char header[64];
    auto got = (*file)->readAt(0, header);
    if (!got) {
      llvm::consumeError(got.takeError());
      return unreadable("read error");
    }
    loader::Candidate result;
    if (auto fault = binary::headerFault(llvm::StringRef(header, *got), machine)) {
      result.kind = fault->isForeign ? Kind::Foreign : Kind::Fatal;
      result.reason = fault->words;
      result.namesRequest = fault->isProgram;
      return result;
    }
    result.kind = Kind::Good;
    binary::ReadOptions options;
    options.imports = options.thorough = false;
    auto facts = binary::read(**file, path, options);
    if (!facts) {
      llvm::consumeError(facts.takeError());
      return unreadable("its dynamic section cannot be read");
    }
    kept.push_back(std::make_unique<core::BinaryFacts>(std::move(*facts)));
    result.facts = kept.back().get();
    return result;
  }

  core::Files &files;
  uint16_t machine;
  llvm::StringMap<loader::Candidate> known;
  std::vector<std::unique_ptr<core::BinaryFacts>> kept;
};

} // namespace cudacc::test
