// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Toolkit.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::core {

/// What a toolchain directory knows about itself: read by the compilers in its `bin` from
/// `../cuda-cc.facts`.
struct ToolchainDirectory {
  static constexpr llvm::StringLiteral factsName = "cuda-cc.facts";
  /// What the first line begins with, and the version of the form.
  static constexpr llvm::StringLiteral magic = "cuda-cc-toolchain", form = "2";
  /// Named: `driver` once more, for launchers, with links to what lies beside it in `bin`.
  static constexpr llvm::StringLiteral launchedNvcc = "libexec/nvcc";

  /// Where it lies; not part of its content.
  std::string path;
  /// Made for direct calls, unseen (F21): its declaration is the file's, as it is now.
  bool anonymous = true;
  Declaration declaration;
  /// The file that the runtime was declared in; empty: option or variable.
  std::string declarationFile;
  /// nvcc that `bin/nvcc` stands for; empty: none.
  std::string nvcc;
  /// Named: the program behind that nvcc, which is started with `bin/nvcc` as its argv[0], so that
  /// the directory is its root (R4). Empty: nvcc is started as it is.
  std::string driver;
  /// Name in `bin` -> absolute path of the compiler it stands for (R11).
  std::vector<std::pair<std::string, std::string>> compilers;

  /// The machine that it builds for where that is another than this one: `aarch64`; else empty.
  std::string machine;

  /// Named: where it was made; what it holds for shells and for Meson names that place. Of one that
  /// was moved since, `path` is another.
  std::string madeAt;
  /// Named: version and size of the cuda-cc that made it.
  std::string program;
  /// Named: what its content is identified by.
  std::string fingerprint;
  /// Of what `declarationFile` said (F17).
  std::string declarationDigest;
  /// The options that it was made with.
  std::vector<std::string> madeWith;
  struct Input {
    /// Declaration and Compiler are looked at by every call, all of them by `--check`. What lies in
    /// an environment is no part of the fingerprint: its folders change with every installation.
    enum class Kind : uint8_t { Declaration, Compiler, Toolkit, Environment };
    static constexpr llvm::StringLiteral kinds[] = {"declaration", "compiler", "toolkit",
                                                    "environment"};
    Kind kind;
    FileId id;
  };
  /// What it was made from, as it was then.
  std::vector<Input> inputs;

  const std::string *compiler(llvm::StringRef name) const;
  /// The name in `bin` of its first C compiler, and of its first C++ compiler (`clang++-14`);
  /// empty: it has none.
  llvm::StringRef cName() const;
  llvm::StringRef cxxName() const;
};

} // namespace cudacc::core
