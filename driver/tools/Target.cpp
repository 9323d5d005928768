#include "driver/policy/Resolve.h"
#include "driver/probe/Config.h"
#include "driver/report/Json.h"
#include "driver/report/TargetTable.h"
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
  auto resolved = policy::resolve(*declaration);
  if (!resolved)
    return stop(world, takeFinding(resolved.takeError()));
  report::Style style;
  style.colour = world.console.outIsTerminal() && world.environment.getOr("NO_COLOR").empty();
  world.console.out(arguments.json ? report::print(report::toJson(*resolved))
                                   : report::targetTable(*resolved, style));
  return 0;
}

} // namespace cudacc::tools
