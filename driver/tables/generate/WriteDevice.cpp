// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Writer.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

unsigned Writer::list(const std::vector<unsigned> &numbers) {
  auto [it, isNew] = listPlaces.try_emplace(numbers, unsigned(lists.size()));
  if (isNew) {
    lists.push_back(unsigned(numbers.size()));
    llvm::append_range(lists, numbers);
  }
  return it->second;
}

unsigned Writer::textList(const std::vector<std::string> &texts) {
  std::vector<unsigned> numbers;
  for (const std::string &text : texts)
    numbers.push_back(pool.add(text));
  return list(numbers);
}

void Writer::writeShapes() {
  open("ShapeRow", "shapes");
  for (const Model::Shape &shape : model.shapes)
    row({pool.add(shape.soname), dist(shape.dist), version(shape.from), version(shape.to),
         textList(shape.nodes), textList(shape.needed), textList(shape.dlopens),
         pool.add(shape.runpath.value_or("")), pool.add(shape.rpath.value_or("")),
         shape.runpath.has_value(), shape.rpath.has_value()});
  close();
}

void Writer::writeFloors() {
  open("FloorRow", "floors");
  for (const Model::Floor &floor : model.floors) {
    std::vector<unsigned> gaps;
    for (const auto &[first, last] : floor.notInLater) {
      gaps.push_back(version(first));
      gaps.push_back(version(last));
    }
    row({pool.add(floor.soname), dist(floor.dist), version(floor.from), version(floor.to),
         pool.add(floor.needs), dist(floor.needsDist), version(floor.least),
         textList(floor.deciding), textList(floor.missingLater), list(gaps), floor.reach,
         floor.confidence, floor.sameWheel, floor.oldestOpened});
  }
  close();
}

void Writer::writeLists() {
  checkRoom("lists", lists.size());
  open("uint16_t", "lists");
  for (unsigned number : lists)
    os << "    " << number << ",\n";
  close();
}

} // namespace cudacc::tables::generate
