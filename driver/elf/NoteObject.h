#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cudacc::elf {

/// A relocatable ELF64 object whose only content is the note section (EN-1); \p machine is
/// EM_X86_64 or EM_AARCH64. It also carries
/// - an empty .note.GNU-stack: without it bfd and gold make the stack executable (LK-9);
/// - .note.gnu.property with every feature bit that linkers intersect over all inputs. Without it
///   bfd 2.40, gold 1.16, lld 14 and 19 and mold 1.10 clear IBT and SHSTK in the output, and
///   `-z cet-report=error` fails; with all bits set the output has what the other inputs have.
std::string noteObject(llvm::StringRef noteSectionBytes, uint16_t machine);

/// A shared object that has a SONAME and exports \p functions without version nodes, and nothing
/// else: linked under --no-as-needed it yields a DT_NEEDED without its library being present, and
/// with the driver's names it is what -lcuda finds where no driver is. It is never to be loaded.
std::string stubLibrary(llvm::StringRef soname, uint16_t machine,
                        llvm::ArrayRef<llvm::StringRef> functions = {});

} // namespace cudacc::elf
