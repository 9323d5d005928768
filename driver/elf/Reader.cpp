#include "driver/elf/Reader.h"
#include "driver/elf/Archive.h"
#include "driver/elf/Notes.h"
#include "driver/elf/Symbols.h"

namespace cudacc::elf {

using namespace llvm::ELF;

static core::BinaryKind kindOf(const Image &image, const Dynamic &dynamic,
                               const core::BinaryFacts &facts) {
  switch (image.header.e_type) {
  case ET_REL:
    return core::BinaryKind::Relocatable;
  case ET_EXEC:
    return core::BinaryKind::Executable;
  case ET_DYN:
    break;
  default:
    return core::BinaryKind::Other;
  }
  bool program = dynamic.flags1 & DF_1_PIE || (image.segment(PT_INTERP) && facts.soname.empty());
  return program ? core::BinaryKind::Executable : core::BinaryKind::SharedObject;
}

static llvm::Error readElf(Bytes &bytes, core::BinaryFacts &facts, NotePositions *positions) {
  auto image = Image::open(bytes);
  if (!image)
    return image.takeError();
  auto dynamic = readDynamic(*image, facts);
  if (!dynamic)
    return dynamic.takeError();
  facts.kind = kindOf(*image, *dynamic, facts);
  if (facts.kind == core::BinaryKind::Other)
    return llvm::Error::success();
  if (facts.kind == core::BinaryKind::Relocatable) {
    if (auto error = readUndefined(*image, facts.imports))
      return error;
  } else {
    if (auto error = readImports(*image, *dynamic, facts.imports))
      return error;
    const Elf64_Phdr *stack = image->segment(PT_GNU_STACK);
    facts.executableStack = !stack || stack->p_flags & PF_X;
  }
  NoteBudget budget;
  return readNotes(*image, budget, facts.manifest, positions);
}

llvm::Expected<core::BinaryFacts> read(core::ReadableFile &file, llvm::StringRef path,
                                       NotePositions *positions) {
  core::BinaryFacts facts;
  facts.path = path.str();
  Bytes bytes(file, path, 0, file.size());
  auto identity = identify(bytes);
  if (!identity)
    return identity.takeError();
  facts.machine = identity->machine;
  if (identity->archive) {
    facts.kind = core::BinaryKind::Archive;
    if (auto error = readArchive(file, bytes, path, identity->thinArchive, facts))
      return error;
  } else if (identity->elf64Little) {
    if (auto error = readElf(bytes, facts, positions))
      return error;
  }
  return facts;
}

} // namespace cudacc::elf
