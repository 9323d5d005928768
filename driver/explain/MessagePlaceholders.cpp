// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/MessagePlaceholders.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::explain {

using llvm::StringRef;
using tables::PlaceholderType;

bool isShort(PlaceholderType type) {
  return type == PlaceholderType::Word || type == PlaceholderType::Line ||
         type == PlaceholderType::Cudnn;
}

static bool isSoname(StringRef value) { return value.starts_with("lib") && value.contains(".so"); }

/// True for `libnvrtc.so`, false for `libnvrtc.so.12`.
static bool isDevelopmentName(StringRef value) {
  return value.ends_with(".so") && tables::libraryByFileName(value).has_value();
}

static bool isCudaLibrary(StringRef value) {
  return isSoname(value) && !isDevelopmentName(value) && !tables::isDriverLibrary(value) &&
         tables::libraryByFileName(value);
}

static bool isPythonSymbol(StringRef symbol) {
  symbol.consume_front("_");
  return symbol.consume_front("Py") && !symbol.empty() &&
         (llvm::isUpper(symbol.front()) || symbol.front() == '_');
}

static bool isExport(StringRef symbol) {
  if (policy::isOfCxxRuntime(symbol))
    return false;
  auto sonames = tables::sonamesExporting(symbol, 0);
  return llvm::any_of(sonames, [](StringRef soname) { return !tables::isDriverLibrary(soname); });
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
  return symbol.starts_with("cu") &&
         (tables::driverSince(symbol) ||
          llvm::any_of(tables::sonamesExporting(symbol, 0), tables::isDriverLibrary));
}

static bool mentionsTorch(StringRef symbol) {
  return symbol.starts_with("_Z") && (symbol.contains("3c10") || symbol.contains("2at") ||
                                      symbol.contains("5torch") || symbol.contains("4c10d"));
}

/// A C++ function outside any namespace, `_Z24silu_and_mul_nvfp4_quantRN2at6TensorE`: torch has
/// none.
static bool isExtensionSymbol(StringRef symbol) {
  return mentionsTorch(symbol) && symbol.size() > 2 && llvm::isDigit(symbol[2]);
}

/// Whether the name looks like torch's interfaces, or is a C++ name that mentions one of torch's
/// namespaces.
static bool isTorchSymbol(StringRef symbol) {
  return tables::isInTorchFashion(symbol) || (mentionsTorch(symbol) && !isExtensionSymbol(symbol));
}

