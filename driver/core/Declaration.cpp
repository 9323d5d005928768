#include "driver/core/Declaration.h"
#include "driver/versions/Format.h"

namespace cudacc::core {

const char *str(Enforce enforce) {
  switch (enforce) {
  case Enforce::Toolkit:
    return "toolkit";
  case Enforce::Symbols:
    return "symbols";
  case Enforce::Warn:
    return "warn";
  case Enforce::Off:
    return "off";
  }
  return "";
}

const char *str(Layout layout) {
  switch (layout) {
  case Layout::Wheels:
    return "wheels";
  case Layout::System:
    return "system";
  case Layout::Conda:
    return "conda";
  case Layout::None:
    return "none";
  }
  return "";
}

std::string LayoutChoice::str() const {
  std::string text = core::str(kind);
  return path.empty() ? text : fmt::format("{}:{}", text, path);
}

const char *str(Dtags dtags) { return dtags == Dtags::Rpath ? "rpath" : "runpath"; }

const char *str(ManifestMode mode) {
  switch (mode) {
  case ManifestMode::Declared:
    return "declared";
  case ManifestMode::Always:
    return "always";
  case ManifestMode::Never:
    return "never";
  }
  return "";
}

} // namespace cudacc::core
