#include "driver/core/BinaryFacts.h"

const char *cudacc::core::str(BinaryKind kind) {
  switch (kind) {
  case BinaryKind::SharedObject:
    return "shared object";
  case BinaryKind::Executable:
    return "executable";
  case BinaryKind::Relocatable:
    return "object";
  case BinaryKind::Archive:
    return "archive";
  case BinaryKind::DeviceCode:
    return "device code";
  case BinaryKind::Other:
    return "other";
  }
  return "";
}
