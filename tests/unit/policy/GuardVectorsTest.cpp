// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/GuardVectors.h"
#include "driver/resolve/Resolve.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

policy::GuardReport guard(const Object &vector, policy::GuardInput input) {
  if (const Array *items = vector.getArray("items"))
    for (const llvm::json::Value &each : *items)
      input.items.push_back(itemOf(*each.getAsObject()));
  input.driver = driverOf(vector);
  input.ptxOnly = line(text(vector, "ptx_only"));
  policy::GuardOptions options;
  options.enforce = enforceOf(text(vector, "enforce"));
  options.assumeForwardCompatibility = vector.getBoolean("forward").value_or(false);
  if (auto specifier = vector.getString("specifier"))
    options.constraint = specifier->str();
  Target target;
  target.declared = true;
  target.line = line(text(vector, "target"));
  return policy::judgeItems(input, target, options);
}

/// `nvrtc 12.9`.
policy::Item partOf(llvm::StringRef words) {
  policy::Item item;
  auto [name, cuda] = words.split(' ');
  item.name = name.str();
  item.cuda = line(cuda);
  item.path = ("/w/" + cuda + "/" + name).str();
  if (name == "nvcc" || name == "nvlink") {
    item.kind = tables::PartKind::Binary;
    // Producer and consumer of a pipe may belong to two toolkits.
    item.side = name == "nvcc" ? tables::Side::Build : tables::Side::Run;
  }
  if (name == "cudadevrt")
    item.kind = tables::PartKind::Archive;
  return item;
}

void runPipe(const Object &vector) {
  auto kind = policy::readArtifact(text(vector, "kind"));
  if (!kind) {
    EXPECT_THAT(strings(vector.get("expect")), ElementsAre("E_USAGE"));
    return;
  }
  policy::GuardInput input;
  policy::Item producer = partOf(text(vector, "producer"));
  input.items.push_back(producer);
  policy::Pipe pipe{producer.name, {}, {*kind, line(text(vector, "isa"))}, {}};
  for (const std::string &words : strings(vector.get("consumer"))) {
    pipe.consumer = llvm::StringRef(words).split(' ').first.str();
    if (words != "host")
      input.items.push_back(partOf(words));
  }
  if (const Array *contents = vector.getArray("contents"))
    for (const llvm::json::Value &each : *contents)
      pipe.contents.push_back({*policy::readArtifact(text(*each.getAsObject(), "kind")),
                               line(text(*each.getAsObject(), "isa"))});
  input.pipes.push_back(pipe);
  auto all = guard(vector, input).verdict.findings;
  // The toolkit that made the object is also checked against the target, by another rule.
  if (!all.empty() && pipe.content.kind == policy::Artifact::Object)
    all.erase(all.begin());
  compare(vector, all);
}

std::vector<Finding> declared(const Object &vector, std::string &resolved) {
  Declaration declaration;
  unsigned at = 3;
  for (const std::string &each : strings(vector.get("declare")))
    declaration.runtime.push_back({each, {Origin::Kind::File, "cuda-cc.toml", at++, 1}});
  auto target = resolve::resolve(declaration);
  if (!target)
    return {toFinding(target.takeError())};
  resolved = target->line.str();
  return {};
}

struct Guard : BinaryJudging {
  void runBinary(const Object &vector) {
    BinaryFacts file = extension({});
    for (const llvm::json::Value &each : *vector.getArray("imports")) {
      auto names = strings(&each);
      file.needed.push_back(names[0]);
      file.imports.push_back({names[1], names[0], names[0], false});
    }
    Target target = targetOf(text(vector, "runtime").c_str());
    if (const Object *rows = vector.getObject("rows"))
      for (const auto &[soname, version] : *rows) {
        setVersion(target, llvm::StringRef(soname), *version.getAsString());
        if (auto cuda = vector.getString("cuda"))
          rowOf(target, llvm::StringRef(soname)).cuda = line(*cuda);
      }
    judge(target, file);
    llvm::erase_if(findings, [](const Finding &each) { return each.severity != Severity::Error; });
    compare(vector, findings);
  }
};

} // namespace

TEST_F(Guard, specifiers_V_CN) {
  expectIds("specifiers", "V-CN-", 9);
  for (const Object &vector : vectors("specifiers")) {
    SCOPED_TRACE(text(vector, "id"));
    if (vector.get("declare")) {
      std::string resolved;
      auto findings = declared(vector, resolved);
      compare(vector, findings);
      EXPECT_EQ(resolved, text(vector, "line"));
      continue;
    }
    policy::GuardInput input;
    input.items.emplace_back();
    input.items[0].name = "cudart";
    input.items[0].cuda = line(text(vector, "cuda"));
    compare(vector, guard(vector, input).verdict.findings);
  }
}

