// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/coherence/Guard.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gmock/gmock.h>
#include <set>

/// Vectors of docs/spec/rules.md as data (tests/unit/policy/vectors), and helpers that read them.
namespace cudacc::test {

using llvm::json::Array;
using llvm::json::Object;

inline std::string text(const Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}
inline versions::CudaVersion line(llvm::StringRef text) {
  return versions::CudaVersion::parse(text).value_or(versions::CudaVersion{});
}
inline std::vector<std::string> strings(const llvm::json::Value *value) {
  std::vector<std::string> all;
  if (!value)
    return all;
  if (const Array *list = value->getAsArray())
    for (const llvm::json::Value &each : *list)
      all.push_back(each.getAsString().value_or("").str());
  else if (auto one = value->getAsString())
    all.push_back(one->str());
  return all;
}

inline std::vector<Object> vectors(const std::string &section) {
  std::vector<Object> all;
  std::string path =
      std::string(CUDACC_SOURCE_DIR) + "/tests/unit/policy/vectors/" + section + ".json";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    ADD_FAILURE() << path << " cannot be read";
    return all;
  }
  auto value = llvm::json::parse((*buffer)->getBuffer());
  if (!value) {
    ADD_FAILURE() << path << ": " << llvm::toString(value.takeError());
    return all;
  }
  for (const llvm::json::Value &each : *value->getAsObject()->getArray("vectors"))
    all.push_back(*each.getAsObject());
  EXPECT_FALSE(all.empty()) << path;
  return all;
}

/// Every identifier of a section in docs/spec is a row of its data file, or is left out for a
/// reason.
inline void expectIds(const std::string &section, llvm::StringRef prefix,
                      const std::vector<std::pair<const char *, const char *>> &left = {}) {
  std::set<std::string> ids, all;
  for (const Object &vector : vectors(section))
    ids.insert(text(vector, "id"));
  for (const auto &[id, reason] : left)
    EXPECT_TRUE(ids.insert(id).second) << id << " is there: " << reason;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(CUDACC_SOURCE_DIR "/docs/spec", error), end;
       !error && it != end; it.increment(error)) {
    auto page = llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(it->path())));
    llvm::SmallVector<llvm::StringRef, 0> anchors;
    page->getBuffer().split(anchors, "<a id=\"");
    for (llvm::StringRef anchor : anchors)
      if (llvm::StringRef id = anchor.split('"').first; id.starts_with(prefix))
        all.insert(id.str());
  }
  EXPECT_EQ(ids, all) << section;
}

/// The class of a code: `E_GROUP`; `AV-E01` if it has no other.
inline std::string className(core::Code code) {
  llvm::SmallVector<llvm::StringRef, 2> names;
  core::info(code).symbols.split(names, ' ');
  for (llvm::StringRef name : names)
    if (name.contains('_'))
      return name.str();
  return names.front().empty() ? core::str(code) : names.front().str();
}

inline policy::DriverFacts driverOf(const Object &vector) {
  policy::DriverFacts driver;
  driver.declared = vector.getBoolean("declared").value_or(false);
  if (const Object *known = vector.getObject("driver")) {
    driver.state = policy::DriverFacts::State::Known;
    driver.cuda = line(text(*known, "cuda"));
    driver.release = text(*known, "release");
  } else if (vector.getString("driver")) {
    driver.state = policy::DriverFacts::State::Absent;
  }
  return driver;
}

inline core::Enforce enforceOf(llvm::StringRef word) {
  using core::Enforce;
  return word == "symbols" ? Enforce::Symbols
         : word == "warn"  ? Enforce::Warn
         : word == "off"   ? Enforce::Off
                           : Enforce::Toolkit;
}

/// All texts of a finding, to search for a word.
inline std::string saying(llvm::ArrayRef<core::Finding> findings) {
  std::string all;
  for (const core::Finding &finding : findings) {
    all += finding.message + "\n" + finding.origin + "\n";
    for (const core::Fact &fact : finding.facts)
      all += fact.label + ": " + fact.text + "\n";
    all += llvm::join(finding.fixes, "\n") + "\n";
  }
  return all;
}

/// Compares errors, notes, outcome and words of the vector with the findings.
inline void compare(const Object &vector, llvm::ArrayRef<core::Finding> findings) {
  std::vector<std::string> errors, notes;
  core::Verdict verdict;
  for (const core::Finding &finding : findings) {
    (finding.severity == core::Severity::Error ? errors : notes).push_back(className(finding.code));
    verdict.add(finding);
  }
  EXPECT_EQ(errors, strings(vector.get("expect"))) << saying(findings);
  EXPECT_EQ(notes, strings(vector.get("notes"))) << saying(findings);
  if (auto outcome = vector.getString("outcome"))
    EXPECT_EQ(core::str(verdict.outcome()), *outcome);
  for (const std::string &word : strings(vector.get("says")))
    EXPECT_THAT(saying(findings), testing::HasSubstr(word));
}

} // namespace cudacc::test
