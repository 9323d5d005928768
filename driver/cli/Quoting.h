// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

namespace cudacc::cli {

using Words = llvm::SmallVectorImpl<llvm::StringRef>;

/// Splits the text of a host compiler's `@file`: white space separates words, both kinds of quotes
/// group them, a backslash escapes the next character, inside quotes too. gcc 12.2 treats vertical
/// tab and form feed as white space and `""` as a word; clang 14 and 19 do neither.
void splitGccFile(llvm::StringRef text, llvm::BumpPtrAllocator &arena, Words &words);
void splitClangFile(llvm::StringRef text, llvm::BumpPtrAllocator &arena, Words &words);

/// Splits the text of a clang configuration file: lines, of which those that begin with `#` are
/// comments.
void splitConfigFile(llvm::StringRef text, llvm::BumpPtrAllocator &arena, Words &words);

/// Splits the text of an nvcc options file: space, tab, newline and carriage return separate words,
/// double quotes group them, a backslash escapes the next character. Single quotes and `#` are
/// ordinary characters (nvcc 13.0.88).
void splitOptionsFile(llvm::StringRef text, llvm::BumpPtrAllocator &arena, Words &words);

/// Splits NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS: only space and tab separate words; double
/// quotes group and are kept (nvcc 13.0.88). The words are parts of \p text.
void splitVariable(llvm::StringRef text, Words &words);

/// Splits a list value of nvcc: at commas outside double quotes; `\c` becomes c, quotes are kept,
/// empty items are dropped (T5, N6, N9).
void splitList(llvm::StringRef value, llvm::BumpPtrAllocator &arena, Words &items);

/// Splits a value of -Xcompiler or -Xlinker: nvcc writes the items of the list, separated by
/// spaces, into an sh command line, where sh splits them again and removes quotes (T5 to T7, N8).
/// `$NAME` is not expanded.
void splitForwarded(llvm::StringRef value, llvm::BumpPtrAllocator &arena, Words &words);

} // namespace cudacc::cli
