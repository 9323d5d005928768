// SPDX-License-Identifier: Apache-2.0
#include "plugins/cmake/Cache.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::cmake {

using llvm::StringRef;

/// Parses `NAME:TYPE=VALUE`. A name with a colon is in double quotes, a value that begins or ends
/// with a blank in single quotes.
Cache::Cache(StringRef text) {
  for (StringRef line : llvm::split(text, '\n')) {
    line = line.rtrim("\r");
    if (line.empty() || line.starts_with("#") || line.starts_with("//"))
      continue;
    StringRef name, rest = line;
    if (rest.consume_front("\""))
      std::tie(name, rest) = rest.split('"');
    else
      name = rest.take_until([](char c) { return c == ':' || c == '='; }),
      rest = rest.substr(name.size());
    auto [type, value] = rest.split('=');
    if (type.size() == rest.size())
      continue;
    if (value.size() >= 2 && value.starts_with("'") && value.ends_with("'"))
      value = value.drop_front().drop_back();
    entries[name] = value.str();
  }
}

StringRef Cache::get(StringRef name) const {
  auto found = entries.find(name);
  return found == entries.end() ? StringRef() : StringRef(found->second);
}

} // namespace cudacc::cmake
