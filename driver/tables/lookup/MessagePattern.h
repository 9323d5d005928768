// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

/// The language of messages.json, for the generator that checks it and for whoever reads messages
/// with it.
namespace cudacc::tables {

/// What stands in a placeholder of a pattern.
enum class PlaceholderType : uint8_t {
  /// A name in a symbol table; the next five are narrower.
  Symbol,
  /// Of nvJitLink.
  NvJitLink,
  /// Exported by some known version of a CUDA library.
  Export,
  /// Of libcudart.
  Cudart,
  /// Of libcuda.so.1.
  DriverSymbol,
  /// A C++ name of torch's.
  TorchSymbol,
  /// `libX.so...`; the next five are narrower.
  Soname,
  /// Of CUDA or a library released apart, with its number.
  CudaLibrary,
  DriverLibrary,
  /// `libc10.so`.
  TorchLibrary,
  /// Of CUDA, without a number: `libnvrtc.so`.
  DevelopmentName,
  /// `libnvrtc-builtins.so.12.8`.
  Builtins,
  /// What `-l` takes, of CUDA: `cudart`.
  LinkName,
  /// A header that proves a library's: `cusparse.h`.
  CudaHeader,
  /// Numbers joined by dots; CUDA, PTX ISA and driver versions mean something.
  Version,
  Cuda,
  Ptx,
  Driver,
  /// 12040 or 124 for 12.4.
  Macro,
  /// `sm_120`, `compute_90a`, `8.6`.
  Arch,
  Number,
  /// `libcudart-96c42e41.so.12`, a copy that auditwheel renamed.
  Grafted,
  /// A version node of the system's libraries: `GLIBCXX_3.4.29`.
  SystemNode,
  /// No blanks, begins with a slash.
  Path,
  /// No blanks, as short as what follows allows.
  Word,
  /// To what follows, or to the end of the line.
  Line,
};

/// A type, its word in the data, and what can be asked of such a placeholder (`{symbol.since}`).
struct PlaceholderKind {
  PlaceholderType type;
  llvm::StringLiteral name, keys;
};

inline constexpr llvm::StringLiteral symbolKeys =
    "since always gone instead library soname wheel requirement unpinned torch pinned raise "
    "framework runtime line major otherline owncopy sincehere";
inline constexpr llvm::StringLiteral libraryKeys =
    "name majors wheel torch lasttorch runtime other change framework undeclared otherline "
    "anywheel "
    "ownwheel otherwheel";
inline constexpr llvm::StringLiteral cudaKeys = "major torch driver ptxdriver ptx";

inline constexpr PlaceholderKind placeholderKinds[] = {
    {PlaceholderType::Symbol, "symbol", ""},
    {PlaceholderType::NvJitLink, "nvjitlink",
     "built since always library soname wheel requirement "
     "unpinned torch pinned raise framework runtime line major otherline owncopy sincehere"},
    {PlaceholderType::Export, "export", symbolKeys},
    {PlaceholderType::Cudart, "cudart", symbolKeys},
    {PlaceholderType::DriverSymbol, "driversymbol", "since driver"},
    {PlaceholderType::TorchSymbol, "torchsymbol",
     "namespace name library releases nowhere pin runtime torch abi otherabi definition"},
    {PlaceholderType::Soname, "soname", ""},
    {PlaceholderType::CudaLibrary, "cudalibrary", libraryKeys},
    {PlaceholderType::DriverLibrary, "driverlibrary", ""},
    {PlaceholderType::TorchLibrary, "torchlibrary", ""},
    {PlaceholderType::DevelopmentName, "developmentname", "name sonames wheels"},
    {PlaceholderType::Builtins, "builtins", "minor wheel torch"},
    {PlaceholderType::LinkName, "linkname", "sonames wheels"},
    {PlaceholderType::CudaHeader, "cudaheader", "wheels"},
    {PlaceholderType::Version, "version", ""},
    {PlaceholderType::Cuda, "cuda", cudaKeys},
    {PlaceholderType::Ptx, "ptx", "cuda driver"},
    {PlaceholderType::Driver, "driver", "cuda"},
    {PlaceholderType::Macro, "macro", "cuda major driver torch ptxdriver"},
    {PlaceholderType::Arch, "arch", "sm first last ptx"},
    {PlaceholderType::Number, "number", ""},
    {PlaceholderType::Grafted, "grafted", "plain"},
    {PlaceholderType::SystemNode, "systemnode", "release"},
    {PlaceholderType::Path, "path", ""},
    {PlaceholderType::Word, "word", ""},
    {PlaceholderType::Line, "line", ""},
};

const PlaceholderKind *placeholderKind(llvm::StringRef name);
const PlaceholderKind &placeholderKind(PlaceholderType type);

/// A piece of a pattern or of a text: itself, or a placeholder.
struct MessagePiece {
  /// Literal text, or the placeholder's name.
  llvm::StringRef text;
  bool placeholder = false;
  /// Behind the colon of `{built:cuda}` (its own name, where none is), behind the dot of
  /// `{symbol.since}`.
  llvm::StringRef type, key;
};
using MessagePieces = llvm::SmallVector<MessagePiece, 8>;

/// Nothing: a brace without its other.
std::optional<MessagePieces> splitMessage(llvm::StringRef text);

/// `[has] `, `[!lacks] `, `[gone] ` in front of a text: it is said only where the declared runtime
/// has, or lacks, what the message is about, or where it is a name that newer versions dropped; of
/// such a name nothing else with a condition is said, but for `[!gone]` of all others. \p text
/// begins behind it.
struct MessageCondition {
  bool negated = false;
  /// Empty: always.
  llvm::StringRef word;
};
MessageCondition takeCondition(llvm::StringRef &text);

/// Characters that a scan for patterns looks for at once, none a blank.
inline constexpr unsigned anchorSize = 4;

} // namespace cudacc::tables
