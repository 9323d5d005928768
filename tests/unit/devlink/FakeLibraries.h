// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/devlink/linker/Libraries.h"
#include <map>
#include <string>
#include <vector>

/// Libraries whose functions are given, by name; one for each path that can be opened.
class FakeLibraries final : public cudacc::devlink::Libraries {
public:
  struct Library {
    std::string soname;
    std::map<std::string, void *> functions;

    template <typename Function> void add(const std::string &name, Function *function) {
      functions[name] = reinterpret_cast<void *>(function);
    }
  };
  std::map<std::string, Library> libraries;
  /// Paths that were opened, and names that were looked up, in order.
  std::vector<std::string> opened, asked;

  void *open(const std::string &path, std::string &reason) override {
    opened.push_back(path);
    auto found = libraries.find(path);
    if (found == libraries.end()) {
      reason = path + ": cannot open shared object file";
      return nullptr;
    }
    return &found->second;
  }
  void *symbol(void *library, const std::string &name) override {
    asked.push_back(name);
    auto &functions = static_cast<Library *>(library)->functions;
    auto found = functions.find(name);
    return found == functions.end() ? nullptr : found->second;
  }
  std::string soname(void *library) override { return static_cast<Library *>(library)->soname; }
};
