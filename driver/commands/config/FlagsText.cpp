#include "driver/commands/config/FlagsText.h"
#include "driver/report/text/CMakeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using namespace report;

/// The set of pkg-config and pkgconf (observed with pkgconf 1.8.1), and what is not ASCII.
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
  std::string out = ("  set_property(TARGET " + target + " PROPERTY\n    " + name).str();
  for (const std::string &word : words)
    out += "\n      " + quotedForCMake(word, dollar);
  return out + ")\n";
}

/// A word of the link line that begins with a dash: CMake puts such items there as they are, so
/// the quotes that keep the shell from $ORIGIN are ours to write. (What stands in
/// INTERFACE_LINK_OPTIONS comes out with `$$` of Makefiles, CMake 3.25.)
static std::string rawWord(llvm::StringRef word) {
  if (llvm::all_of(word, [](char c) { return isPlain(c) && c != '$' && c != '(' && c != ')'; }))
    return word.str();
  std::string out = (word.take_front() + "'").str();
  for (char c : word.drop_front())
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// A file that the linker reads. A path by itself would make CMake add its folder to the search
/// path, and at the installation leave an empty element in its place.
static std::string linkerInput(llvm::StringRef path) {
  if (path.contains(','))
    return "-Xlinker " + rawWord(path);
  return rawWord(("-Wl," + path).str());
}

/// One item each, for CMake drops the second of two that are equal.
static std::vector<std::string> itemsOf(const RuntimeFlags &flags, const FlaggedLibrary &library) {
  std::vector<std::string> items;
  if (!flags.rpath.empty() && !library.archive)
    items.push_back(llvm::join(llvm::map_range(flags.rpath, rawWord), " "));
  items.push_back(linkerInput(library.path));
  std::string coupled;
  for (const FlaggedLibrary &each : flags.libraries)
    if (each.coupled)
      coupled += " " + linkerInput(each.path);
  // Kept NEEDED though nothing of it is called.
  if (!coupled.empty() && !library.archive)
    items.push_back("-Wl,--push-state,--no-as-needed" + coupled + " -Wl,--pop-state");
  return items;
}

static std::string oneTarget(const RuntimeFlags &flags, const FlaggedLibrary &library) {
  std::string name = "cuda_cc::" + library.name;
  return "if(NOT TARGET " + name + ")\n  add_library(" + name + " INTERFACE IMPORTED)\n" +
         property(name, "INTERFACE_INCLUDE_DIRECTORIES", flags.includes, "\\$") +
         property(name, "INTERFACE_LINK_LIBRARIES", itemsOf(flags, library), "${cuda_cc_dollar}") +
         "endif()\n";
}

std::string cmakeTargets(const RuntimeFlags &flags) {
  std::string runtime = flags.runtime;
  for (char &c : runtime)
    if (c == '\n' || c == '\r')
      c = ' ';
  std::string out = "# The runtime " + runtime +
                    (flags.line.known() ? ", CUDA " + flags.line.str() : std::string()) +
                    ", as cuda-cc config --cmake found it.\n"
                    "# include() this file and link to the targets it makes.\n"
                    "# Ninja reads a dollar of the link line, Makefiles do not.\n"
                    "set(cuda_cc_dollar \"$\")\n"
                    "if(CMAKE_GENERATOR MATCHES Ninja)\n  set(cuda_cc_dollar \"$$\")\nendif()\n";
  for (const FlaggedLibrary &library : flags.libraries)
    if (!library.coupled)
      out += oneTarget(flags, library);
  return out;
}

} // namespace cudacc::commands
