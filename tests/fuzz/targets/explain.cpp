// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/Explain.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

static explain::Explained read(llvm::StringRef text, size_t piece) {
  explain::Explainer explainer;
  for (; !text.empty(); text = text.drop_front(std::min(piece, text.size())))
    explainer.add(text.take_front(piece));
  return explainer.finish(true);
}

/// A log of anything. Its pieces do not matter.
static void run(llvm::StringRef text) {
  explain::Explained whole = read(text, text.size()), pieces = read(text, 7);
  fuzz::expect(whole.messages.size() == pieces.messages.size() && whole.more == pieces.more);
  for (size_t i = 0; i < whole.messages.size(); ++i) {
    const explain::Explanation &one = whole.messages[i], &other = pieces.messages[i];
    fuzz::expect(one.id == other.id && one.message == other.message && one.line == other.line &&
                 one.count == other.count && !one.what.empty());
  }
}

static const fuzz::Target target("explain", run);
