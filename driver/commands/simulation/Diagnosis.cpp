#include "driver/commands/simulation/Diagnosis.h"
#include "llvm/Support/ErrorHandling.h"

namespace cudacc::commands {

const char *str(Diagnosis::Ends ends) {
  switch (ends) {
  case Diagnosis::Ends::Loads:
    return "loads";
  case Diagnosis::Ends::Fails:
    return "fails";
  case Diagnosis::Ends::Aborts:
    return "aborts";
  case Diagnosis::Ends::FirstCall:
    return "first-call";
  }
  llvm_unreachable("no ending");
}

} // namespace cudacc::commands
