#include "driver/Version.h"
#include "driver/commands/Tools.h"
#include "driver/report/json/Json.h"

int cudacc::commands::version(pipeline::World &world, const Arguments &arguments) {
  if (arguments.json)
    world.console.out(
        report::print(llvm::json::Object{{"schema", 1}, {"version", cudacc::version}}));
  else
    world.console.out(std::string("cuda-cc ") + cudacc::version + "\n");
  return 0;
}
