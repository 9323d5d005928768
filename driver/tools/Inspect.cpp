#include "driver/report/Inspect.h"
#include "driver/elf/Reader.h"
#include "driver/facts/Libraries.h"
#include "driver/report/Json.h"
#include "driver/tools/Tools.h"

namespace cudacc::tools {

using namespace core;

static llvm::Expected<BinaryFacts> read(World &world, const std::string &path) {
  auto file = world.files.open(path);
  if (!file)
    return file.takeError();
  return elf::read(**file, path);
}

int inspect(World &world, const Arguments &arguments) {
  if (arguments.words.empty()) {
    Finding finding;
    finding.code = Code::Usage;
    finding.message = "cuda-cc inspect takes files";
    return stop(world, finding);
  }
  report::Style style;
  style.colour = world.console.outIsTerminal() && world.environment.getOr("NO_COLOR").empty();
  std::vector<BinaryFacts> files;
  int status = 0;
  for (const std::string &path : arguments.words) {
    auto facts = read(world, path);
    if (!facts) {
      status = std::max(status, stop(world, takeFinding(facts.takeError())));
      continue;
    }
    if (!arguments.json)
      world.console.out(report::inspect(
          *facts,
          [](llvm::StringRef soname) { return facts::libraryByFileName(soname).has_value(); },
          style));
    files.push_back(std::move(*facts));
  }
  if (arguments.json)
    world.console.out(report::print(report::toJson(llvm::ArrayRef<BinaryFacts>(files))));
  return status;
}

} // namespace cudacc::tools
