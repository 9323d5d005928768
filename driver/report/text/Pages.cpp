// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Pages.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::report {

namespace {
struct Page {
  uint16_t number;
  llvm::StringLiteral text;
};
} // namespace

static constexpr Page codePages[] = {
#include "Pages.inc"
};

llvm::StringRef page(core::Code code) {
  auto number = static_cast<uint16_t>(code);
  const Page *it = llvm::lower_bound(
      codePages, number, [](const Page &page, uint16_t wanted) { return page.number < wanted; });
  if (it == std::end(codePages) || it->number != number)
    return {};
  return it->text;
}

} // namespace cudacc::report
