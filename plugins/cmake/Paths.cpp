// SPDX-License-Identifier: Apache-2.0
#include "plugins/cmake/Paths.h"

namespace cudacc::cmake {

using llvm::StringRef;

StringRef targetOfObject(StringRef path) {
  static constexpr StringRef marker = "CMakeFiles/";
  for (size_t at = path.rfind(marker); at != StringRef::npos;
       at = at ? path.take_front(at).rfind(marker) : StringRef::npos) {
    StringRef rest = path.substr(at + marker.size());
    size_t end = rest.find(".dir/");
    if ((at == 0 || path[at - 1] == '/') && end != StringRef::npos &&
        !rest.take_front(end).contains('/'))
      return rest.take_front(end);
  }
  return "";
}

} // namespace cudacc::cmake
