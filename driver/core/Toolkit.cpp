// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Toolkit.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::core {

const Component *Toolkit::find(llvm::StringRef name) const {
  auto it = llvm::find_if(components, [&](const auto &part) { return part.name == name; });
  return it == components.end() ? nullptr : &*it;
}

versions::CudaVersion Toolkit::version() const {
  const Component *part = find("nvcc");
  return part ? part->cuda : versions::CudaVersion{};
}

} // namespace cudacc::core
