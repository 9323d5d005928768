// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

namespace cudacc::cli {

using Words = llvm::SmallVectorImpl<llvm::StringRef>;

/// The text of a host compiler's `@file`: blanks separate, quotes of both kinds join, a backslash
/// takes the next character as it is, inside quotes too. gcc 12.2 counts vertical tab and form feed
/// as blanks and `""` as a word; clang 14 and 19 do neither.
void splitGccFile(llvm::StringRef text, llvm::BumpPtrAllocator &arena, Words &words);
void splitClangFile(llvm::StringRef text, llvm::BumpPtrAllocator &arena, Words &words);

/// The text of nvcc's options file: blank, tab, newline and return separate, double quotes join, a
/// backslash takes the next character as it is. A single quote and `#` are ordinary characters
/// (nvcc 13.0.88).
void splitOptionsFile(llvm::StringRef text, llvm::BumpPtrAllocator &arena, Words &words);

/// NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS: only blank and tab separate; double quotes join and
/// stay in the word (nvcc 13.0.88). The words are parts of \p text.
void splitVariable(llvm::StringRef text, Words &words);

/// A value of nvcc's that is a list: split at commas outside double quotes, `\c` is c, quotes stay,
/// empty items vanish (T5, N6, N9).
void splitList(llvm::StringRef value, llvm::BumpPtrAllocator &arena, Words &items);

/// A value of -Xcompiler or -Xlinker: a list whose items nvcc writes with blanks between them into
/// a line for sh, which splits again and takes the quotes off (T5 to T7, N8). `$NAME` is left
/// alone.
void splitForwarded(llvm::StringRef value, llvm::BumpPtrAllocator &arena, Words &words);

} // namespace cudacc::cli
