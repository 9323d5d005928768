#include "driver/plan/DirectoryTexts.h"

namespace cudacc::plan {

static constexpr DirectoryText texts[] = {
#include "DirectoryTexts.inc"
};

llvm::ArrayRef<DirectoryText> directoryTexts() { return texts; }

} // namespace cudacc::plan
