// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Frameworks.h"
#include "driver/versions/Requirement.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::ElementsAre;
using testing::IsEmpty;
using versions::SpecifierSet;
using versions::Version;

namespace {

tables::FrameworkName named(llvm::StringRef text) {
  for (const tables::FrameworkName &each : tables::frameworkNames())
    if (each.str() == text)
      return each;
  ADD_FAILURE() << text.str() << " is no name";
  return {};
}

std::vector<std::string> formsOf(llvm::StringRef name) {
  std::vector<std::string> all;
  for (const tables::FrameworkName &each : tables::frameworksCalled(name))
    all.push_back(each.str());
  return all;
}

tables::FrameworkRun run(llvm::StringRef name, llvm::StringRef first) {
  for (const tables::FrameworkRun &each : tables::frameworkRuns(named(name)))
    if (each.first == first)
      return each;
  ADD_FAILURE() << name.str() << " has no run from " << first.str() << " on";
  return {};
}

tables::Pin pin(const tables::FrameworkRun &run, llvm::StringRef dist) {
  for (const tables::Pin &each : tables::frameworkPins(run))
    if (each.dist == dist)
      return each;
  ADD_FAILURE() << run.first.str() << " has no pin on " << dist.str();
  return {};
}

Version parsed(llvm::StringRef text) { return Version::parse(text).value_or(Version{}); }

std::string textOf(const llvm::json::Object &row, llvm::StringRef key) {
  return row.getString(key).value_or("").str();
}

} // namespace

TEST(Frameworks, NamesAndTheirExtras) {
  EXPECT_THAT(formsOf("jax"), ElementsAre("jax[cuda12]", "jax[cuda13]"));
  EXPECT_THAT(formsOf("onnxruntime-gpu"), ElementsAre("onnxruntime-gpu[cuda,cudnn]"));
  EXPECT_THAT(formsOf("cupy-cuda12x"), ElementsAre("cupy-cuda12x"));
  EXPECT_THAT(formsOf("torch"), IsEmpty());
  EXPECT_THAT(formsOf("ja"), IsEmpty());
  EXPECT_THAT(formsOf("zzz"), IsEmpty());
  EXPECT_TRUE(named("cupy-cuda12x").fixesMajor());
  EXPECT_FALSE(named("jax[cuda12]").fixesMajor());
  EXPECT_FALSE(named("vllm").fixesMajor());
}

TEST(Frameworks, RunsAreAscendingAndOfTheirMajor) {
  for (const tables::FrameworkName &name : tables::frameworkNames()) {
    auto runs = tables::frameworkRuns(name);
    EXPECT_FALSE(runs.empty()) << name.str();
    for (size_t i = 0; i < runs.size(); ++i) {
      if (name.major)
        EXPECT_EQ(runs[i].major, name.major) << name.str();
      EXPECT_LE(runs[i].from, runs[i].to) << name.str();
      if (i)
        EXPECT_LE(parsed(runs[i - 1].first), parsed(runs[i].first)) << name.str();
    }
  }
}

TEST(Frameworks, FloorsRangesAndPins) {
  tables::FrameworkRun jax = run("jax[cuda12]", "0.4.31");
  EXPECT_THAT(jax.read, ElementsAre("0.4.31", "0.4.32", "0.4.33", "0.4.34", "0.4.35"));
  EXPECT_EQ(jax.kind, tables::FrameworkPins::Floor);
  EXPECT_EQ(jax.from.str(), "12.1");
  EXPECT_EQ(jax.to.str(), "12.9");
  tables::Pin cudnn = pin(jax, "nvidia-cudnn-cu12");
  EXPECT_TRUE(cudnn.floats);
  EXPECT_EQ(cudnn.spec, ">=9.1,<10.0");
  EXPECT_EQ(cudnn.floor, "9.1.0.70");
  tables::FrameworkRun exact = run("tensorflow[and-cuda]", "2.18");
  EXPECT_EQ(exact.toolkit->str(), "12.5.1");
  EXPECT_FALSE(pin(exact, "nvidia-cublas-cu12").floats);
  EXPECT_EQ(pin(exact, "nvidia-cublas-cu12").confidence, tables::Confidence::Verified);
  // A prefix is a range, and a requirement without bound has the version of the line.
  tables::FrameworkRun nvmath = run("nvmath-python[cu12]", "1.0.0");
  EXPECT_TRUE(pin(nvmath, "nvidia-cudss-cu12").floats);
  EXPECT_EQ(pin(nvmath, "nvidia-cublas-cu12").floor, "");
}

