#include "driver/facts/LibraryShape.h"
#include "driver/facts/Lookup.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::facts {

template <unsigned N>
static void fill(llvm::SmallVector<llvm::StringRef, N> &texts, uint16_t list) {
  for (uint16_t text : tables::list(list))
    texts.push_back(tables::str(text));
}

static LibraryShape shapeOf(const tables::ShapeRow &row) {
  LibraryShape shape;
  fill(shape.nodes, row.nodes);
  fill(shape.needed, row.needed);
  fill(shape.dlopens, row.dlopens);
  shape.hasRunpath = row.hasRunpath;
  shape.hasRpath = row.hasRpath;
  if (row.hasRunpath)
    tables::str(row.runpath).split(shape.runpath, ':');
  if (row.hasRpath)
    tables::str(row.rpath).split(shape.rpath, ':');
  shape.hasGnuHash = row.gnuHash;
  shape.hasSysvHash = row.sysvHash;
  return shape;
}

std::optional<LibraryShape> shapeOf(llvm::StringRef soname, llvm::StringRef dist,
                                    const core::Version &version) {
  const tables::ShapeRow *run = tables::runOf(tables::shapes(), soname, dist, version);
  if (!run)
    return std::nullopt;
  LibraryShape shape = shapeOf(*run);
  shape.exact = tables::contains(run->from, run->to, version);
  return shape;
}

} // namespace cudacc::facts
