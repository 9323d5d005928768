#include "driver/policy/MessageHoles.h"
#include "driver/core/Arch.h"
#include "driver/core/CudaVersion.h"
#include "driver/core/Version.h"
#include "driver/facts/Device.h"
#include "driver/facts/Drivers.h"
#include "driver/facts/Libraries.h"
#include "driver/facts/NvJitLink.h"
#include "driver/facts/Providers.h"
#include "driver/facts/Torch.h"
#include "driver/policy/BinaryCase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using facts::HoleType;
using llvm::StringRef;

bool holds(HoleType type, char c) {
  switch (type) {
  case HoleType::Symbol:
  case HoleType::NvJitLink:
  case HoleType::Export:
  case HoleType::Cudart:
  case HoleType::DriverSymbol:
  case HoleType::TorchSymbol:
    return llvm::isAlnum(c) || c == '_' || c == '$';
  case HoleType::Soname:
  case HoleType::CudaLibrary:
  case HoleType::DriverLibrary:
  case HoleType::TorchLibrary:
  case HoleType::DevelopmentName:
  case HoleType::Builtins:
  case HoleType::CudaHeader:
  case HoleType::Grafted:
    return llvm::isAlnum(c) || c == '_' || c == '-' || c == '.' || c == '+';
  case HoleType::SystemNode:
    return llvm::isAlnum(c) || c == '_' || c == '.';
  case HoleType::LinkName:
    return llvm::isAlnum(c) || c == '_' || c == '-';
  case HoleType::Version:
  case HoleType::Cuda:
  case HoleType::Ptx:
  case HoleType::Driver:
    return llvm::isDigit(c) || c == '.';
  case HoleType::Macro:
  case HoleType::Number:
    return llvm::isDigit(c);
  case HoleType::Arch:
    return llvm::isAlnum(c) || c == '_' || c == '.';
  case HoleType::Path:
  case HoleType::Word:
    return c != ' ' && c != '\n';
  case HoleType::Line:
    return c != '\n';
  }
  return false;
}

bool isShort(HoleType type) { return type == HoleType::Word || type == HoleType::Line; }

static bool isSoname(StringRef value) { return value.starts_with("lib") && value.contains(".so"); }

/// `libnvrtc.so` and not `libnvrtc.so.12`.
static bool isDevelopmentName(StringRef value) {
  return value.ends_with(".so") && facts::libraryByFileName(value).has_value();
}

static bool isDriver(StringRef soname) {
  auto known = facts::libraryByFileName(soname);
  return known && known->origin == facts::LibraryOrigin::Driver;
}

static bool isExport(StringRef symbol) {
  auto sonames = facts::sonamesExporting(symbol, 0);
  return llvm::any_of(sonames, [](StringRef soname) { return !isDriver(soname); });
}

static bool isCudart(StringRef symbol) {
  return llvm::any_of(facts::sonamesExporting(symbol, 0),
                      [](StringRef soname) { return soname.starts_with("libcudart.so."); });
}

static bool isNvJitLink(StringRef symbol) {
  if (facts::nvJitLinkSuffix(symbol))
    return true;
  return symbol.starts_with("nvJitLink") && isExport(symbol);
}

static bool isDriverSymbol(StringRef symbol) {
  return symbol.starts_with("cu") &&
         (facts::driverSince(symbol) || llvm::any_of(facts::sonamesExporting(symbol, 0), isDriver));
}

/// Of torch's interfaces, or a C++ name that mentions one of its namespaces.
static bool isTorchSymbol(StringRef symbol) {
  return facts::isInTorchFashion(symbol) ||
         (symbol.starts_with("_Z") && (symbol.contains("3c10") || symbol.contains("2at") ||
                                       symbol.contains("5torch") || symbol.contains("4c10d")));
}

static std::optional<core::Arch> archOf(StringRef value) {
  value.consume_front("sm_") || value.consume_front("compute_");
  return core::Arch::parse(value.contains('.')
                               ? value.split('.').first.str() + value.split('.').second.str()
                               : value.str());
}

std::optional<StringRef> libraryWithHeader(StringRef file) {
  for (StringRef name : facts::linkNames())
    if (facts::headerOf(name).file == file)
      return name;
  return std::nullopt;
}

std::optional<core::CudaVersion> macroOf(StringRef value) {
  constexpr unsigned least = 80, most = 999;
  unsigned number = 0;
  if (value.getAsInteger(10, number))
    return std::nullopt;
  if (number >= least && number <= most)
    return core::CudaVersion{number / 10, number % 10};
  return core::CudaVersion::fromMacro(number);
}

bool accepts(HoleType type, StringRef value) {
  switch (type) {
  case HoleType::NvJitLink:
    return isNvJitLink(value);
  case HoleType::Export:
    return isExport(value);
  case HoleType::Cudart:
    return isCudart(value);
  case HoleType::DriverSymbol:
    return isDriverSymbol(value);
  case HoleType::TorchSymbol:
    return isTorchSymbol(value);
  case HoleType::Soname:
    return isSoname(value);
  case HoleType::CudaLibrary:
    return isSoname(value) && !isDevelopmentName(value) && !isDriver(value) &&
           facts::libraryByFileName(value);
  case HoleType::DriverLibrary:
    return isSoname(value) && isDriver(value);
  case HoleType::TorchLibrary:
    return facts::isTorchLibrary(value);
  case HoleType::CudaHeader:
    return libraryWithHeader(value).has_value();
  case HoleType::DevelopmentName:
    return isDevelopmentName(value) && !isDriver(value);
  case HoleType::Builtins:
    return value.starts_with("libnvrtc-builtins.so.") &&
           core::CudaVersion::parse(value.substr(21)).has_value();
  case HoleType::LinkName:
    return facts::libraryByLinkName(value).has_value();
  case HoleType::Cuda:
  case HoleType::Ptx:
    return core::CudaVersion::parse(value).has_value();
  case HoleType::Version:
  case HoleType::Driver:
    return core::Version::parse(value).has_value();
  case HoleType::Macro:
    return macroOf(value).has_value();
  case HoleType::Arch:
    return archOf(value).has_value();
  case HoleType::Grafted:
    return !ungrafted(value).empty();
  case HoleType::SystemNode:
    return value.starts_with("GLIBCXX_") || value.starts_with("CXXABI_");
  case HoleType::Path:
    return value.starts_with("/");
  case HoleType::Symbol:
  case HoleType::Number:
  case HoleType::Word:
  case HoleType::Line:
    return !value.empty();
  }
  return false;
}

} // namespace cudacc::policy
