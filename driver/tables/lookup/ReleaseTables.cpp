// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/ReleaseTables.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::rows {

std::string str(const Number &number) {
  return fmt::format("{}.{}.{}", number[0], number[1], number[2]);
}

const Toolkit *ReleaseTables::findToolkit(const Number &number) const {
  auto it = llvm::find_if(toolkits, [&](const Toolkit &each) { return each.number == number; });
  return it == toolkits.end() ? nullptr : &*it;
}

Line *Torch::find(versions::CudaVersion cuda) {
  auto it = llvm::find_if(lines, [&](const Line &line) { return line.cuda == cuda; });
  return it == lines.end() ? nullptr : &*it;
}

} // namespace cudacc::tables::rows
