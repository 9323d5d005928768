#include "driver/plan/Toolchain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

namespace cudacc::plan {

std::string digest(llvm::StringRef text) {
  auto hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  return llvm::toHex(llvm::ArrayRef<uint8_t>(hash).take_front(8), /*LowerCase=*/true);
}

ToolchainContent planToolchain(const core::ToolchainDirectory &directory, llvm::StringRef program) {
  ToolchainContent content;
  std::string facts = directory.serialise();
  content.name = digest((facts + program).str());
  content.fingerprint = "cuda-cc-fingerprint:" + content.name + "\n";
  if (!directory.nvcc.empty())
    content.programs.push_back("bin/nvcc");
  for (const auto &[ours, real] : directory.compilers)
    content.programs.push_back("bin/" + ours);
  content.files.emplace_back(core::ToolchainDirectory::factsName.str(), std::move(facts));
  return content;
}

} // namespace cudacc::plan
