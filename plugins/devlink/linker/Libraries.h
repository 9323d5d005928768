// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cudacc::devlink {

/// The libraries that are opened at run time. They stay open until the process ends.
class Libraries {
public:
  virtual ~Libraries() = default;
  /// A handle, or null; then \p reason says why.
  virtual void *open(const std::string &path, std::string &reason) = 0;
  /// The address of a function, or null.
  virtual void *symbol(void *library, const std::string &name) = 0;
  /// Its SONAME; empty if it has none.
  virtual std::string soname(void *library) = 0;
};

/// By dlopen. A function sees only the symbols of its own library and of those that it needs.
class RealLibraries final : public Libraries {
public:
  void *open(const std::string &path, std::string &reason) override;
  void *symbol(void *library, const std::string &name) override;
  std::string soname(void *library) override;
};

/// Sets \p function to that one of the library; false if there is none.
template <typename Function>
bool find(Libraries &libraries, void *library, const std::string &name, Function *&function) {
  function = reinterpret_cast<Function *>(libraries.symbol(library, name));
  return function;
}

} // namespace cudacc::devlink
