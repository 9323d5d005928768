// SPDX-License-Identifier: Apache-2.0
// Checks the rules of the layout (docs/ARCHITECTURE.md) in the sources.
#include "Sources.h"
#include <filesystem>
#include <gmock/gmock.h>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using Names = std::set<std::string>;

/// What every library except those below may include.
static const Names base = {"versions", "core", "support", "tables"};

/// Library -> the libraries it may include, besides itself.
static const std::map<std::string, Names> mayInclude = {
    {"musl", {}},
    {"versions", {}},
    {"core", {"versions"}},
    {"support", {"versions", "core"}},
    {"tables", {"versions", "core", "support"}},
    {"cli", base},
    {"config", base},
    {"resolve", base},
    {"probe", base},
    {"cache", base},
    {"policy", {"versions", "core", "support", "tables", "resolve"}},
    {"explain", {"versions", "core", "support", "tables", "resolve", "policy"}},
    {"binary", base},
    {"loader", base},
    {"plan", base},
    {"run", base},
    {"ninja", {"versions", "core", "support", "tables", "cache", "run"}},
    {"report", base},
    {"process",
     {"versions", "core", "support", "tables", "resolve", "probe", "policy", "binary", "loader"}},
};

/// Library -> its sub-folders; each may include itself and those before it. "" is the library's own
/// folder.
static const std::map<std::string, std::vector<std::string>> parts = {
    {"tables", {"lookup", "rows", "user", "generate"}},
    {"probe", {"toolkit", "lock", "python", "host"}},
    {"policy", {"advice", "coherence", "rules", "devicelink", "remedies", "wheel"}},
    {"binary", {"elf", "device", "manifest", "archive", ""}},
    {"loader", {"search", "binding"}},
    {"plan", {"command", "toolchain", "matrix", "wheel"}},
    {"ninja", {"graph", ""}},
    {"report", {"text", "json", "html", "sarif"}},
};

/// Plugin -> the plugins it may include, besides itself.
static const std::map<std::string, Names> mayUse = {
    {"audit", {}},   {"buildsys", {"audit"}},          {"cmake", {"audit", "buildsys"}},
    {"devlink", {}}, {"meson", {"audit", "buildsys"}}, {"rtld", {}}};

static std::vector<std::pair<fs::path, std::string>> sources(const fs::path &folder) {
  std::vector<std::pair<fs::path, std::string>> found;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h")
      found.emplace_back(entry.path(), textOf(entry.path()));
  return found;
}

/// The includes of the text, without quotes and brackets.
static std::vector<std::string> includesOf(const std::string &text) {
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#include "))
      continue;
    size_t open = line.find_first_of("\"<"), close = line.find_last_of("\">");
    if (open != close)
      names.push_back(line.substr(open + 1, close - open - 1));
  }
  return names;
}

static bool mentions(const std::string &text, const char *what) {
  return text.find(what) != std::string::npos;
}

/// `policy/rules` of `driver/policy/rules/Judge.h` is library and sub-folder; both may be empty.
struct Place {
  std::string library, part;

  explicit Place(const std::string &path) {
    size_t first = path.find('/'), second = path.find('/', first + 1), last = path.rfind('/');
    if (second == std::string::npos)
      return;
    library = path.substr(first + 1, second - first - 1);
    part = last == second ? "" : path.substr(second + 1, last - second - 1);
  }
};

TEST(Layout, everyLibraryIsKnown) {
  Names libraries, known = {"pipeline", "commands"};
  for (const auto &entry : fs::directory_iterator(root / "driver"))
    if (entry.is_directory())
      libraries.insert(entry.path().filename());
  for (const auto &[library, may] : mayInclude)
    known.insert(library);
  EXPECT_EQ(libraries, known);
}

TEST(Layout, librariesIncludeOnlyWhatTheyMay) {
  for (const auto &[library, may] : mayInclude)
    for (const auto &[path, text] : sources(root / "driver" / library))
      for (const std::string &name : includesOf(text)) {
        // The rows from which core makes the enumeration of settings.
        if (!name.starts_with("driver/") || name == "driver/config/settings.def")
          continue;
        std::string other = Place(name).library;
        EXPECT_TRUE(other == library || may.count(other)) << path << " includes " << name;
      }
}

TEST(Layout, subFoldersIncludeOnlyThoseBeforeThem) {
  for (const auto &[library, order] : parts)
    for (const auto &[path, text] : sources(root / "driver" / library)) {
      std::string own = Place(path.lexically_relative(root)).part;
      auto at = std::find(order.begin(), order.end(), own);
      ASSERT_NE(at, order.end()) << path << " lies in no known part of " << library;
      for (const std::string &name : includesOf(text)) {
        if (!name.starts_with("driver/" + library + "/"))
          continue;
        auto other = std::find(order.begin(), order.end(), Place(name).part);
        // Generated files are not checked.
        if (other != order.end()) {
          EXPECT_LE(other, at) << path << " includes " << name;
        }
      }
    }
}

