// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

/// The pattern language of messages.json, for the generator, which checks it, and for matching.
namespace cudacc::tables {

/// The type of a placeholder, which defines what it matches.
enum class PlaceholderType : uint8_t {
  /// Any name in a symbol table; the next ten are more specific.
  Symbol,
  /// A name of nvJitLink.
  NvJitLink,
  /// Exported by any known version of a CUDA library.
  Export,
  /// A name of libcudart.
  Cudart,
  /// A name of libcuda.so.1.
  DriverSymbol,
  /// A C++ name of torch.
  TorchSymbol,
  /// A function of an extension, outside any namespace, with torch's types among its parameters.
  ExtensionSymbol,
  /// A name that compilers generate: `__cudaRegisterLinkedBinary_...`.
  Generated,
  /// A name of the C++ runtime.
  CxxRuntime,
  /// A mangled C++ name.
  CxxSymbol,
  /// A name of Python's C interface.
  PythonSymbol,
  /// `libX.so...`; the next six are more specific.
  Soname,
  /// With version number, of CUDA or a separately released NVIDIA library.
  CudaLibrary,
  /// The same, where it asks for a symbol of another library.
  Asker,
  DriverLibrary,
  /// `libc10.so`.
  TorchLibrary,
  /// Of CUDA, without a version number: `libnvrtc.so`.
  DevelopmentName,
  /// `libnvrtc-builtins.so.12.8`.
  Builtins,
  /// The argument of `-l` for a CUDA library: `cudart`.
  LinkName,
  /// A header that identifies a library: `cusparse.h`.
  CudaHeader,
  /// Numbers joined by dots; Cuda, Ptx and Driver must be known versions of these.
  Version,
  Cuda,
  Ptx,
  Driver,
  /// 12040 or 124 for 12.4.
  Macro,
  /// `sm_120`, `compute_90a`, `8.6`.
  Arch,
  Number,
  /// A version of cuDNN as it is printed: `9.10.1`, `(8, 5, 0)`, 8904 and 91002.
  Cudnn,
  /// `libcudart-96c42e41.so.12`, a copy renamed by auditwheel.
  Grafted,
  /// A version node of a system library: `GLIBCXX_3.4.29`.
  SystemNode,
  /// Starts with a slash, without spaces.
  Path,
  /// Without spaces, as short as the following text allows.
  Word,
  /// Up to the following text, or to the end of the sentence or line.
  Line,
};

/// A type, its name in the data, and the keys allowed after a dot (`{symbol.since}`).
struct PlaceholderKind {
  PlaceholderType type;
  llvm::StringLiteral name, keys;
};

inline constexpr llvm::StringLiteral symbolKeys =
    "since always everywhere gone instead library soname link wheel requirement requirements "
    "unpinned torch pinned raise framework runtime line major otherline owncopy sincehere";
inline constexpr llvm::StringLiteral libraryKeys =
    "name majors onemajor severalmajors nomajor wheel torch lasttorch runtime other change "
    "framework otherline anywheel ownwheel otherwheel";
inline constexpr llvm::StringLiteral cudaKeys = "major torch driver ptxdriver ptx";

inline constexpr PlaceholderKind placeholderKinds[] = {
    {PlaceholderType::Symbol, "symbol", ""},
    {PlaceholderType::NvJitLink, "nvjitlink",
     "built since always library soname wheel requirement "
     "unpinned torch pinned raise framework runtime line major otherline owncopy sincehere"},
    {PlaceholderType::Export, "export", symbolKeys},
    {PlaceholderType::Cudart, "cudart", symbolKeys},
    {PlaceholderType::DriverSymbol, "driversymbol", "since driver everywhere"},
    {PlaceholderType::TorchSymbol, "torchsymbol",
     "namespace name library releases everywhere nowhere pin runtime torch abi otherabi "
     "definition"},
    {PlaceholderType::ExtensionSymbol, "extensionsymbol", "name"},
    {PlaceholderType::Generated, "generated", "means because fix also"},
    {PlaceholderType::CxxRuntime, "cxxruntime", "name"},
    {PlaceholderType::CxxSymbol, "cxxsymbol", "name abi"},
    {PlaceholderType::PythonSymbol, "pythonsymbol", ""},
    {PlaceholderType::Soname, "soname", ""},
    {PlaceholderType::CudaLibrary, "cudalibrary", libraryKeys},
    {PlaceholderType::Asker, "asker", ""},
    {PlaceholderType::DriverLibrary, "driverlibrary", ""},
    {PlaceholderType::TorchLibrary, "torchlibrary", ""},
    {PlaceholderType::DevelopmentName, "developmentname", "name sonames wheels"},
    {PlaceholderType::Builtins, "builtins", "minor wheel torch"},
    {PlaceholderType::LinkName, "linkname", "sonames wheels"},
    {PlaceholderType::CudaHeader, "cudaheader", "name wheels"},
    {PlaceholderType::Version, "version", ""},
    {PlaceholderType::Cuda, "cuda", cudaKeys},
    {PlaceholderType::Ptx, "ptx", "cuda driver"},
    {PlaceholderType::Driver, "driver", "cuda"},
    {PlaceholderType::Macro, "macro", "cuda major driver torch ptxdriver"},
    {PlaceholderType::Arch, "arch", "sm first everywhere index last old ptx"},
    {PlaceholderType::Number, "number", ""},
    {PlaceholderType::Cudnn, "cudnn", "version requirement wheels"},
    {PlaceholderType::Grafted, "grafted", "plain"},
    {PlaceholderType::SystemNode, "systemnode", "release"},
    {PlaceholderType::Path, "path", ""},
    {PlaceholderType::Word, "word", ""},
    {PlaceholderType::Line, "line", ""},
};

const PlaceholderKind *placeholderKind(llvm::StringRef name);
const PlaceholderKind &placeholderKind(PlaceholderType type);

/// A piece of a pattern or a text: literal text or a placeholder.
struct MessagePiece {
  /// The literal text, or the placeholder's name.
  llvm::StringRef text;
  bool placeholder = false;
  /// The part after the colon of `{built:cuda}` (default: its own name), and the part after the dot
  /// of `{symbol.since}`.
  llvm::StringRef type, key;
};
using MessagePieces = llvm::SmallVector<MessagePiece, 8>;

/// std::nullopt if braces do not match.
std::optional<MessagePieces> splitMessage(llvm::StringRef text);

/// A condition in front of a text. `[has] `, `[lacks] `: the text applies only if the declared
/// runtime has, or lacks, the subject of the message; `[!lacks] ` negates. `[gone] `: the subject
/// is a name that newer versions removed; for such a name no text with another condition applies,
/// and for all others `[!gone] ` does. takeCondition() removes the condition from \p text.
struct MessageCondition {
  bool negated = false;
  /// Empty if the text always applies.
  llvm::StringRef word;
};
MessageCondition takeCondition(llvm::StringRef &text);

/// Number of characters, none of them a space, that a scan for patterns compares at once.
inline constexpr unsigned anchorSize = 4;

} // namespace cudacc::tables
