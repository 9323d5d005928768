// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Runner.h"
#include "driver/pipeline/System.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::pipeline {

/// Everything outside of the build folder that decided about what a command did: the files that it
/// looked at, as they were, absent ones included, and the environment.
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

/// Turns \p accesses into inputs. \p folder: the build folder, whose files do not count. \p
/// started: when the command started, in nanoseconds since the epoch. \p expandsTime: it is a
/// compiler, which may expand `__TIME__` and its like. \p variables: digest of all variables of the
/// call, for programs that may read any of them. std::nullopt if the inputs are not known to be
/// all, or not known to be those that the command read, or if the time is one.
std::optional<CommandInputs> inputsOf(System &system, const core::Accesses &accesses,
                                      llvm::StringRef folder, int64_t started, bool expandsTime,
                                      llvm::StringRef variables);

/// Compares inputs with what is there now; looks at each file once.
class CurrentFiles {
public:
  explicit CurrentFiles(System &system);
  bool areUnchanged(const CommandInputs &inputs);
  /// Digest of all variables.
  const std::string &allVariables() const { return variables; }

private:
  struct Seen {
    core::FileStatus status;
    std::string digest;
  };
  System &system;
  llvm::StringMap<Seen> seen;
  std::string variables;

  Seen &look(llvm::StringRef path);
  bool isUnchanged(const CommandInputs::File &file, int64_t taken);
};

/// What a step left when it last succeeded.
struct StepRecord {
  /// Of PlacedStep.
  std::string key, generation;
  CommandInputs inputs;
  /// Names in the build folder with digests: of the inputs, and of the outputs, whose names another
  /// step may have used meanwhile.
  using Digests = std::vector<std::pair<std::string, std::string>>;
  Digests read, made;
  /// What its command printed.
  std::string out, err;
};
std::string recordText(const StepRecord &record);
/// std::nullopt if the text is damaged.
std::optional<StepRecord> readRecord(llvm::StringRef text);

/// What a program answered, and the question.
struct KeptAnswer {
  std::string question, text;
  CommandInputs inputs;
};
std::string answerText(const KeptAnswer &kept);
std::optional<KeptAnswer> readKeptAnswer(llvm::StringRef text);

/// True if a compiler puts the time into what it makes of \p text.
bool expandsToTime(llvm::StringRef text);
/// Digest of some bytes, for comparison with other ones of the same file.
std::string contentDigest(llvm::StringRef bytes);
/// Nanoseconds since the epoch.
int64_t currentTime();

} // namespace cudacc::pipeline
