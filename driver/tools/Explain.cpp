#include "driver/report/Pages.h"
#include "driver/tools/Tools.h"

namespace cudacc::tools {

using namespace core;

int explain(World &world, const Arguments &arguments) {
  if (arguments.words.size() != 1) {
    Finding finding;
    finding.code = Code::Usage;
    finding.message = "cuda-cc explain takes one code";
    finding.fixes.push_back("cuda-cc explain CC3001");
    return stop(world, finding);
  }
  if (auto code = parseCode(arguments.words[0])) {
    world.console.out(report::page(*code));
    return 0;
  }
  Finding finding;
  finding.code = Code::Usage;
  finding.message = "'" + arguments.words[0] + "' is no code of cuda-cc";
  std::vector<std::string> names;
  for (const CodeInfo &row : allCodes())
    names.push_back(str(row.code));
  std::vector<llvm::StringRef> candidates(names.begin(), names.end());
  if (llvm::StringRef near = nearest(arguments.words[0], candidates); !near.empty())
    finding.fixes.push_back(("cuda-cc explain " + near).str());
  return stop(world, finding);
}

} // namespace cudacc::tools
