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

/// The description of a toolchain directory. The compilers in its `bin` read it from
/// `../cuda-cc.facts`. A named directory is one that `cuda-cc toolchain` made.
struct ToolchainDirectory {
  static constexpr llvm::StringLiteral factsName = "cuda-cc.facts";
  /// Start of the first line, and the version of the format.
  static constexpr llvm::StringLiteral magic = "cuda-cc-toolchain", form = "2";
  /// Named only: a link to `driver`, for launchers, next to links to its siblings in `bin`.
  static constexpr llvm::StringLiteral launchedNvcc = "libexec/nvcc";

  /// Location of the directory; not part of its content.
  std::string path;
  /// Created implicitly for direct calls (F21): the declaration comes from the file as it is now.
  bool anonymous = true;
  Declaration declaration;
  /// The file that declares the runtime. Empty if an option or variable does.
  std::string declarationFile;
  /// The nvcc that `bin/nvcc` runs. Empty if there is none.
  std::string nvcc;
  /// Named only: the program behind that nvcc, started with `bin/nvcc` as its argv[0] so that it
  /// takes the directory as its root (R4). Empty if nvcc is started directly.
  std::string driver;
  /// Name in `bin` -> absolute path of the compiler it runs (R11).
  std::vector<std::pair<std::string, std::string>> compilers;

  /// Anonymous only: the directory links to a toolkit, except for `bin/nvlink`, which is cuda-cc.
  struct DeviceLinker {
    /// The toolkit's nvlink, if any; the runtime's libnvJitLink.so.
    std::string nvlink, library;
    versions::CudaVersion version;
    /// How the library was found; the program that opens it.
    std::string origin, helper;
  };
  std::optional<DeviceLinker> linker;

  /// The target machine of a cross compiler: `aarch64`. Empty for native builds.
  std::string machine;

  /// Named only: where the directory was created. Its files for shells and Meson contain this path.
  /// It differs from `path` if the directory was moved.
  std::string madeAt;
  /// Named only: version and size of the cuda-cc that made it.
  std::string program;
  /// Named only: identifies the content.
  std::string fingerprint;
  /// Digest of the declaration in `declarationFile` (F17).
  std::string declarationDigest;
  /// The options it was made with.
  std::vector<std::string> madeWith;
  struct Input {
    /// Every call checks Declaration and Compiler; `--check` checks all inputs. The contents of an
    /// environment are no part of the fingerprint: its folders change with every installation.
    enum class Kind : uint8_t { Declaration, Compiler, Toolkit, Environment };
    static constexpr llvm::StringLiteral kinds[] = {"declaration", "compiler", "toolkit",
                                                    "environment"};
    Kind kind;
    FileId id;
  };
  /// The files it was made from, with their state at that time.
  std::vector<Input> inputs;

  const std::string *compiler(llvm::StringRef name) const;
  /// The name in `bin` of its first C compiler and of its first C++ compiler (`clang++-14`). Empty
  /// if there is none.
  llvm::StringRef cName() const;
  llvm::StringRef cxxName() const;
};

} // namespace cudacc::core
