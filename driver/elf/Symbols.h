#pragma once

#include "driver/elf/Dynamic.h"

namespace cudacc::elf {

/// Undefined dynamic symbols with what verneed says about them, in the order of the table.
llvm::Error readImports(const Image &image, const Dynamic &dynamic,
                        std::vector<core::Import> &imports);
/// Undefined symbols of a relocatable object.
llvm::Error readUndefined(const Image &image, std::vector<core::Import> &imports);

} // namespace cudacc::elf
