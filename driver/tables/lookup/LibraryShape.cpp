// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/LibraryShape.h"
#include "driver/tables/lookup/Lookup.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables {

template <unsigned N>
static void fill(llvm::SmallVector<llvm::StringRef, N> &texts, uint16_t list) {
  for (uint16_t text : rows::list(list))
    texts.push_back(rows::str(text));
}

static LibraryShape shapeOf(const rows::ShapeRow &row) {
  LibraryShape shape;
  fill(shape.nodes, row.nodes);
  fill(shape.needed, row.needed);
  fill(shape.dlopens, row.dlopens);
  shape.hasRunpath = row.hasRunpath;
  shape.hasRpath = row.hasRpath;
  if (row.hasRunpath)
    rows::str(row.runpath).split(shape.runpath, ':');
  if (row.hasRpath)
    rows::str(row.rpath).split(shape.rpath, ':');
  return shape;
}

std::optional<LibraryShape> shapeOf(llvm::StringRef soname, llvm::StringRef dist,
                                    const versions::Version &version) {
  const rows::ShapeRow *run = rows::runOf(rows::shapes(), soname, dist, version);
  if (!run)
    return std::nullopt;
  LibraryShape shape = shapeOf(*run);
  shape.exact = rows::contains(run->from, run->to, version);
  return shape;
}

llvm::SmallVector<llvm::StringRef, 4> neededBy(llvm::StringRef soname, llvm::StringRef dist,
                                               const versions::Version &version) {
  auto shape = shapeOf(soname, dist, version);
  return shape ? std::move(shape->needed) : llvm::SmallVector<llvm::StringRef, 4>();
}

} // namespace cudacc::tables
