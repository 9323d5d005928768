// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/ninja/graph/Dryrun.h"

namespace cudacc::ninja {

/// What a command that nvcc starts does.
enum class StepKind {
  /// The host compiler with -E.
  Preprocess,
  /// The host compiler with -c.
  HostCompile,
  CudaFrontEnd,
  DeviceCompile,
  Assemble,
  Fatbinary,
  /// `ar`: adds members to an archive.
  Archive,
  /// Files that cuda-cc makes: a depfile, from preprocessed files; a copy under another name.
  Depfile,
  Copy,
};

/// A word of a command, or the end of one, that is a file.
struct FileWord {
  enum class Role {
    In,
    Out,
    /// The name of a file that another command makes and a third one includes.
    Name,
  };
  Role role = Role::In;
  /// Index of the word, and where the file's name begins in its value.
  size_t word = 0, offset = 0;
};

/// A command whose files are all known.
struct StepFiles {
  StepKind kind = StepKind::HostCompile;
  std::vector<FileWord> files;
  /// The value of -arch, or of __CUDA_ARCH__ for a preprocessor: what tells the commands of one
  /// source apart. May be empty.
  std::string arch;
};

/// Finds the files in a command of nvcc. std::nullopt if it is a program, or has an option, that
/// may read or write other files.
std::optional<StepFiles> findFiles(llvm::ArrayRef<CommandWord> words);

} // namespace cudacc::ninja
