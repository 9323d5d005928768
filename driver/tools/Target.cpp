#include "driver/Declared.h"
#include "driver/probe/Config.h"
#include "driver/report/Json.h"
#include "driver/report/TargetTable.h"
#include "driver/report/Text.h"
#include "driver/tools/Tools.h"

namespace cudacc::tools {

using namespace core;

int target(World &world, const Arguments &arguments, const ToolchainDirectory *directory) {
  OwnOptions own = arguments.own;
  own.runtime.insert(own.runtime.begin(), arguments.runtime.begin(), arguments.runtime.end());
  auto declaration =
      probe::readDeclaration(own, world.environment, world.files,
                             directory ? &directory->declaration : nullptr, world.uid);
  if (!declaration)
    return stop(world, takeFinding(declaration.takeError()));
  if (!arguments.runtime.empty())
    for (size_t i = 0; i < arguments.runtime.size(); ++i)
      declaration->runtime[i].origin.name = "--runtime";
  if (!declaration->declared()) {
    Finding finding;
    finding.code = Code::Usage;
    finding.message = "no runtime is declared here";
    finding.fixes.push_back("cuda-cc target --runtime torch==2.5.1");
    return stop(world, finding);
  }
  probe::Store store(world.environment, world.files, world.uid);
  auto resolved = resolveDeclaration(world, store, *declaration);
  if (!resolved)
    return stop(world, takeFinding(resolved.takeError()));
  world.console.out(arguments.json ? report::print(report::toJson(*resolved))
                                   : report::targetTable(*resolved, outStyle(world)));
  if (!arguments.json) {
    report::Style plain;
    plain.colour = world.console.errIsTerminal() && world.environment.getOr("NO_COLOR").empty();
    world.console.err(report::text(resolved->problems, plain));
  }
  return 0;
}

} // namespace cudacc::tools
