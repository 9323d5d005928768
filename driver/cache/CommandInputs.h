// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Codec.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Runner.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::cache {

/// Everything that decided about what a command did: the files that it looked at, as they were,
/// absent ones included, and the environment.
struct CommandInputs {
  enum class Kind {
    Regular,
    Directory,
    /// A directory whose entries were read.
    Listed,
    /// A device or the like.
    Other,
  };
  struct File {
    Kind kind = Kind::Regular;
    core::FileId id;
    /// A program read the time of its content, too: cicc writes that into line information.
    bool hasTimesRead = false;
    /// Of the content and of the path without links. Empty for a program and for a large file:
    /// their identity decides.
    std::string digest;
  };
  std::vector<File> files;
  /// Paths where there was no file.
  std::vector<std::string> absent;
  /// When the files were read, in nanoseconds since the epoch; or that it is not known what
  /// decided.
  int64_t taken = 0;
  static constexpr int64_t unknown = -1;
  /// Digest of all variables, if a program may read any of them; else empty.
  std::string variables;
};

/// A command that was observed.
struct ObservedCommand {
  /// When it started, in nanoseconds since the epoch.
  int64_t started = 0;
  /// Digest of all variables of the call, for programs that may read any of them.
  llvm::StringRef variables;
  /// Files below it do not count.
  llvm::StringRef folder = "";
  /// It is a compiler, which may expand `__TIME__` and its like.
  bool expandsTime = false;
};
/// Turns \p accesses into inputs. std::nullopt if they are not known to be all, or not known to be
/// those that the command read, or if the time is one.
std::optional<CommandInputs> inputsOf(core::Files &files, const core::Environment &environment,
                                      const core::Accesses &accesses,
                                      const ObservedCommand &command);

/// Compares inputs with what is there now; looks at each file once.
class CurrentFiles {
public:
  CurrentFiles(core::Files &files, const core::Environment &environment);
  bool areUnchanged(const CommandInputs &inputs);
  /// Digest of all variables.
  const std::string &allVariables() const { return variables; }

private:
  struct Seen {
    core::FileStatus status;
    std::string digest;
  };
  core::Files &files;
  llvm::StringMap<Seen> seen;
  std::string variables;

  Seen &look(llvm::StringRef path);
  bool isUnchanged(const CommandInputs::File &file, int64_t taken);
};

/// What a program answered, and the question.
struct KeptAnswer {
  std::string question, text;
  CommandInputs inputs;
};
std::string answerText(const KeptAnswer &kept);
/// The answer in \p kept to \p question, if nothing that decided about it has changed.
std::optional<std::string> answerIn(llvm::StringRef kept, llvm::StringRef question,
                                    CurrentFiles &current);

/// True if a compiler puts the time into what it makes of \p text.
bool expandsToTime(llvm::StringRef text);
/// Digest of some bytes, for comparison with other ones of the same file.
std::string contentDigest(llvm::StringRef bytes);
/// The whole of a file; std::nullopt if it cannot be read.
std::optional<std::string> contentOf(core::Files &files, llvm::StringRef path);
/// Nanoseconds since the epoch.
int64_t currentTime();

inline bool readField(const std::string &text, CommandInputs::Kind &value) {
  return readEnum<CommandInputs::Kind::Other>(text, value);
}
template <typename Lines, typename Inputs>
void describeCommandInputs(Lines &lines, Inputs &inputs) {
  lines.line("inputs", inputs.taken, inputs.variables);
  lines.rows("file", inputs.files, [](auto &file) {
    return std::tie(file.kind, file.id.path, file.id.device, file.id.inode, file.id.size,
                    file.id.mtime, file.id.ctime, file.hasTimesRead, file.digest);
  });
  lines.rows("absent", inputs.absent);
}

} // namespace cudacc::cache
