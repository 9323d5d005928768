// SPDX-License-Identifier: Apache-2.0
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/DeviceNames.h"
#include "driver/versions/EnumWords.h"

namespace cudacc::report {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static llvm::StringRef homeOf(core::DeviceUnit::Home home) {
  static constexpr llvm::StringLiteral words[] = {"fatbin", "relocatable", "elsewhere"};
  return versions::entryOf<core::DeviceUnit::Home::Elsewhere>(words, home);
}

static Value imageJson(const core::DeviceImage &image, size_t unit) {
  Object out{{"unit", unit}, {"kind", str(image.kind)}, {"compression", str(image.compression)}};
  put(out, "arch", archOf(image));
  if (image.kind == core::ImageKind::Ptx)
    put(out, "ptx", image.version);
  if (image.kind == core::ImageKind::LtoIr)
    put(out, "ltoir", image.version);
  if (image.kind == core::ImageKind::Cubin && image.code != core::HasCode::Unknown) {
    out["code"] = image.code == core::HasCode::Yes;
    out["relocatable"] = image.relocatable;
  }
  return out;
}

void putDevice(Object &object, const core::DeviceCode &device) {
  Array images, units;
  for (size_t i = 0; i != device.units.size(); ++i) {
    const core::DeviceUnit &unit = device.units[i];
    units.push_back(Object{{"home", homeOf(unit.home)},
                           {"linked", unit.linked},
                           {"count", unit.count},
                           {"images", unit.images.size()}});
    for (const core::DeviceImage &image : unit.images)
      images.push_back(imageJson(image, i));
  }
  object["device"] = std::move(images);
  object["units"] = std::move(units);
  object["device_problems"] = Object{{"broken_wrappers", strings(device.brokenWrappers)},
                                     {"unknown", strings(device.unknown)},
                                     {"limits", strings(device.limits)},
                                     {"disagreements", strings(device.disagreements)}};
  object["device_sections"] = strings(device.otherSections);
}

} // namespace cudacc::report
