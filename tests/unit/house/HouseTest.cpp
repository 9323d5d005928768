// The rules of the house (driver/DESIGN.md), read off the sources.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace fs = std::filesystem;
using Names = std::set<std::string>;

static const fs::path root = CUDACC_SOURCE_DIR;

/// Room -> the rooms it may include, besides itself.
static const std::map<std::string, Names> mayInclude = {
    {"core", {}},
    {"facts", {"core"}},
    {"cli", {"core", "facts"}},
    {"probe", {"core", "facts"}},
    {"policy", {"core", "facts"}},
    {"plan", {"core", "facts"}},
    {"run", {"core", "facts"}},
    {"elf", {"core", "facts"}},
    {"loader", {"core", "facts"}},
    {"report", {"core", "facts"}},
};

/// Plugin -> the plugins it may include, besides itself.
static const std::map<std::string, Names> mayUse = {{"audit", {}},
                                                    {"texts", {"audit"}},
                                                    {"cmake", {"audit", "texts"}},
                                                    {"meson", {"audit", "texts"}},
                                                    {"rtld", {}}};

static std::string textOf(const fs::path &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

static std::vector<std::pair<fs::path, std::string>> sources(const fs::path &folder) {
  std::vector<std::pair<fs::path, std::string>> found;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h")
      found.emplace_back(entry.path(), textOf(entry.path()));
  return found;
}

/// What the text includes, quotes and brackets taken off.
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

TEST(House, everyRoomIsKnown) {
  Names rooms;
  for (const auto &entry : fs::directory_iterator(root / "driver"))
    if (entry.is_directory() && entry.path().filename() != "tools")
      rooms.insert(entry.path().filename());
  Names known;
  for (const auto &[room, may] : mayInclude)
    known.insert(room);
  EXPECT_EQ(rooms, known);
}

TEST(House, roomsNeverOpenIntoEachOther) {
  for (const auto &[room, may] : mayInclude)
    for (const auto &[path, text] : sources(root / "driver" / room))
      for (const std::string &name : includesOf(text)) {
        if (!name.starts_with("driver/"))
          continue;
        std::string rest = name.substr(7), other = rest.substr(0, rest.find('/'));
        EXPECT_TRUE(other == room || may.count(other)) << path << " includes " << name;
      }
}

// The link line of a room's library says the same as its includes.
TEST(House, roomLibrariesUseOnlyWhatTheyMayInclude) {
  for (const auto &[room, may] : mayInclude) {
    std::string text = textOf(root / "driver" / room / "CMakeLists.txt");
    size_t uses = text.find("USES");
    if (uses == std::string::npos)
      continue;
    std::istringstream words(text.substr(uses + 4, text.find(')', uses) - uses - 4));
    for (std::string word; words >> word && word != "LIBS" && word != "SOURCES";)
      EXPECT_TRUE(may.count(word)) << room << " uses " << word;
  }
}

TEST(House, everyPluginIsKnown) {
  Names plugins, known;
  for (const auto &entry : fs::directory_iterator(root / "plugins"))
    if (entry.is_directory())
      plugins.insert(entry.path().filename());
  for (const auto &[plugin, may] : mayUse)
    known.insert(plugin);
  EXPECT_EQ(plugins, known);
}

// Plugins see the rooms that a hall sees, and no hall.
TEST(House, pluginsSeeRoomsAndThePluginsTheyMay) {
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

/// The words behind \p keyword in a call of cudacc_plugin.
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

TEST(House, pluginLibrariesUseWhatTheyInclude) {
  for (const auto &[plugin, may] : mayUse) {
    std::string text = textOf(root / "plugins" / plugin / "CMakeLists.txt");
    Names rooms = wordsBehind(text, "USES "), plugins = wordsBehind(text, "PLUGINS ");
    EXPECT_EQ(plugins, may) << plugin;
    Names included;
    for (const auto &[path, source] : sources(root / "plugins" / plugin))
      for (const std::string &name : includesOf(source))
        if (name.starts_with("driver/"))
          included.insert(name.substr(7, name.find('/', 7) - 7));
    EXPECT_EQ(rooms, included) << plugin;
  }
}

// A plugin is no part of what every compile pays for.
TEST(House, onlyToolsSeePlugins) {
  for (const auto &[path, text] : sources(root / "driver"))
    for (const std::string &name : includesOf(text))
      if (name.starts_with("plugins/")) {
        EXPECT_EQ(path.parent_path().filename(), "tools") << path << " includes " << name;
      }
}

// A build is a value of its own: which system wrote it is for the adapter to know.
TEST(House, theModelOfABuildKnowsNoBuildSystem) {
  for (const auto &[path, text] : sources(root / "plugins/audit"))
    for (const char *word : {"CMAKE", "CMakeLists", "RPATH_", "INSTALL_", "meson"})
      EXPECT_FALSE(mentions(text, word)) << path << " has " << word;
}

TEST(House, pureRoomsTouchNoWorld) {
  static const char *forbidden[] = {"<unistd.h>",   "<fcntl.h>",    "<sys/",         "<fstream>",
                                    "<thread>",     "<filesystem>", "getenv(",       "::now(",
                                    "FileSystem.h", "Process.h",    "MemoryBuffer.h"};
  for (const char *room : {"driver/core", "driver/facts", "driver/policy", "driver/plan",
                           "driver/loader", "plugins/audit", "plugins/rtld"})
    for (const auto &[path, text] : sources(root / room)) {
      // The generator of the tables, and the library inside the traced program.
      std::string file = path.filename();
      if (path.string().find("/generate/") != std::string::npos || file == "Auditor.cpp" ||
          file == "Kernel.h")
        continue;
      for (const char *what : forbidden)
        EXPECT_FALSE(mentions(text, what)) << path << " has " << what;
    }
}

TEST(House, llvmOptionOnlyInCliAndObjectOnlyInElf) {
  auto all = sources(root / "driver");
  for (auto &each : sources(root / "plugins"))
    all.push_back(std::move(each));
  for (const auto &[path, text] : all) {
    std::string room = path.parent_path().filename();
    for (const std::string &name : includesOf(text)) {
      if (name.starts_with("llvm/Option/")) {
        EXPECT_EQ(room, "cli") << path;
      }
      if (name.starts_with("llvm/Object/")) {
        EXPECT_EQ(room, "elf") << path;
      }
    }
  }
}

TEST(House, oneRoomIsTheHallOfPrintingEnvironmentAndProcesses) {
  for (const char *folder : {"driver", "plugins"})
    for (const auto &[path, text] : sources(root / folder)) {
      for (const char *what :
           {"getenv(", "popen(", "::system(", "std::cout", "std::cerr", "printf(", "std::regex"})
        EXPECT_FALSE(mentions(text, what)) << path << " has " << what;
    }
}

TEST(House, filesStaySmall) {
  for (const char *folder : {"driver", "plugins"})
    for (const auto &[path, text] : sources(root / folder))
      EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 400) << path;
}