TEST(Frameworks, WhatDecidesTheLine) {
  EXPECT_EQ(run("cupy-cuda12x", "13.2").to.str(), "12.4");
  EXPECT_TRUE(run("cupy-cuda12x", "13.2").toolkitFloats);
  // cuda-toolkit>=13.2,<13.5
  EXPECT_EQ(run("cuda-tile[tileiras]", "1.6.0").to.str(), "13.4");
  EXPECT_EQ(run("vllm", "0.9").torch, "==2.7.0");
  // It begins with the first release that was read, not with the one after which the row is named.
  EXPECT_EQ(run("vllm", "0.6.6.post1").torch, "==2.5.1");
}

TEST(Frameworks, WhatTellsNothing) {
  EXPECT_FALSE(run("triton", "3.1.0").requiresCuda);
  EXPECT_FALSE(run("flash-attn", "2.8.3.post2").requiresCuda);
  EXPECT_FALSE(run("paddlepaddle-gpu", "3").requiresCuda);
  EXPECT_FALSE(run("cuda-python", "13.4.4").requiresCuda);
  EXPECT_TRUE(run("jax[cuda12]", "0.4.30").requiresCuda);
  EXPECT_TRUE(run("xformers", "0.0.35").requiresCuda);
}

// Every row of the file, and every pin on a library, is in the tables unchanged.
TEST(Frameworks, EveryRowIsRead) {
  auto buffer = llvm::MemoryBuffer::getFile(CUDACC_TABLES_DATA "/framework_targets.json");
  ASSERT_TRUE(buffer);
  auto file = llvm::json::parse((*buffer)->getBuffer());
  ASSERT_TRUE(bool(file));
  size_t rows = 0;
  for (const llvm::json::Value &value : *file->getAsObject()->getArray("rows")) {
    const llvm::json::Object &row = *value.getAsObject();
    ++rows;
    std::string framework = textOf(row, "framework"), first = textOf(row, "version");
    std::optional<tables::FrameworkRun> found;
    for (const tables::FrameworkName &name : tables::frameworkNames())
      for (const tables::FrameworkRun &each : tables::frameworkRuns(name)) {
        const llvm::json::Array &read = *row.getArray("versions");
        bool same = read.size() == each.read.size() &&
                    llvm::equal(read, each.read, [](const auto &a, llvm::StringRef b) {
                      return a.getAsString() == b;
                    });
        if (name.framework == framework && same && parsed(each.first) <= parsed(first) &&
            std::to_string(each.major) == textOf(row, "cuda_major") &&
            (!read.empty() || each.first == first))
          found = each;
      }
    ASSERT_TRUE(found) << framework << " " << first;
    if (auto least = row.getString("cuda_min"))
      EXPECT_EQ(found->from.str(), *least) << framework << " " << first;
    if (auto most = row.getString("cuda_max"))
      EXPECT_EQ(found->to.str(), *most) << framework << " " << first;
    for (const tables::Pin &each : tables::frameworkPins(*found)) {
      const llvm::json::Object *there = nullptr;
      for (const llvm::json::Value &pin : *row.getArray("pins"))
        if (textOf(*pin.getAsObject(), "dist") == each.dist)
          there = pin.getAsObject();
      ASSERT_TRUE(there) << framework << " " << first << " " << each.dist.str();
      EXPECT_EQ(textOf(*there, "spec"), each.spec.str());
      EXPECT_LE(parsed(textOf(*there, "floor")), parsed(each.floor)) << each.dist.str();
      auto spec = SpecifierSet::parse(each.spec);
      EXPECT_TRUE(each.floor.empty() || spec->contains(parsed(each.floor))) << each.dist.str();
      EXPECT_EQ(each.floats, !each.spec.starts_with("==") || each.spec.contains('*'));
    }
  }
  EXPECT_EQ(rows, 95u);
}
