// SPDX-License-Identifier: Apache-2.0
#include "plugins/rtld/Trace.h"
#include "plugins/rtld/TraceBuffer.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

namespace {
/// Every file that is not below /absent is the same library.
struct SameFiles : loader::Tree {
  core::BinaryFacts facts;

  SameFiles() {
    facts.kind = core::BinaryKind::SharedObject;
    facts.machine = llvm::ELF::EM_X86_64;
    facts.soname = "libnvJitLink.so.12";
    facts.needed = {"libnvJitLink.so.12", "libcusparse.so.12"};
    facts.hasRunpath = true;
    facts.runpath = {"$ORIGIN", "/new"};
  }
  loader::Candidate open(llvm::StringRef path, uint16_t) override {
    loader::Candidate found;
    if (path.starts_with("/absent"))
      return found;
    found.kind = loader::Candidate::Kind::Good;
    found.facts = &facts;
    found.device = 1;
    found.inode = 1 + path.size();
    return found;
  }
  std::optional<std::string> cached(llvm::StringRef, uint16_t) override { return std::nullopt; }
  std::vector<core::VersionNeed> versionNeeds(llvm::StringRef) override { return {}; }
  std::optional<std::vector<loader::Bound>> order(llvm::StringRef,
                                                  llvm::ArrayRef<llvm::StringRef>) override {
    return std::nullopt;
  }
  versions::Exported exported(llvm::StringRef, llvm::StringRef, llvm::StringRef) override {
    return versions::Exported::Unknown;
  }
  std::optional<bool> versioned(llvm::StringRef) override { return true; }
};
} // namespace

/// Records that a traced program may have overwritten: of a whole file, or, without its magic, the
/// records alone, where a blank stands for a tab.
static void run(llvm::StringRef bytes) {
  std::string file = bytes.str();
  if (!bytes.starts_with({rtld::magic, sizeof(rtld::magic)})) {
    file = rtld::emptyBuffer({"nvJitLink", "cusparse", "cudart"}, 4096 + bytes.size());
    auto *buffer = reinterpret_cast<rtld::TraceBuffer *>(file.data());
    uint64_t room = file.size() - std::min<uint64_t>(buffer->used, file.size());
    for (size_t i = 0; i < std::min<uint64_t>(room, bytes.size()); ++i)
      file[buffer->used + i] = bytes[i] == ' ' ? '\t' : bytes[i];
    buffer->used += bytes.size();
  }
  rtld::Records records = rtld::readBuffer(file);
  SameFiles tree;
  auto identify = [](rtld::TracedCopy &) {};
  for (llvm::StringRef module : {"", "ext.so"})
    rtld::trace(records, module, {tree, llvm::ELF::EM_X86_64, identify});
}

static const fuzz::Target target("trace", run);
