// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/CallOptions.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::ninja {

using namespace core;
using llvm::StringRef;

StringRef wholeOption(const Invocation &call) {
  static constexpr llvm::StringLiteral options[] = {"-time",
                                                    "--time",
                                                    "-keep",
                                                    "--keep",
                                                    "-keep-dir",
                                                    "--keep-dir",
                                                    "-save-temps",
                                                    "--save-temps",
                                                    "-objtemp",
                                                    "--objdir-as-tempdir",
                                                    "-clean",
                                                    "--clean-targets",
                                                    "-jobserver",
                                                    "--jobserver",
                                                    "-fdevice-time-trace",
                                                    "--fdevice-time-trace",
                                                    "-opt-info",
                                                    "--optimization-info",
                                                    "-"};
  for (const Word &word : call.words)
    if (llvm::is_contained(options, word.text.split('=').first))
      return word.text;
  return "";
}

/// The last value of an option, separate or behind `=`; empty if it is not given.
static StringRef lastValue(const Invocation &call, StringRef shortName, StringRef longName) {
  StringRef value;
  for (size_t i = 0; i < call.words.size(); ++i)
    for (StringRef name : {shortName, longName}) {
      StringRef word = call.words[i].text;
      if (word == name && i + 1 < call.words.size())
        value = call.words[i + 1].text;
      else if (word.consume_front(name) && word.consume_front("="))
        value = word;
    }
  return value;
}

static bool has(const Invocation &call, StringRef shortName, StringRef longName) {
  return llvm::any_of(call.words, [&](const Word &word) {
    return word.text == shortName || word.text == longName;
  });
}

DepfileRequest depfileRequest(const Invocation &call) {
  return {lastValue(call, "-MT", "--dependency-target-name").str(),
          has(call, "-MP", "--generate-dependency-targets"),
          has(call, "-MMD", "--generate-nonsystem-dependencies-with-compile")};
}

bool asksForGpus(const Invocation &call) {
  return llvm::any_of(call.words, [](const Word &word) { return word.text.contains("native"); });
}

} // namespace cudacc::ninja
