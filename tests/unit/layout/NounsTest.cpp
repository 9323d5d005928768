// SPDX-License-Identifier: Apache-2.0
// One noun, one type; one verb of a library, one meaning.
#include "Sources.h"
#include <gmock/gmock.h>
#include <map>
#include <regex>
#include <set>

namespace fs = std::filesystem;
using Declarations = std::map<std::string, std::set<std::string>>;

/// Type names that stand in several headers, and why.
static const std::map<std::string, const char *> sharedTypes = {
    {"Input", "the second one is in the generator of the tables, a program of its own"},
    {"Toolkit", "the second one is a row of the tables, tables::rows::Toolkit"},
    {"TorchTable", "the second one is what rules get of the first, which they may not include"},
    {"Value", "the second one is the bits of a value in torch-names.bin"},
};

/// Functions that stand in several headers of a namespace. Each is one act on several types.
static const std::map<std::string, const char *> overloads = {
    {"exitOf", "the exit status"},
    {"info", "the row of a code or key"},
    {"linkInputFor", "what the choice of a linker has to know of an input"},
    {"outcomeOf", "the outcome"},
    {"readField", "reads a field of a kept file"},
    {"str", "the word for a value"},
    {"text", "what a terminal shows"},
    {"toJson", "the JSON of a value"},
};

/// Calls \p take with each match of \p pattern in a line of a header, and its file and namespace.
template <typename Take> static void eachMatch(const std::regex &pattern, Take take) {
  for (const char *folder : {"driver", "plugins"})
    for (const auto &entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".h")
        continue;
      std::string file = entry.path().lexically_relative(root), space;
      std::istringstream lines(textOf(entry.path()));
      std::smatch match;
      for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("namespace "))
          space = line.substr(10, line.find(' ', 10) - 10);
        else if (std::regex_search(line, match, pattern))
          take(match[1].str(), file, space);
      }
    }
}

static void expectOne(const Declarations &declared,
                      const std::map<std::string, const char *> &reasons) {
  std::set<std::string> shared;
  for (const auto &[name, files] : declared)
    if (files.size() > 1) {
      std::string word = name.substr(name.rfind(':') + 1);
      EXPECT_TRUE(reasons.count(word)) << name << " " << testing::PrintToString(files);
      shared.insert(word);
    }
  for (const auto &[name, reason] : reasons)
    EXPECT_TRUE(shared.count(name)) << name << " needs no reason any more";
}

TEST(Nouns, aTypeNameStandsInOneHeader) {
  static const std::regex types(
      R"(^(?:template <.*> )?(?:struct|class|enum class|enum) (\w+)[^;]*\{)");
  Declarations declared;
  eachMatch(types, [&](const std::string &name, const std::string &file, const std::string &) {
    declared[name].insert(file);
  });
  EXPECT_GT(declared.size(), 300u);
  expectOne(declared, sharedTypes);
}

TEST(Nouns, aFunctionNameStandsInOneHeaderOfItsNamespace) {
  static const std::regex functions(
      R"(^(?!using|static_assert|return)(?=\w)(?:[\w:<>,*& ]+[ *&>])?(\w+)\((?!\w+\)\.))");
  Declarations declared;
  eachMatch(functions,
            [&](const std::string &name, const std::string &file, const std::string &space) {
              if (name != "operator")
                declared[space + "::" + name].insert(file);
            });
  EXPECT_GT(declared.size(), 600u);
  expectOne(declared, overloads);
}