// The pipeline works without the subcommands, which may include it.
TEST(Layout, thePipelineIncludesNoSubcommand) {
  for (const auto &[path, text] : sources(root / "driver/pipeline"))
    for (const std::string &name : includesOf(text))
      EXPECT_FALSE(name.starts_with("driver/commands/")) << path << " includes " << name;
}

TEST(Layout, ofNinjaOnlyItsFrontIsIncluded) {
  for (const char *folder : {"driver", "plugins"})
    for (const auto &[path, text] : sources(root / folder))
      for (const std::string &name : includesOf(text))
        if (Place(name).library == "ninja" &&
            Place(path.lexically_relative(root)).library != "ninja") {
          EXPECT_EQ(name, "driver/ninja/Ninja.h") << path;
        }
}

// The link line of a library lists the same libraries as its includes.
TEST(Layout, linkLinesNameOnlyWhatMayBeIncluded) {
  for (const auto &[library, may] : mayInclude) {
    std::string text = textOf(root / "driver" / library / "CMakeLists.txt");
    size_t uses = text.find("USES");
    if (uses == std::string::npos)
      continue;
    std::istringstream words(text.substr(uses + 4, text.find(')', uses) - uses - 4));
    for (std::string word; words >> word && word != "LIBS" && word != "SOURCES";)
      EXPECT_TRUE(may.count(word)) << library << " uses " << word;
  }
}

// The table of codes is data, and grows with the rules.
TEST(Layout, coreStaysSmall) {
  size_t lines = 0;
  for (const auto &[path, text] : sources(root / "driver/core"))
    lines += std::count(text.begin(), text.end(), '\n');
  EXPECT_LE(lines, 2550u);
}

TEST(Layout, everyPluginIsKnown) {
  Names plugins, known;
  for (const auto &entry : fs::directory_iterator(root / "plugins"))
    if (entry.is_directory())
      plugins.insert(entry.path().filename());
  for (const auto &[plugin, may] : mayUse)
    known.insert(plugin);
  EXPECT_EQ(plugins, known);
}

// Neither the pipeline nor a subcommand may.
TEST(Layout, pluginsIncludeLibrariesAndThePluginsTheyMay) {
  for (const auto &[plugin, may] : mayUse)
    for (const auto &[path, text] : sources(root / "plugins" / plugin))
      for (const std::string &name : includesOf(text)) {
        size_t first = name.find('/'), second = name.find('/', first + 1);
        std::string top = name.substr(0, first),
                    folder = second == std::string::npos
                                 ? ""
                                 : name.substr(first + 1, second - first - 1);
        if (top == "driver") {
          EXPECT_TRUE(mayInclude.count(folder)) << path << " includes " << name;
        }
        if (top == "plugins") {
          EXPECT_TRUE(folder == plugin || may.count(folder)) << path << " includes " << name;
        }
      }
}

/// The arguments after \p keyword in a call of cudacc_plugin.
static Names wordsBehind(const std::string &text, const std::string &keyword) {
  Names out;
  size_t at = text.find(keyword);
  if (at == std::string::npos)
    return out;
  std::istringstream words(
      text.substr(at + keyword.size(), text.find(')', at) - at - keyword.size()));
  for (std::string word; words >> word && word != "PLUGINS";)
    out.insert(word);
  return out;
}

TEST(Layout, pluginLibrariesUseWhatTheyInclude) {
  for (const auto &[plugin, may] : mayUse) {
    std::string text = textOf(root / "plugins" / plugin / "CMakeLists.txt");
    Names libraries = wordsBehind(text, "USES "), plugins = wordsBehind(text, "PLUGINS ");
    EXPECT_EQ(plugins, may) << plugin;
    Names included;
    for (const auto &[path, source] : sources(root / "plugins" / plugin))
      for (const std::string &name : includesOf(source))
        if (name.starts_with("driver/"))
          included.insert(name.substr(7, name.find('/', 7) - 7));
    EXPECT_EQ(libraries, included) << plugin;
  }
}

// Plugins must not cost time in every compile.
TEST(Layout, onlySubcommandsSeePlugins) {
  for (const auto &[path, text] : sources(root / "driver"))
    for (const std::string &name : includesOf(text))
      if (name.starts_with("plugins/")) {
        EXPECT_EQ(Place(path.lexically_relative(root)).library, "commands")
            << path << " includes " << name;
      }
}

// The model of a build is independent of the build system: only the adapters know it.
TEST(Layout, theModelOfABuildKnowsNoBuildSystem) {
  for (const auto &[path, text] : sources(root / "plugins/audit"))
    for (const char *word : {"CMAKE", "CMakeLists", "RPATH_", "INSTALL_", "meson"})
      EXPECT_FALSE(mentions(text, word)) << path << " has " << word;
}

