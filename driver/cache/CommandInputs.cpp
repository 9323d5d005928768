// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/CommandInputs.h"
#include "driver/cache/Variables.h"
#include "driver/support/FileTimes.h"
#include "driver/support/MadeFiles.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <chrono>

namespace cudacc::cache {

using namespace core;
using llvm::StringRef;
using Kind = CommandInputs::Kind;

static constexpr llvm::StringLiteral answerMagic = "cuda-cc answer 1";

/// Larger files are not read to see whether they changed.
static constexpr uint64_t largestRead = uint64_t(32) << 20;

std::string contentDigest(StringRef bytes) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(bytes));
  return llvm::utohexstr(hash.high64, /*LowerCase=*/true, 16) +
         llvm::utohexstr(hash.low64, /*LowerCase=*/true, 16);
}

int64_t currentTime() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::optional<std::string> contentOf(Files &files, StringRef path) {
  static constexpr uint64_t anySize = uint64_t(1) << 40;
  return llvm::expectedToOptional(files.read(path, anySize));
}

static Kind kindOf(const FileStatus &status, bool isListed) {
  switch (status.kind) {
  case FileStatus::Kind::Regular:
    return Kind::Regular;
  case FileStatus::Kind::Directory:
    return isListed ? Kind::Listed : Kind::Directory;
  default:
    return Kind::Other;
  }
}

/// The digest of a regular file whose content is \p text.
static std::string fileDigest(Files &files, StringRef path, StringRef text) {
  // A link that leads to an equal file changes what is said about it.
  std::string real = files.realPath(path).value_or("");
  return contentDigest(fmt::format("{} {}", contentDigest(text), real));
}

bool expandsToTime(StringRef text) {
  return text.contains("__TIME__") || text.contains("__DATE__") || text.contains("__TIMESTAMP__");
}

std::optional<CommandInputs> inputsOf(Files &files, const Environment &environment,
                                      const Accesses &accesses, const ObservedCommand &command) {
  if (!accesses.areAll)
    return std::nullopt;
  CommandInputs inputs;
  inputs.taken = currentTime();
  StringRef temporary = environment.getOr("TMPDIR", "/tmp");
  for (const Accesses::File &access : accesses.files) {
    if (support::isBelow(access.path, command.folder))
      continue;
    FileStatus status = files.stat(access.path);
    if (status.unreachable)
      return std::nullopt;
    if (!status.exists()) {
      inputs.absent.push_back(access.path);
      continue;
    }
    // There programs look for files of their own: nvcc, to remove them.
    bool isListed = access.isListed && access.path != temporary;
    CommandInputs::File file{
        kindOf(status, isListed), std::move(status.id), access.hasTimesRead, {}};
    bool hasContent = file.kind == Kind::Regular || file.kind == Kind::Listed;
    if (hasContent && support::mayBeAsNewAs(file.id, command.started))
      return std::nullopt;
    if (access.isStarted && !readsKnownVariables(files, access.path))
      inputs.variables = command.variables.str();
    if (file.kind == Kind::Regular && !access.isStarted && file.id.size <= largestRead) {
      auto text = contentOf(files, access.path);
      bool isBinary = text && StringRef(*text).starts_with("\177ELF");
      if (!text || (command.expandsTime && !isBinary && expandsToTime(*text)))
        return std::nullopt;
      file.digest = fileDigest(files, access.path, *text);
    }
    inputs.files.push_back(std::move(file));
  }
  return inputs;
}

CurrentFiles::CurrentFiles(Files &files, const Environment &environment)
    : files(files), variables(support::MadeFiles::digest(cache::allVariables(environment))) {}

CurrentFiles::Seen &CurrentFiles::look(StringRef path) {
  auto [place, isNew] = seen.try_emplace(path);
  if (isNew)
    place->second.status = files.stat(path);
  return place->second;
}

bool CurrentFiles::isUnchanged(const CommandInputs::File &file, int64_t taken) {
  Seen &now = look(file.id.path);
  const FileStatus &status = now.status;
  if (!status.exists() || kindOf(status, file.kind == Kind::Listed) != file.kind)
    return false;
  // Compilers leave out a folder that is another one by a link.
  if (file.kind == Kind::Directory || file.kind == Kind::Other)
    return status.id.device == file.id.device && status.id.inode == file.id.inode;
  if (status.id == file.id && !support::mayBeAsNewAs(file.id, taken))
    return true;
  bool hasOtherTime = file.hasTimesRead && status.id.mtime != file.id.mtime;
  if (file.digest.empty() || status.id.size != file.id.size || hasOtherTime)
    return false;
  if (now.digest.empty())
    if (auto text = contentOf(files, file.id.path))
      now.digest = fileDigest(files, file.id.path, *text);
  return now.digest == file.digest;
}

bool CurrentFiles::areUnchanged(const CommandInputs &inputs) {
  auto isAbsent = [&](StringRef path) {
    const FileStatus &status = look(path).status;
    return !status.exists() && !status.unreachable;
  };
  return inputs.taken != CommandInputs::unknown &&
         (inputs.variables.empty() || inputs.variables == variables) &&
         llvm::all_of(inputs.files,
                      [&](const auto &file) { return isUnchanged(file, inputs.taken); }) &&
         llvm::all_of(inputs.absent, isAbsent);
}

template <typename Lines, Is<KeptAnswer> Kept> static void describe(Lines &lines, Kept &kept) {
  lines.line("question", kept.question);
  lines.line("text", kept.text);
  describeCommandInputs(lines, kept.inputs);
}

std::string answerText(const KeptAnswer &kept) { return write(answerMagic, kept); }

std::optional<std::string> answerIn(StringRef kept, StringRef question, CurrentFiles &current) {
  auto answer = read<KeptAnswer>(answerMagic, kept);
  bool holds = answer && answer->question == question && current.areUnchanged(answer->inputs);
  return holds ? std::optional(std::move(answer->text)) : std::nullopt;
}

} // namespace cudacc::cache
