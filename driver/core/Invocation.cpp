#include "driver/core/Invocation.h"

namespace cudacc::core {

llvm::StringRef str(Role role) {
  switch (role) {
  case Role::Front:
    return "front";
  case Role::Launcher:
    return "launcher";
  case Role::Masquerade:
    return "masquerade";
  case Role::Tool:
    return "tool";
  }
  return "";
}

llvm::StringRef str(Dialect dialect) {
  switch (dialect) {
  case Dialect::Nvcc:
    return "nvcc";
  case Dialect::Gcc:
    return "gcc";
  case Dialect::Clang:
    return "clang";
  }
  return "";
}

llvm::StringRef str(CallKind kind) {
  switch (kind) {
  case CallKind::Probe:
    return "probe";
  case CallKind::Preprocess:
    return "preprocess";
  case CallKind::Compile:
    return "compile";
  case CallKind::DeviceLink:
    return "device link";
  case CallKind::RelocatableLink:
    return "relocatable link";
  case CallKind::Archive:
    return "archive";
  case CallKind::Link:
    return "link";
  case CallKind::Run:
    return "run";
  }
  return "";
}

} // namespace cudacc::core
