// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/LibraryCalls.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

/// Python sources, searched for calls that open libraries.
static void run(llvm::StringRef text) {
  auto calls = probe::libraryCalls(text, "x.py");
  unsigned lines = 1 + text.count('\n') + text.count('\r'), last = 1;
  for (const core::LibraryCall &call : calls) {
    fuzz::expect(call.line >= last && call.line <= lines && !call.text.empty());
    last = call.line;
  }
  probe::whyUnsearchable(text);
  probe::callFor(calls, "libcublas.so.12");
  probe::callFor(calls, "libx.so", false);
}

static const fuzz::Target target("python", run);
