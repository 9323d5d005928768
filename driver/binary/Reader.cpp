// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/Reader.h"
#include "driver/binary/archive/Archive.h"
#include "driver/binary/device/Device.h"
#include "driver/binary/device/DeviceFile.h"
#include "driver/binary/elf/Damage.h"
#include "driver/binary/elf/Header.h"
#include "driver/binary/elf/StaticCudart.h"
#include "driver/binary/elf/Symbols.h"
#include "driver/binary/manifest/Notes.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::binary {

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

static llvm::Error readObject(const Image &image, const ReadOptions &options,
                              core::BinaryFacts &facts) {
  if (!options.imports)
    return llvm::Error::success();
  ObjectSymbols symbols;
  if (auto error = readObjectSymbols(image, false, symbols))
    return error;
  facts.imports = std::move(symbols.undefined);
  facts.compilerIr = symbols.slimLto;
  return llvm::Error::success();
}

/// A static cudart opens the driver. What is linked statically as a whole shows no imports.
static bool mayHaveStaticCudart(const core::BinaryFacts &facts) {
  return facts.needed.empty() || llvm::any_of(facts.imports, [](const core::Import &import) {
           return import.symbol == "dlsym";
         });
}

static llvm::Error readLinked(const Image &image, const Dynamic &dynamic,
                              const ReadOptions &options, core::BinaryFacts &facts) {
  if (options.imports || options.exports)
    if (auto error = readDynamicSymbols(image, dynamic, options.imports, options.exports, facts))
      return error;
  if (options.thorough || (options.cudart && mayHaveStaticCudart(facts)))
    if (auto error = readStaticCudart(
            image, options.staticCudart ? options.staticCudart() : std::nullopt, facts))
      return error;
  const Elf64_Phdr *stack = image.segment(PT_GNU_STACK);
  facts.executableStack = stack ? stack->p_flags & PF_X : image.header.e_machine == EM_X86_64;
  return llvm::Error::success();
}

static llvm::Error readElf(Bytes &bytes, const ReadOptions &options, core::BinaryFacts &facts,
                           NotePositions *positions) {
  auto truncation = findTruncation(bytes);
  if (!truncation)
    return truncation.takeError();
  if (*truncation)
    return core::makeError(damageFinding(**truncation, facts.path));
  auto image = Image::open(bytes);
  if (!image)
    return image.takeError();
  if (std::optional<Damage> damage = damageOfSegments(*image))
    return core::makeError(damageFinding(*damage, facts.path));
  auto dynamic = readDynamic(*image, facts);
  if (!dynamic)
    return dynamic.takeError();
  if (std::optional<Damage> damage = damageOfTables(*image, *dynamic, options.relocations))
    return core::makeError(damageFinding(*damage, facts.path));
  facts.noDefaultDirectories = dynamic->flags1 & DF_1_NODEFLIB;
  facts.noDlopen = dynamic->flags1 & DF_1_NOOPEN;
  facts.isPie = dynamic->flags1 & DF_1_PIE;
  facts.isFixed = image->header.e_type == ET_EXEC;
  facts.kind = kindOf(*image, *dynamic, facts);
  const Elf64_Phdr *section = image->segment(PT_DYNAMIC);
  facts.lacksDynamic =
      facts.kind == core::BinaryKind::SharedObject && !(section && section->p_filesz);
  if (facts.kind == core::BinaryKind::Other)
    return llvm::Error::success();
  if (auto error = facts.kind == core::BinaryKind::Relocatable
                       ? readObject(*image, options, facts)
                       : readLinked(*image, *dynamic, options, facts))
    return error;
  NoteBudget budget;
  DlopenNotes dlopens;
  if (auto error = readNotes(*image, budget, facts.manifest, dlopens, positions))
    return error;
  facts.dlopens = std::move(dlopens.sonames);
  if (!options.device)
    return llvm::Error::success();
  return readDevice(*image, {options.deep, options.verify, options.inflate, options.onContainer},
                    facts.device);
}

llvm::Expected<core::BinaryFacts> read(core::ReadableFile &file, llvm::StringRef path,
                                       const ReadOptions &options, NotePositions *positions) {
  core::BinaryFacts facts;
  facts.path = path.str();
  Bytes bytes(file, path, 0, file.size());
  auto identity = identify(bytes);
  if (!identity)
    return identity.takeError();
  facts.machine = identity->machine;
  facts.notAudited = identity->notAudited;
  if (identity->elf && bytes.size() < 20)
    return core::makeError(
        damageFinding({Damage::Ends::Refused, TooShort, "", bytes.size()}, path));
  DeviceOptions device{options.deep, options.verify, options.inflate, options.onContainer};
  auto isDevice = options.device && !identity->readable
                      ? readDeviceFile(bytes, *identity, device, facts)
                      : llvm::Expected<bool>(false);
  if (!isDevice)
    return isDevice.takeError();
  if (*isDevice)
    return facts;
  if (identity->archive) {
    facts.kind = core::BinaryKind::Archive;
    if (auto error = readArchive(file, bytes, path, identity->thinArchive, options, facts))
      return error;
  } else if (identity->bitcode) {
    facts.kind = core::BinaryKind::Relocatable;
    facts.compilerIr = true;
  } else if (identity->readable) {
    if (auto error = readElf(bytes, options, facts, positions))
      return error;
  }
  return facts;
}

llvm::Expected<core::BinaryFacts> read(core::ReadableFile &file, llvm::StringRef path,
                                       NotePositions *positions) {
  ReadOptions options;
  options.thorough = false;
  return read(file, path, options, positions);
}

} // namespace cudacc::binary
