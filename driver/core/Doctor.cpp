#include "driver/core/Doctor.h"
#include "llvm/Support/ErrorHandling.h"

namespace cudacc::core {

const char *str(Remedy::Kind kind) {
  switch (kind) {
  case Remedy::Kind::Undo:
    return "undo";
  case Remedy::Kind::Framework:
    return "framework";
  case Remedy::Kind::Wheel:
    return "wheel";
  case Remedy::Kind::Rebuild:
    return "rebuild";
  case Remedy::Kind::Relink:
    return "relink";
  case Remedy::Kind::Order:
    return "order";
  case Remedy::Kind::Variable:
    return "variable";
  }
  llvm_unreachable("no kind");
}

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

} // namespace cudacc::core
