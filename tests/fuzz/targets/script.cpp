// SPDX-License-Identifier: Apache-2.0
#include "plugins/cmake/Script.h"
#include "driver/support/ShellWord.h"
#include "plugins/cmake/Cache.h"
#include "plugins/cmake/Paths.h"
#include "plugins/meson/Places.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

/// Texts of build systems: CMake's language, its cache, meson.build, lines for sh.
static void run(llvm::StringRef text) {
  cmake::readScript(text, [](const cmake::ScriptCommand &command) {
    fuzz::expect(!command.name.empty());
    command.after("RPATH");
    for (const std::string &word : command.arguments)
      cmake::targetOfObject(word);
  });
  cmake::Cache cache(text);
  cache.get("CMAKE_GENERATOR");
  meson::Places(text).line("ext");
  for (const std::vector<std::string> &words : support::splitShellLine(text))
    fuzz::expect(!words.empty());
  // A word without NUL, written for sh, is that word again.
  llvm::StringRef word = text.take_until([](char c) { return c == '\0'; });
  auto again = support::splitShellLine(support::shellWord(word));
  fuzz::expect(again == std::vector<std::vector<std::string>>{{word.str()}});
}

static const fuzz::Target target("script", run);
