#include "driver/Version.h"
#include "driver/commands/Tools.h"
#include "driver/report/json/Json.h"

int cudacc::commands::version(pipeline::System &system, const Arguments &arguments) {
  if (arguments.json)
    system.console.out(
        report::print(llvm::json::Object{{"schema", 1}, {"version", cudacc::version}}));
  else
    system.console.out(std::string("cuda-cc ") + cudacc::version + "\n");
  return 0;
}
