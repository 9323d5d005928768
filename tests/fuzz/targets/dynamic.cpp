// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/RelocatableObjects.h"
#include "driver/binary/elf/Bindings.h"
#include "driver/binary/elf/Damage.h"
#include "driver/binary/elf/Machine.h"
#include "driver/binary/elf/NeededEntries.h"
#include "tests/fuzz/Input.h"
#include "tests/fuzz/Mutate.h"

using namespace cudacc;

static llvm::Expected<std::unique_ptr<core::ReadableFile>> noMember(llvm::StringRef) {
  return core::makeError(core::Code::UnreadableFile, "there are no members");
}

/// What the loader reads of a file, and what a device link does.
static void run(llvm::StringRef bytes) {
  fuzz::Input file(bytes);
  auto damage = fuzz::valueOf(binary::findDamage(file, "x.so"));
  if (damage && *damage)
    fuzz::expect(!binary::damageFinding(**damage, "x.so").message.empty());
  fuzz::valueOf(binary::hasCode(file, "x.so"));
  fuzz::valueOf(binary::bindingOrder(file, "x.so", {"puts", "a"}));
  fuzz::valueOf(binary::versionNeeds(file, "x.so"));
  binary::machineOf(file);
  if (auto patches = fuzz::valueOf(binary::removeNeeded(file, "x.so", {"libc.so.6"})))
    for (const binary::Patch &patch : *patches)
      fuzz::expect(patch.offset <= bytes.size() &&
                   patch.bytes.size() <= bytes.size() - patch.offset);
  fuzz::valueOf(
      binary::eachRelocatableObject(file, "x.o", noMember, [](binary::RelocatableObject object) {
        fuzz::expect(!object.bytes.empty());
        return llvm::Error::success();
      }));
}

static const fuzz::Target target("dynamic", run, fuzz::mutateElf);