TEST(Layout, pureLibrariesTouchNoSystem) {
  static const char *forbidden[] = {"<unistd.h>",   "<fcntl.h>",    "<sys/",         "<fstream>",
                                    "<thread>",     "<filesystem>", "getenv(",       "::now(",
                                    "FileSystem.h", "Process.h",    "MemoryBuffer.h"};
  for (const char *library :
       {"driver/versions", "driver/core", "driver/support", "driver/tables", "driver/resolve",
        "driver/policy", "driver/explain", "driver/plan", "driver/loader", "driver/ninja/graph",
        "plugins/audit", "plugins/rtld"})
    for (const auto &[path, text] : sources(root / library)) {
      // The generator of the tables, and the library inside the traced program.
      std::string file = path.filename();
      if (path.string().find("/generate/") != std::string::npos || file == "Auditor.cpp" ||
          file == "Kernel.h")
        continue;
      for (const char *what : forbidden)
        EXPECT_FALSE(mentions(text, what)) << path << " has " << what;
    }
}

TEST(Layout, llvmOptionOnlyInCliAndObjectOnlyInBinary) {
  auto all = sources(root / "driver");
  for (auto &each : sources(root / "plugins"))
    all.push_back(std::move(each));
  for (const auto &[path, text] : all) {
    std::string library = Place(path.lexically_relative(root)).library;
    for (const std::string &name : includesOf(text)) {
      if (name.starts_with("llvm/Option/")) {
        EXPECT_EQ(library, "cli") << path;
      }
      if (name.starts_with("llvm/Object/")) {
        EXPECT_EQ(library, "binary") << path;
      }
    }
  }
}

TEST(Layout, tomlppIsCompiledOnce) {
  for (const char *folder : {"driver", "plugins"})
    for (const auto &[path, text] : sources(root / folder))
      if (mentions(text, "<toml++/")) {
        EXPECT_EQ(path.filename(), "Toml.cpp") << path;
      }
}

TEST(Layout, printingEnvironmentAndProcessesHaveOnePlace) {
  for (const char *folder : {"driver", "plugins"})
    for (const auto &[path, text] : sources(root / folder)) {
      for (const char *what : {"getenv(", "popen(", "::system(", "std::cout", "std::cerr",
                               "printf(", "std::regex", "AF_INET", "getaddrinfo"})
        EXPECT_FALSE(mentions(text, what)) << path << " has " << what;
    }
}

// docs/ARCHITECTURE.md leads a stranger along a link.
TEST(Layout, theWalkOfALinkOpensFewFilesThatExist) {
  std::string text = textOf(root / "docs/ARCHITECTURE.md");
  size_t begin = text.find("## A link until it is sealed");
  ASSERT_NE(begin, std::string::npos);
  unsigned files = 0;
  for (size_t at = begin, end; (end = text.find(".cpp`", at)) != std::string::npos; at = end + 1) {
    size_t open = text.rfind('`', end);
    std::string path = text.substr(open + 1, end + 4 - open - 1);
    EXPECT_TRUE(fs::exists(root / "driver" / path)) << path;
    ++files;
  }
  EXPECT_GT(files, 20u);
  EXPECT_LE(files, 30u);
}

TEST(Layout, filesStaySmall) {
  for (const char *folder : {"driver", "plugins"})
    for (const auto &[path, text] : sources(root / folder))
      EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 500) << path;
}

// scripts/license.py adds the line; ./dev format calls it.
TEST(Layout, everySourceNamesTheLicence) {
  static const Names extensions = {".cpp", ".h",  ".def",   ".td",   ".c",
                                   ".py",  ".sh", ".cmake", ".fish", ".csh"};
  for (const char *folder :
       {"driver", "plugins", "tests", "cmake", "meson", "packaging", "python", "shell", "scripts"})
    for (const auto &entry : fs::recursive_directory_iterator(root / folder)) {
      fs::path path = entry.path();
      if (!extensions.count(path.extension()) && path.filename() != "CMakeLists.txt")
        continue;
      std::ifstream file(path);
      std::string first, second;
      std::getline(std::getline(file, first), second);
      const std::string &line = first.starts_with("#!") ? second : first;
      EXPECT_TRUE(line.ends_with(" SPDX-License-Identifier: Apache-2.0")) << path;
    }
}

/// Of each file, what the expression captures.
static Names captured(const std::vector<const char *> &folders, const std::regex &expression) {
  Names names;
  for (const char *folder : folders)
    for (const auto &entry : fs::directory_iterator(root / folder)) {
      if (!entry.is_regular_file())
        continue;
      std::string text = textOf(entry.path());
      for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
        names.insert((*at)[1]);
    }
  return names;
}

TEST(Layout, whatLiesInTheCacheIsRemovedWithIt) {
  std::smatch list;
  std::string common = textOf(root / "scripts/common.sh");
  ASSERT_TRUE(std::regex_search(common, list, std::regex("cache_entries=\\(([^)]*)\\)")));
  std::istringstream words(list[1]);
  Names known{std::istream_iterator<std::string>(words), {}};
  Names used = captured({"scripts", "tests/support", "tests/wild", "tests/bench"},
                        std::regex("(?:\\$cache/|cache_root\\(\\)\\)? / \")([\\w.-]+)"));
  EXPECT_GE(used.size(), 10u);
  for (const std::string &name : used)
    EXPECT_TRUE(known.contains(name)) << name << ": ./dev clean --cache leaves it";
}
