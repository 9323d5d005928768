#include "driver/TorchTables.h"
#include "llvm/Support/Path.h"

namespace cudacc {

using namespace core;

static constexpr llvm::StringLiteral fileName = "torch-names.bin";
static constexpr uint64_t mostBytes = 64 << 20;

const policy::TorchTable &TorchTables::operator()() {
  std::call_once(once, [this] { open(); });
  return table;
}

/// As it is installed, or beside the program in a build tree.
void TorchTables::open() {
  std::string folder = llvm::sys::path::parent_path(world.self).str();
  std::string installed =
      (llvm::sys::path::parent_path(folder) + "/share/cuda-cc/" + fileName).str();
  std::string beside = (folder + "/" + fileName).str();
  table.place = world.files.stat(installed).exists() || !world.files.stat(beside).exists()
                    ? installed
                    : beside;
  if (!world.files.stat(table.place).exists()) {
    table.problem = "the table of torch's names is not installed";
    return;
  }
  auto read = world.files.read(table.place, mostBytes);
  auto view = read ? facts::TorchNames::view(bytes = std::move(*read))
                   : llvm::Expected<facts::TorchNames>(read.takeError());
  if (!view) {
    table.problem = takeFinding(view.takeError()).message;
    return;
  }
  names = std::move(*view);
  table.names = &*names;
}

} // namespace cudacc
