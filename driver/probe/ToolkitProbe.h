#pragma once

#include "driver/core/Files.h"
#include "driver/core/Toolkit.h"

namespace cudacc::probe {

/// Everything about the toolkit behind \p nvcc (absolute), read from files: the program that
/// scripts and links lead to, the directories its profile names, and each part with the version
/// that its own evidence gives. A version that cannot be learnt stays unknown; only an nvcc that is
/// not there or cannot be read is an error (Code::NoToolkit, UnreadableFile).
///
/// Evidence: programs by their own text, headers by their macro, other parts by their wheel's or
/// conda package's name, and by version.json where nothing else speaks. Own evidence and owner that
/// name different releases are a conflict (EV-8).
llvm::Expected<core::Toolkit> probeToolkit(llvm::StringRef nvcc, llvm::StringRef foundBy,
                                           core::Files &files);

} // namespace cudacc::probe