std::optional<versions::Version> cudnnVersionOf(StringRef value) {
  unsigned number = 0;
  if (!value.getAsInteger(10, number)) {
    // CUDNN_VERSION: 8904 is 8.9.4, and since cuDNN 9 with two more digits, 91002 is 9.10.2.
    constexpr unsigned least = 1000, wide = 90000;
    if (number < least)
      return std::nullopt;
    unsigned major = number >= wide ? 10000 : 1000;
    return versions::Version::parse(
        fmt::format("{}.{}.{}", number / major, number % major / 100, number % 100));
  }
  std::string dotted;
  for (char c : value)
    if (llvm::isDigit(c) || c == '.')
      dotted += c;
    else if (c == ',')
      dotted += '.';
  return dotted.find('.') == std::string::npos ? std::nullopt : versions::Version::parse(dotted);
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

static bool isNameChar(char c) { return llvm::isAlnum(c) || c == '_'; }
static bool isSymbolChar(char c) { return isNameChar(c) || c == '$'; }
static bool isNodeChar(char c) { return isNameChar(c) || c == '.'; }
static bool isLinkChar(char c) { return isNameChar(c) || c == '-'; }
static bool isFileChar(char c) { return isLinkChar(c) || c == '.' || c == '+'; }
static bool isDigit(char c) { return llvm::isDigit(c); }
static bool isVersionChar(char c) { return isDigit(c) || c == '.'; }
static bool isCudnnChar(char c) { return isVersionChar(c) || StringRef("(), ").contains(c); }
static bool isWordChar(char c) { return c != ' ' && c != '\n'; }
static bool isLineChar(char c) { return c != '\n'; }
static bool isAny(StringRef value) { return !value.empty(); }
static bool isVersion(StringRef value) { return versions::Version::parse(value).has_value(); }
static bool isCuda(StringRef value) { return versions::CudaVersion::parse(value).has_value(); }

namespace {
/// The characters that a placeholder of that type may have, and the check of its whole value.
struct PlaceholderRule {
  PlaceholderType type;
  bool (*holds)(char c);
  bool (*accepts)(StringRef value);
};

/// Indexed by PlaceholderType.
constexpr PlaceholderRule rules[] = {
    {PlaceholderType::Symbol, isSymbolChar, isAny},
    {PlaceholderType::NvJitLink, isSymbolChar, isNvJitLink},
    {PlaceholderType::Export, isSymbolChar, isExport},
    {PlaceholderType::Cudart, isSymbolChar, isCudart},
    {PlaceholderType::DriverSymbol, isSymbolChar, isDriverSymbol},
    {PlaceholderType::TorchSymbol, isSymbolChar, isTorchSymbol},
    {PlaceholderType::ExtensionSymbol, isSymbolChar, isExtensionSymbol},
    {PlaceholderType::Generated, isSymbolChar,
     [](StringRef value) { return tables::generatedName(value).has_value(); }},
    {PlaceholderType::CxxRuntime, isSymbolChar, policy::isOfCxxRuntime},
    {PlaceholderType::CxxSymbol, isSymbolChar,
     [](StringRef value) { return value.starts_with("_Z"); }},
    {PlaceholderType::PythonSymbol, isSymbolChar, isPythonSymbol},
    {PlaceholderType::Soname, isFileChar, isSoname},
    {PlaceholderType::CudaLibrary, isFileChar, isCudaLibrary},
    {PlaceholderType::Asker, isFileChar, isCudaLibrary},
    {PlaceholderType::DriverLibrary, isFileChar,
     [](StringRef value) { return isSoname(value) && tables::isDriverLibrary(value); }},
    {PlaceholderType::TorchLibrary, isFileChar, tables::isTorchLibrary},
    {PlaceholderType::DevelopmentName, isFileChar,
     [](StringRef value) { return isDevelopmentName(value) && !tables::isDriverLibrary(value); }},
    {PlaceholderType::Builtins, isFileChar,
     [](StringRef value) { return value.consume_front("libnvrtc-builtins.so.") && isCuda(value); }},
    {PlaceholderType::LinkName, isLinkChar,
     [](StringRef value) { return tables::libraryByLinkName(value).has_value(); }},
    {PlaceholderType::CudaHeader, isFileChar,
     [](StringRef value) { return libraryWithHeader(value).has_value(); }},
    {PlaceholderType::Version, isVersionChar, isVersion},
    {PlaceholderType::Cuda, isVersionChar, isCuda},
    {PlaceholderType::Ptx, isVersionChar, isCuda},
    {PlaceholderType::Driver, isVersionChar, isVersion},
    {PlaceholderType::Macro, isDigit, [](StringRef value) { return macroOf(value).has_value(); }},
    {PlaceholderType::Arch, isNodeChar, [](StringRef value) { return archOf(value).has_value(); }},
    {PlaceholderType::Number, isDigit, isAny},
    {PlaceholderType::Cudnn, isCudnnChar,
     [](StringRef value) { return cudnnVersionOf(value).has_value(); }},
    {PlaceholderType::Grafted, isFileChar,
     [](StringRef value) { return !policy::ungrafted(value).empty(); }},
    {PlaceholderType::SystemNode, isNodeChar,
     [](StringRef value) { return value.starts_with("GLIBCXX_") || value.starts_with("CXXABI_"); }},
    {PlaceholderType::Path, isWordChar, [](StringRef value) { return value.starts_with("/"); }},
    {PlaceholderType::Word, isWordChar, isAny},
    {PlaceholderType::Line, isLineChar, isAny},
};
static_assert([] {
  for (size_t i = 0; i != std::size(rules); ++i)
    if (size_t(rules[i].type) != i)
      return false;
  return std::size(rules) == size_t(PlaceholderType::Line) + 1;
}());
} // namespace

bool holds(PlaceholderType type, char c) { return rules[size_t(type)].holds(c); }
bool accepts(PlaceholderType type, StringRef value) { return rules[size_t(type)].accepts(value); }

} // namespace cudacc::explain
