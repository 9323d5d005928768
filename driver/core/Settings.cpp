// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Settings.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::core {

static constexpr KeyInfo keys[] = {
#define SETTING(Id, Field, Name, Type_, Option_, Variable, Placeholder, Allowed, Fallback, Words,  \
                Scope_, Shown_, Restricting, Help, Values)                                         \
  {Key::Id,                                                                                        \
   Name,                                                                                           \
   KeyInfo::ValueType::Type_,                                                                      \
   KeyInfo::Option::Option_,                                                                       \
   Variable,                                                                                       \
   Placeholder,                                                                                    \
   Allowed,                                                                                        \
   Fallback,                                                                                       \
   Words,                                                                                          \
   KeyInfo::Scope::Scope_,                                                                         \
   KeyInfo::Shown::Shown_,                                                                         \
   Restricting,                                                                                    \
   Help},
#include "driver/config/settings.def"
};
static_assert(std::size(keys) == keyCount);

std::string KeyInfo::optionName() const { return fmt::format("--cudacc-{}", name); }

llvm::ArrayRef<KeyInfo> allKeys() { return keys; }
const KeyInfo &info(Key key) { return keys[size_t(key)]; }

static std::string textOf(const std::string &value) { return value; }
static std::string textOf(bool value) { return value ? "true" : "false"; }
static std::string textOf(const LayoutChoice &value) { return value.str(); }
static std::string textOf(const SeverityChange &value) { return value.str(); }
static std::string textOf(const Waiver &value) { return value.str(); }
template <typename T> static std::string textOf(T value) { return str(value); }

namespace {
/// Collects the values of a setting of any type as strings.
struct Lister {
  std::vector<Setting<std::string>> texts;
  template <typename T> void operator()(const Setting<T> &setting) {
    texts.push_back({textOf(setting.value), setting.origin});
  }
  template <typename T> void operator()(const std::optional<Setting<T>> &setting) {
    if (setting)
      (*this)(*setting);
  }
  template <typename T> void operator()(const std::vector<Setting<T>> &list) {
    for (const Setting<T> &each : list)
      (*this)(each);
  }
};
} // namespace

std::vector<Setting<std::string>> valuesOf(Key key, const Declaration &declaration) {
  Lister lister;
  visitSetting(key, declaration, lister);
  return std::move(lister.texts);
}

Origin originOf(Key key, const Declaration &declaration) {
  // All values of a list come from one source.
  std::vector<Setting<std::string>> values = valuesOf(key, declaration);
  return values.empty() ? Origin{} : std::move(values.front().origin);
}

std::string valueOf(Key key, const Declaration &declaration) {
  std::string text;
  for (const Setting<std::string> &each : valuesOf(key, declaration))
    text += (text.empty() ? "" : "; ") + each.value;
  return text;
}

} // namespace cudacc::core
