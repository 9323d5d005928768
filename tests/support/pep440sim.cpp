// SPDX-License-Identifier: Apache-2.0
// Answers questions about versions, specifiers, markers, requirements, names of wheels and
// METADATA, for tests that compare the answers with those of Python's `packaging`. Each line of the
// input is a question, its parts separated by the character U+001F; each line of the output an
// answer:
//
//   version V                  its normal form
//   compare V V                -1, 0, 1
//   contains SPEC V PRE        0, 1
//   overlap SPEC SPEC          0, 1
//   implies SPEC SPEC          0, 1
//   marker M MACHINE PYTHON E  0, 1, ?; E: extras, separated by commas
//   requirement R              name, extras, specifiers, URL, whether it has a marker
//   wheel FILE                 name, version, build tag, the tags
//   metadata FILE MACHINE PYTHON E   name, version, extras, then the requirements that apply
//
// `invalid` is the answer to what cannot be read.
#include "driver/probe/python/Metadata.h"
#include "driver/run/RealFiles.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "driver/versions/WheelName.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <iostream>

using namespace cudacc;
using namespace cudacc::versions;
using Parts = llvm::ArrayRef<llvm::StringRef>;

static std::vector<std::string> listOf(llvm::StringRef text) {
  std::vector<std::string> list;
  for (llvm::StringRef part : llvm::split(text, ','))
    if (!part.empty())
      list.push_back(part.str());
  return list;
}

static std::string compare(llvm::StringRef left, llvm::StringRef right) {
  auto one = Version::parse(left), other = Version::parse(right);
  if (!one || !other)
    return "invalid";
  auto order = *one <=> *other;
  return order < 0 ? "-1" : order > 0 ? "1" : "0";
}

static std::string relate(Parts parts) {
  auto one = SpecifierSet::parse(parts[1]), other = SpecifierSet::parse(parts[2]);
  if (!one || !other)
    return "invalid";
  return (parts[0] == "overlap" ? overlap(*one, *other) : implies(*one, *other)) ? "1" : "0";
}

static std::string contains(Parts parts) {
  auto set = SpecifierSet::parse(parts[1]);
  auto version = Version::parse(parts[2]);
  if (!set || !version)
    return "invalid";
  return set->contains(*version, parts[3] == "1") ? "1" : "0";
}

static std::string evaluate(Parts parts) {
  auto marker = Marker::parse(parts[1]);
  if (!marker)
    return "invalid";
  MarkerEnvironment environment = MarkerEnvironment::linux(parts[2], parts[3]);
  environment.extras = listOf(parts[4]);
  switch (marker->evaluate(environment)) {
  case Truth::False:
    return "0";
  case Truth::True:
    return "1";
  case Truth::Unknown:
    return "?";
  }
  return "";
}

static std::string shown(const Requirement &requirement) {
  return fmt::format("{}|{}|{}|{}|{}", requirement.name, llvm::join(requirement.extras, ","),
                     requirement.specifiers, requirement.url, requirement.marker ? 1 : 0);
}

static std::string metadata(Parts parts) {
  run::RealFiles files;
  std::string text = llvm::cantFail(files.read(parts[1], 16 << 20));
  auto read = probe::parseMetadata(text, parts[2], parts[3], listOf(parts[4]));
  std::string line =
      fmt::format("{}\x1f{}\x1f{}", read.name, read.version, llvm::join(read.extras, ","));
  for (const Requirement &requirement : read.requirements)
    line += "\x1f" + shown(requirement);
  return line;
}

static std::string answer(Parts parts) {
  if (parts[0] == "version") {
    auto version = Version::parse(parts[1]);
    return version ? version->str() : "invalid";
  }
  if (parts[0] == "compare")
    return compare(parts[1], parts[2]);
  if (parts[0] == "contains")
    return contains(parts);
  if (parts[0] == "overlap" || parts[0] == "implies")
    return relate(parts);
  if (parts[0] == "marker")
    return evaluate(parts);
  if (parts[0] == "requirement") {
    auto requirement = Requirement::parse(parts[1]);
    return requirement ? shown(*requirement) : "invalid";
  }
  if (parts[0] == "metadata")
    return metadata(parts);
  auto wheel = WheelName::parse(parts[1]);
  return wheel
             ? fmt::format("{}|{}|{}|{}", wheel->name, wheel->version, wheel->build, wheel->tags())
             : "invalid";
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    llvm::SmallVector<llvm::StringRef, 5> parts;
    llvm::StringRef(line).split(parts, '\x1f');
    llvm::outs() << answer(parts) << '\n';
  }
  return 0;
}
