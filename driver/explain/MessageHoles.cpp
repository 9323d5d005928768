#include "driver/explain/MessageHoles.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Drivers.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/NvJitLink.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::explain {

using llvm::StringRef;
using tables::HoleType;

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
  return value.ends_with(".so") && tables::libraryByFileName(value).has_value();
}

static bool isDriver(StringRef soname) {
  auto known = tables::libraryByFileName(soname);
  return known && known->origin == tables::LibraryOrigin::Driver;
}

static bool isExport(StringRef symbol) {
  auto sonames = tables::sonamesExporting(symbol, 0);
  return llvm::any_of(sonames, [](StringRef soname) { return !isDriver(soname); });
}

static bool isCudart(StringRef symbol) {
  return llvm::any_of(tables::sonamesExporting(symbol, 0),
                      [](StringRef soname) { return soname.starts_with("libcudart.so."); });
}

static bool isNvJitLink(StringRef symbol) {
  if (tables::nvJitLinkSuffix(symbol))
    return true;
  return symbol.starts_with("nvJitLink") && isExport(symbol);
}

static bool isDriverSymbol(StringRef symbol) {
  return symbol.starts_with("cu") && (tables::driverSince(symbol) ||
                                      llvm::any_of(tables::sonamesExporting(symbol, 0), isDriver));
}

/// Of torch's interfaces, or a C++ name that mentions one of its namespaces.
static bool isTorchSymbol(StringRef symbol) {
  return tables::isInTorchFashion(symbol) ||
         (symbol.starts_with("_Z") && (symbol.contains("3c10") || symbol.contains("2at") ||
                                       symbol.contains("5torch") || symbol.contains("4c10d")));
}

static std::optional<versions::Arch> archOf(StringRef value) {
  value.consume_front("sm_") || value.consume_front("compute_");
  return versions::Arch::parse(
      value.contains('.') ? fmt::format("{}{}", value.split('.').first, value.split('.').second)
                          : value.str());
}

std::optional<StringRef> libraryWithHeader(StringRef file) {
  for (StringRef name : tables::linkNames())
    if (tables::headerOf(name).file == file)
      return name;
  return std::nullopt;
}

std::optional<versions::CudaVersion> macroOf(StringRef value) {
  constexpr unsigned least = 80, most = 999;
  unsigned number = 0;
  if (value.getAsInteger(10, number))
    return std::nullopt;
  if (number >= least && number <= most)
    return versions::CudaVersion{number / 10, number % 10};
  return versions::CudaVersion::fromMacro(number);
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
           tables::libraryByFileName(value);
  case HoleType::DriverLibrary:
    return isSoname(value) && isDriver(value);
  case HoleType::TorchLibrary:
    return tables::isTorchLibrary(value);
  case HoleType::CudaHeader:
    return libraryWithHeader(value).has_value();
  case HoleType::DevelopmentName:
    return isDevelopmentName(value) && !isDriver(value);
  case HoleType::Builtins:
    return value.starts_with("libnvrtc-builtins.so.") &&
           versions::CudaVersion::parse(value.substr(21)).has_value();
  case HoleType::LinkName:
    return tables::libraryByLinkName(value).has_value();
  case HoleType::Cuda:
  case HoleType::Ptx:
    return versions::CudaVersion::parse(value).has_value();
  case HoleType::Version:
  case HoleType::Driver:
    return versions::Version::parse(value).has_value();
  case HoleType::Macro:
    return macroOf(value).has_value();
  case HoleType::Arch:
    return archOf(value).has_value();
  case HoleType::Grafted:
    return !policy::ungrafted(value).empty();
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

} // namespace cudacc::explain
