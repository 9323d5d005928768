// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/FetchLock.h"
#include "driver/core/Diagnostic.h"
#include "driver/resolve/FetchPlan.h"
#include "driver/support/Json.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::resolve {

using namespace core;
using llvm::StringRef;
using support::Value;

static llvm::Error broken(StringRef place, const std::string &problem) {
  return makeError(Code::BrokenFacts, "a lock of a fetched toolkit is broken",
                   {{"file", place.str()}, {"problem", problem}},
                   {"remove it, and run the command again to write it"});
}

/// Letters, digits and what names of distributions and components have besides.
static bool isName(StringRef text) {
  return !text.empty() && text.front() != '-' && text.front() != '.' &&
         llvm::all_of(text, [](char each) {
           return llvm::isAlnum(each) || StringRef("-_.+").contains(each);
         });
}

static bool isPath(StringRef text) { return llvm::all_of(llvm::split(text, '/'), isName); }

static bool isSha256(StringRef text) {
  return text.size() == 64 && llvm::all_of(text, [](char each) {
           return llvm::isDigit(each) || (each >= 'a' && each <= 'f');
         });
}

static llvm::Expected<FetchPart> readPart(const Value &value, StringRef place) {
  FetchPart part;
  part.part = value.textAt("part").str();
  part.name = value.textAt("name").str();
  part.version = value.textAt("version").str();
  part.sha256 = value.textAt("sha256").str();
  part.machine = value.textAt("machine").str();
  auto numberAt = [&](StringRef key) {
    const Value *number = value.find(key);
    return number ? uint64_t(std::max<int64_t>(0, number->integer().value_or(0))) : 0;
  };
  part.bytes = numberAt("bytes");
  part.unpacked = numberAt("unpacked");
  StringRef source = value.textAt("source");
  // A version is read with blanks around it, but written into a line.
  if (!isName(part.part) || !isName(part.name) || !isName(part.version) ||
      !versions::Version::parse(part.version))
    return broken(place, fmt::format("\"{}\" {} is no part", part.name, part.version));
  if (!part.machine.empty() && !versions::machineNamed(part.machine))
    return broken(place, fmt::format("\"{}\" is no machine", part.machine));
  if (!part.sha256.empty() && !isSha256(part.sha256))
    return broken(place, fmt::format("{} has no sha256", part.name));
  if (source == "archive") {
    part.source = FetchPart::Source::Archive;
    part.path = value.textAt("path").str();
    if (!isPath(part.path) || part.sha256.empty() || !part.bytes)
      return broken(place, fmt::format("{} lacks a path, sha256 or bytes", part.name));
  } else if (source != "wheel") {
    return broken(place, fmt::format("{} has no source", part.name));
  }
  return part;
}

llvm::Expected<FetchPlan> readFetchPlan(const Value &value, StringRef place) {
  FetchPlan plan;
  plan.release = value.textAt("release").str();
  plan.machine = value.textAt("machine").str();
  auto line = versions::CudaVersion::parse(plan.release);
  if (!line || !isName(plan.release))
    return broken(place, fmt::format("\"{}\" is no release", plan.release));
  plan.line = *line;
  if (!versions::machineNamed(plan.machine))
    return broken(place, fmt::format("\"{}\" is no machine", plan.machine));
  for (const Value &each : value.listAt("parts")) {
    auto part = readPart(each, place);
    if (!part)
      return part.takeError();
    plan.parts.push_back(std::move(*part));
  }
  if (plan.parts.empty())
    return broken(place, "there are no parts");
  plan.key = keyOf(plan);
  return plan;
}

llvm::Expected<std::vector<FetchPlan>> readFetchLock(StringRef text, StringRef place) {
  support::TextError error;
  auto value = support::readJson(text, error);
  if (!value || value->textAt("schema") != "1")
    return broken(place, value ? "it has another schema" : error.why);
  std::vector<FetchPlan> plans;
  for (const Value &each : value->listAt("toolkits")) {
    auto plan = readFetchPlan(each, place);
    if (!plan)
      return plan.takeError();
    for (const FetchPart &part : plan->parts)
      if (part.sha256.empty())
        return broken(place, fmt::format("{} has no sha256", part.name));
    plans.push_back(std::move(*plan));
  }
  return plans;
}

} // namespace cudacc::resolve