TEST_F(Guard, modes_V_MD) {
  expectIds("modes", "V-MD-", 11,
            {{"V-MD-02", "the value is read by the configuration: ConfigTest"},
             {"V-MD-08", "the value is read by the configuration: ConfigTest"},
             {"V-MD-09", "not applicable: there is no other platform than Linux"},
             {"V-MD-10", "not applicable: there is no other platform than Linux"}});
  for (const Object &vector : vectors("modes")) {
    SCOPED_TRACE(text(vector, "id") + " " + text(vector, "enforce"));
    if (auto mode = vector.getString("default"))
      EXPECT_EQ(core::str(Declaration{}.enforce.value), *mode);
    compare(vector, guard(vector, {}).verdict.findings);
  }
}

TEST_F(Guard, relations_V_RL) {
  expectIds("relations", "V-RL-", 20);
  for (const Object &vector : vectors("relations")) {
    SCOPED_TRACE(text(vector, "id"));
    auto report = guard(vector, {});
    compare(vector, report.verdict.findings);
    if (auto recorded = vector.getInteger("recorded"))
      EXPECT_EQ(report.items.size(), size_t(*recorded));
  }
}

TEST_F(Guard, pipelines_V_PL) {
  expectIds("pipelines", "V-PL-", 19);
  for (const Object &vector : vectors("pipelines")) {
    SCOPED_TRACE(text(vector, "id"));
    runPipe(vector);
  }
}

TEST_F(Guard, drivers_V_DR) {
  expectIds("driver", "V-DR-", 17);
  for (const Object &vector : vectors("driver")) {
    SCOPED_TRACE(text(vector, "id"));
    policy::GuardInput input;
    input.items.push_back(partOf("cudart " + text(vector, "ctk")));
    compare(vector, guard(vector, input).verdict.findings);
  }
}

TEST_F(Guard, order_V_EO) {
  expectIds("order", "V-EO-", 4);
  for (const Object &vector : vectors("order")) {
    SCOPED_TRACE(text(vector, "id"));
    compare(vector, guard(vector, {}).verdict.findings);
  }
}

TEST_F(Guard, targets_V_TG) {
  expectIds("target", "V-TG-", 18);
  for (const Object &vector : vectors("target")) {
    SCOPED_TRACE(text(vector, "id"));
    if (vector.get("imports"))
      runBinary(vector);
    else
      compare(vector, guard(vector, {}).verdict.findings);
  }
}

// GR-6: a name that no table has is a usage error, nothing worse.
TEST_F(Guard, aNameWithoutTableIsUsage) { // GR-6
  policy::GuardInput input;
  input.items.emplace_back().name = "cublasss";
  auto findings = guard({}, input).verdict.findings;
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].code, Code::Usage);
  EXPECT_EQ(exitOf(findings[0]), Exit::Usage);
}

// The data and the rules are consistent: the parts of a toolkit release belong together, and so do
// the versions that torch pins for every known line.
TEST_F(Guard, noKnownTorchIsIncoherent) { // RL-3, RL-9
  for (const char *runtime :
       {"torch==2.1.2", "torch==2.3.1", "torch==2.4.1", "torch==2.5.1", "torch==2.6.0",
        "torch==2.7.1", "torch==2.8.0", "torch==2.9.1", "cuda==11.8", "cuda==12.4", "cuda==12.9",
        "cuda==13.0", "cuda==13.2"}) {
    Target target = targetOf(runtime);
    policy::GuardInput input;
    for (const TargetLibrary &row : target.libraries) {
      policy::Item &item = input.items.emplace_back();
      auto known = tables::libraryByFileName(row.soname);
      ASSERT_TRUE(known) << row.soname;
      item.name = known->name.str();
      item.soname = row.soname;
      item.dist = row.dist;
      item.version = row.version;
      item.cuda = row.cuda;
    }
    // The runtime's wheel has the headers of its release, for code compiled at run time.
    const TargetLibrary *cudart = target.find("libcudart.so." + std::to_string(target.line.major));
    if (cudart) {
      policy::Item &item = input.items.emplace_back();
      item.kind = tables::PartKind::Header;
      item.name = "cudart";
      item.cuda = cudart->cuda;
    }
    EXPECT_GT(input.items.size(), 10u) << runtime;
    auto findings = policy::judgeItems(input, target, {}).verdict.findings;
    EXPECT_THAT(findings, IsEmpty()) << runtime << "\n" << saying(findings);
  }
}
