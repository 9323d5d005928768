// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Demangled.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

/// Names of symbols in foreign files, as they are shown.
static void run(llvm::StringRef text) {
  llvm::StringRef symbol = text.take_until([](char c) { return c == '\0'; });
  std::string name = support::demangled(symbol);
  fuzz::expect(name.size() <= 1 << 20);
  for (size_t width : {8, 40, 77})
    fuzz::expect(!support::shortName(symbol, width).empty() || symbol.empty());
  support::nameInTitle(symbol);
}

static const fuzz::Target target("demangle", run);
