// SPDX-License-Identifier: Apache-2.0
#include "driver/support/MadeFiles.h"
#include "driver/support/Fields.h"
#include "driver/support/Sha256.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::support {

static constexpr llvm::StringLiteral magic = "cuda-cc-files-1";
static constexpr llvm::StringLiteral kinds[] = {"link", "file", "program"};

void MadeFiles::add(llvm::StringRef path, File file) {
  files[path.str()] = std::move(file);
  for (llvm::StringRef folder = path; folder.contains('/');) {
    folder = folder.rsplit('/').first;
    folders.insert(folder.str());
  }
}

MadeFiles MadeFiles::of(llvm::ArrayRef<core::TreeEntry> entries,
                        llvm::ArrayRef<std::string> programs, llvm::StringRef fingerprint) {
  MadeFiles made;
  made.fingerprint = fingerprint.str();
  for (const core::TreeEntry &entry : entries) {
    bool isLink = entry.kind == core::TreeEntry::Kind::Link;
    made.add(entry.path, {isLink ? File::Kind::Link : File::Kind::File,
                          isLink ? entry.text : digest(entry.text)});
  }
  for (const std::string &path : programs)
    made.add(path, {File::Kind::Program});
  return made;
}

MadeFiles MadeFiles::namesOnly() const {
  MadeFiles names;
  for (const auto &[path, file] : files)
    names.add(path, {});
  return names;
}

std::string MadeFiles::serialise() const {
  FieldWriter out(magic);
  out.line({"fingerprint", fingerprint});
  for (const auto &[path, file] : files)
    if (file.kind != File::Kind::Unknown)
      out.line({kinds[size_t(file.kind)], path, file.text});
  return out.take();
}

std::optional<MadeFiles> MadeFiles::parse(llvm::StringRef text) {
  MadeFiles made;
  bool good = readKept(text, magic, [&](llvm::ArrayRef<std::string> fields) {
    if (fields.size() == 2 && fields[0] == "fingerprint") {
      made.fingerprint = fields[1];
      return true;
    }
    if (fields.size() != 3)
      return false;
    for (size_t kind = 0; kind < std::size(kinds); ++kind)
      if (kinds[kind] == fields[0]) {
        made.add(fields[1], {File::Kind(kind), fields[2]});
        return true;
      }
    return false;
  });
  if (!good)
    return std::nullopt;
  return made;
}

std::string MadeFiles::digest(llvm::StringRef content) {
  auto hash = Sha256::of(content);
  return llvm::toHex(llvm::ArrayRef<uint8_t>(hash).take_front(8), /*LowerCase=*/true);
}

} // namespace cudacc::support
