// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/config/RuntimeFlags.h"
#include "driver/plan/command/SearchPath.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/DirectoryFiles.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using llvm::json::Object;
using namespace report;

std::vector<std::string> linkWords(const RuntimeFlags &flags) {
  std::vector<std::string> words, coupled;
  for (const FlaggedLibrary &library : flags.libraries)
    if (!library.path.empty())
      (library.coupled ? coupled : words).push_back(library.path);
  if (coupled.empty())
    return words;
  words.push_back("-Wl,--push-state,--no-as-needed");
  words.insert(words.end(), coupled.begin(), coupled.end());
  words.push_back("-Wl,--pop-state");
  return words;
}

std::vector<std::string> searchPathWords(const Declaration &declaration,
                                         llvm::ArrayRef<std::string> elements) {
  std::vector<std::string> words;
  if (declaration.dtags || !elements.empty())
    words.push_back(plan::dtagsWord(declaration).str());
  if (!elements.empty())
    plan::passToLinker(words, "-rpath", llvm::join(elements, ":"));
  return words;
}

static llvm::json::Value libraryJson(const FlaggedLibrary &library) {
  Object out{{"name", fixed(library.name)}, {"coupled", library.coupled}};
  put(out, "soname", library.soname);
  put(out, "path", library.path);
  return out;
}

llvm::json::Value flagsJson(const RuntimeFlags &flags) {
  Object out{{"schema", 1},
             {"runtime", fixed(flags.runtime)},
             {"cflags", strings(flags.cflags)},
             {"libs", strings(flags.libs)},
             {"rpath", strings(flags.rpath)},
             {"libraries", array(flags.libraries, libraryJson)}};
  put(out, "line", flags.line);
  return out;
}

/// The characters that pkg-config and pkgconf do not escape (observed with pkgconf 1.8.1), and
/// those outside ASCII.
static bool isPlain(char c) {
  return llvm::isAlnum(c) || (c & 0x80) || llvm::StringRef("$()+,-./:=@^_~").contains(c);
}

static void appendWord(std::string &line, llvm::StringRef word) {
  if (!line.empty())
    line += ' ';
  for (char c : word) {
    if (!isPlain(c))
      line += '\\';
    line += c;
  }
}

std::string flagLine(const RuntimeFlags &flags) {
  std::string line;
  for (const auto *words : {&flags.cflags, &flags.libs, &flags.rpath})
    for (const std::string &word : *words)
      appendWord(line, word);
  return line + "\n";
}

static std::string property(llvm::StringRef target, llvm::StringRef name,
                            llvm::ArrayRef<std::string> words, llvm::StringRef dollar) {
  if (words.empty())
    return "";
  std::string out = fmt::format("  set_property(TARGET {} PROPERTY\n    {}", target, name);
  for (const std::string &word : words)
    out += fmt::format("\n      {}", quotedForCMake(word, dollar));
  return out + ")\n";
}

/// A word of the link line that begins with a dash. CMake puts such items there unchanged, so the
/// quotes that protect $ORIGIN from the shell must be written here. (In INTERFACE_LINK_OPTIONS the
/// word would get the `$$` of Makefiles, CMake 3.25.)
static std::string rawWord(llvm::StringRef word) {
  if (llvm::all_of(word, [](char c) { return isPlain(c) && c != '$' && c != '(' && c != ')'; }))
    return word.str();
  std::string out = fmt::format("{}'", word.take_front());
  for (char c : word.drop_front())
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// A file that the linker reads. For a plain path CMake would add its folder to the search path,
/// and leave an empty element in its place at installation.
static std::string linkerInput(llvm::StringRef path) {
  if (path.contains(','))
    return "-Xlinker " + rawWord(path);
  return rawWord(fmt::format("-Wl,{}", path));
}

/// Words that belong together are one item, since CMake drops the second of two equal items.
static std::vector<std::string> itemsOf(const RuntimeFlags &flags, const FlaggedLibrary &library) {
  std::vector<std::string> items;
  if (!flags.rpath.empty() && !library.archive)
    items.push_back(llvm::join(llvm::map_range(flags.rpath, rawWord), " "));
  items.push_back(linkerInput(library.path));
  std::string coupled;
  for (const FlaggedLibrary &each : flags.libraries)
    if (each.coupled)
      coupled += fmt::format(" {}", linkerInput(each.path));
  // Keeps coupled libraries NEEDED although none of their functions is called.
  if (!coupled.empty() && !library.archive)
    items.push_back(fmt::format("-Wl,--push-state,--no-as-needed{} -Wl,--pop-state", coupled));
  return items;
}

static std::string oneTarget(const RuntimeFlags &flags, const FlaggedLibrary &library) {
  std::string name = fmt::format("cuda_cc::{}", library.name);
  std::string includes = property(name, "INTERFACE_INCLUDE_DIRECTORIES", flags.includes, "\\$");
  std::string libraries =
      property(name, "INTERFACE_LINK_LIBRARIES", itemsOf(flags, library), "${cuda_cc_dollar}");
  return fmt::format("if(NOT TARGET {0})\n  add_library({0} INTERFACE IMPORTED)\n{1}{2}endif()\n",
                     name, includes, libraries);
}

std::string cmakeTargets(const RuntimeFlags &flags) {
  std::string runtime = flags.runtime;
  for (char &c : runtime)
    if (c == '\n' || c == '\r')
      c = ' ';
  std::string line = flags.line.known() ? fmt::format(", CUDA {}", flags.line) : "";
  std::string out =
      fmt::format("# The runtime {}{}, as cuda-cc config --cmake found it.\n"
                  "# include() this file and link to the targets it makes.\n"
                  "# Ninja reads a dollar of the link line, Makefiles do not.\n"
                  "set(cuda_cc_dollar \"$\")\n"
                  "if(CMAKE_GENERATOR MATCHES Ninja)\n  set(cuda_cc_dollar \"$$\")\nendif()\n",
                  runtime, line);
  for (const FlaggedLibrary &library : flags.libraries)
    if (!library.coupled)
      out += oneTarget(flags, library);
  return out;
}

} // namespace cudacc::commands
