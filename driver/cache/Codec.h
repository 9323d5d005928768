// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Toolkit.h"
#include "driver/support/Fields.h"
#include "driver/versions/Arch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include <charconv>
#include <concepts>
#include <tuple>

/// Text format of cached values. A function template `describe(lines, value)`, found by the type of
/// the value, lists its lines once: a LineWriter writes all of them, a LineReader parses the one
/// line that it was given.
namespace cudacc::cache {

template <typename T> std::string fieldOf(const T &value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "1" : "0";
  else if constexpr (std::is_same_v<T, versions::CudaVersion>)
    return value.known() ? value.str() : "";
  else if constexpr (std::is_same_v<T, versions::Version>)
    return value.release.empty() ? "" : value.str();
  else if constexpr (std::is_enum_v<T>)
    return fieldOf(std::underlying_type_t<T>(value));
  else
    return fmt::format("{}", value);
}
inline const std::string &fieldOf(const std::string &value) { return value; }

template <typename T> bool readField(const std::string &text, T &value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = text == "1";
    return true;
  } else if constexpr (std::is_integral_v<T>) {
    const char *end = text.data() + text.size();
    auto [at, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && at == end;
  } else {
    auto parsed = T::parse(text);
    value = parsed.value_or(T{});
    // An unknown version is written as an empty field.
    return parsed || (text.empty() && !std::is_same_v<T, versions::Arch>);
  }
}
inline bool readField(const std::string &text, std::string &value) {
  value = text;
  return true;
}
inline bool readField(const std::string &text, core::Code &value) {
  auto code = core::parseCode(text);
  value = code.value_or(core::Code{});
  return code.has_value();
}
/// A number that is no enumerator up to \p Last is damage.
template <auto Last> bool readEnum(const std::string &text, decltype(Last) &value) {
  unsigned number = 0;
  bool good = readField(text, number) && number <= unsigned(Last);
  value = good ? decltype(Last)(number) : decltype(Last){};
  return good;
}
inline bool readField(const std::string &text, core::Severity &value) {
  return readEnum<core::Severity::Error>(text, value);
}
inline bool readField(const std::string &text, core::ToolkitLayout &value) {
  return readEnum<core::ToolkitLayout::Unknown>(text, value);
}
inline bool readField(const std::string &text, core::Layout &value) {
  return readEnum<core::Layout::None>(text, value);
}
inline bool readField(const std::string &text, core::Origin::Kind &value) {
  return readEnum<core::Origin::Kind::Default>(text, value);
}

/// For elements that consist of one field.
struct Itself {
  auto operator()(auto &value) const { return std::tie(value); }
};
struct NoMoreLines {
  void operator()(auto &, auto &) const {}
};

class LineWriter {
public:
  explicit LineWriter(support::FieldWriter &out) : out(out) {}

  template <typename... T> void line(llvm::StringRef key, const T &...values) {
    out.line({key, fieldOf(values)...});
  }
  /// Writes one line for each element. \p members returns the fields of an element as std::tie
  /// does. \p describe lists the lines that follow each element's own line.
  template <typename List, typename Members = Itself, typename Describe = NoMoreLines>
  void rows(llvm::StringRef key, const List &list, Members members = {}, Describe describe = {}) {
    for (const auto &each : list) {
      std::apply([&](const auto &...fields) { line(key, fields...); }, members(each));
      describe(*this, each);
    }
  }
  template <typename T, typename Members>
  void optional(llvm::StringRef key, const std::optional<T> &value, Members members) {
    if (value)
      std::apply([&](const auto &...fields) { line(key, fields...); }, members(*value));
  }

private:
  support::FieldWriter &out;
};

class LineReader {
public:
  explicit LineReader(llvm::ArrayRef<std::string> fields) : fields(fields) {}

  /// The line was one of those described, and its fields could be parsed.
  bool wasRead() const { return good; }

  template <typename... T> void line(llvm::StringRef key, T &...values) {
    if (isMeant(key, sizeof...(T)))
      take(values...);
  }
  template <typename List, typename Members = Itself, typename Describe = NoMoreLines>
  void rows(llvm::StringRef key, List &list, Members members = {}, Describe describe = {}) {
    using Fields = decltype(members(list.back()));
    if (isMeant(key, std::tuple_size_v<Fields>))
      std::apply([&](auto &...each) { take(each...); }, members(list.emplace_back()));
    else if (!good && !list.empty())
      describe(*this, list.back());
  }
  template <typename T, typename Members>
  void optional(llvm::StringRef key, std::optional<T> &value, Members members) {
    using Fields = decltype(members(*value));
    if (isMeant(key, std::tuple_size_v<Fields>))
      std::apply([&](auto &...each) { take(each...); }, members(value.emplace()));
  }

private:
  llvm::ArrayRef<std::string> fields;
  bool good = false;

  bool isMeant(llvm::StringRef key, size_t count) const {
    return !good && key == fields[0] && fields.size() == count + 1;
  }
  template <typename... T> void take(T &...values) {
    size_t at = 0;
    good = (readField(fields[++at], values) && ...);
  }
};

template <typename Lines, typename Findings>
void describeFindings(Lines &lines, Findings &findings) {
  lines.rows(
      "problem", findings,
      [](auto &each) {
        return std::tie(each.code, each.severity, each.message, each.library, each.symbol,
                        each.origin);
      },
      [](auto &lines, auto &each) {
        lines.rows("fact", each.facts, [](auto &fact) { return std::tie(fact.label, fact.text); });
        lines.rows("fix", each.fixes);
      });
}

/// \p Value is T, which is read, or const T, which is written.
template <typename Value, typename T>
concept Is = std::same_as<std::remove_const_t<Value>, T>;

template <typename T> std::string write(llvm::StringRef magic, const T &value) {
  support::FieldWriter out(magic);
  LineWriter lines(out);
  describe(lines, value);
  return out.take();
}

/// std::nullopt if the text is damaged, or of another version. \p value: initial value.
template <typename T>
std::optional<T> read(llvm::StringRef magic, llvm::StringRef text, T value = {}) {
  bool good = support::readKept(text, magic, [&](llvm::ArrayRef<std::string> fields) {
    LineReader line(fields);
    describe(line, value);
    return line.wasRead();
  });
  return good ? std::optional(std::move(value)) : std::nullopt;
}

} // namespace cudacc::cache
