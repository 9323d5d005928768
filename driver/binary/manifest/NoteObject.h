// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cudacc::binary {

/// A relocatable ELF64 object whose only content is the note section (EN-1); \p machine is
/// EM_X86_64 or EM_AARCH64. It also has
/// - an empty .note.GNU-stack: without it, bfd and gold make the stack executable (LK-9);
/// - .note.gnu.property with every feature bit that linkers intersect over all inputs. Without it,
///   bfd 2.40, gold 1.16, lld 14 and 19 and mold 1.10 clear IBT and SHSTK in the output, and `-z
///   cet-report=error` fails; with all bits set, the output has those of the other inputs.
std::string noteObject(llvm::StringRef noteSectionBytes, uint16_t machine);

} // namespace cudacc::binary
