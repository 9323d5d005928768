// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/rules/Judge.h"
#include "driver/tables/lookup/Libraries.h"
#include "tests/unit/policy/BinaryJudging.h"
#include "tests/unit/policy/LinkQuestions.h"
#include "tests/unit/resolve/InstalledWheels.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::test;
using testing::IsEmpty;

namespace {

Declaration declarationOf(const Object &vector, const char *key) {
  Declaration declaration;
  unsigned at = 3;
  for (const std::string &each : strings(vector.get(key)))
    declaration.runtime.push_back({each, {Origin::Kind::File, "cuda-cc.toml", at++, 1}});
  declaration.enforce = {enforceOf(text(vector, "enforce")), {}};
  declaration.assumeForwardCompatibility.value = vector.getBoolean("forward").value_or(false);
  return declaration;
}

std::vector<Finding> declared(const Object &vector) {
  auto target = resolve::resolve(declarationOf(vector, "declare"));
  if (!target)
    return {toFinding(target.takeError())};
  EXPECT_EQ(target->line.str(), text(vector, "line"));
  return {};
}

Component componentOf(llvm::StringRef name, llvm::StringRef cuda) {
  bool isWheel = name.consume_back(" wheel");
  std::string evidence =
      isWheel ? ("nvidia_cuda_" + name + "-" + cuda + ".27.dist-info").str() : "its own text";
  return {name.str(), ("/opt/cuda/" + name).str(), line(cuda), cuda.str(), evidence};
}

/// `12.4 /inc/cuda.h`.
FoundHeader headerOf(llvm::StringRef words) {
  auto [cuda, path] = words.split(' ');
  return {"cuda.h", path.str(), line(cuda), "CPATH", ""};
}

std::vector<Finding> compiled(const Object &vector) {
  Declaration declaration = declarationOf(vector, "runtime");
  Toolkit toolkit;
  toolkit.nvcc = "/opt/cuda/nvcc";
  const Object *parts = vector.getObject("toolkit");
  if (parts) {
    toolkit.components.push_back(componentOf("nvcc", text(*parts, "nvcc")));
    for (const auto &[name, cuda] : *parts)
      if (llvm::StringRef(name) != "nvcc")
        toolkit.components.push_back(componentOf(name, *cuda.getAsString()));
  }
  std::vector<FoundHeader> headers;
  for (const std::string &each : strings(vector.get("headers")))
    headers.push_back(headerOf(each));
  auto findings = policy::judgeCompile(llvm::cantFail(resolve::resolve(declaration)),
                                       parts ? &toolkit : nullptr, headers,
                                       [] { return std::vector<FoundToolkit>(); });
  return policy::applyOverrides(declaration, {}, std::move(findings)).findings;
}

/// `13.0 /opt/cuda/lib64/libcufft.so.12`.
std::vector<Finding> onLine(const Object &vector) {
  LinkedLibrary library;
  llvm::StringRef words = *vector.getString("linked");
  auto [cuda, path] = words.split(' ');
  library.path = path.str();
  library.soname = path.rsplit('/').second.str();
  library.cuda = line(cuda);
  return policy::judgeLibraries(llvm::cantFail(resolve::resolve(declarationOf(vector, "runtime"))),
                                library, [] { return std::vector<FoundToolkit>(); });
}

/// The row that a runtime of that line has for a library.
TargetLibrary rowOf(llvm::StringRef name, const std::string &cuda) {
  Target of = target({("cuda==" + cuda).c_str()});
  for (const TargetLibrary &row : of.libraries)
    if (tables::libraryByFileName(row.soname)->name == name)
      return row;
  ADD_FAILURE() << "CUDA " << cuda << " has no " << name.str();
  return {};
}

void install(Installed &environment, const TargetLibrary &row) {
  environment.has(row.dist, row.version.str(), row.folder, row.soname);
}

void addRuntimeHeaders(Installed &environment, const std::string &cuda) {
  TargetLibrary row = rowOf("cudart", cuda);
  std::string version = row.version.str();
  environment.environment.distributions.push_back(
      {row.dist, version, row.dist + "-" + version + ".dist-info", site});
}

/// The problems of an environment with a CUDA runtime of that line.
std::vector<Finding> environmentOf(const Object &vector) {
  Installed environment;
  install(environment, rowOf("cudart", text(vector, "line")));
  for (const llvm::json::Value &each : *vector.getArray("installed")) {
    const Object &item = *each.getAsObject();
    if (auto cuda = item.getString("headers"))
      addRuntimeHeaders(environment, cuda->str());
    else if (auto name = item.getString("name"))
      install(environment, rowOf(*name, text(item, "cuda")));
    else
      environment.has(text(item, "dist"), text(item, "version"), "lib", text(item, "soname"));
  }
  return target(environment).problems;
}

std::vector<Finding> linkedBy(const Object &vector) {
  policy::LinkQuestion question;
  question.forced = policy::LinkBackend::NvJitLink;
  question.nvJitLink = nvJitLinkOf(text(vector, "nvjitlink"));
  for (const std::string &each : strings(vector.get("inputs")))
    question.inputs.push_back(linkInput(each));
  return policy::chooseLinker(question).findings;
}

/// Machine code of a device link on a driver, and, where it can be declared, of a runtime.
std::vector<Finding> driven(const Object &vector) {
  policy::DriverFacts driver = driverOf(vector);
  versions::CudaVersion code = line(text(vector, "code"));
  auto findings = policy::judgeLinkOutput(code, driver, false);
  if (driver.release.empty())
    return findings;
  Target of;
  of.line = code;
  of.driver = driver.release;
  of.driverCuda = driver.cuda;
  auto floor = policy::judgeDriverFloor(of);
  std::vector<std::string> errors;
  if (floor && floor->severity == Severity::Error)
    errors.push_back(className(floor->code));
  EXPECT_EQ(errors, strings(vector.get("expect")));
  return findings;
}

struct Guard : BinaryJudging {
  /// The output of a link.
  std::vector<Finding> output(const Object &vector) {
    BinaryFacts file = extension({});
    if (const Array *imports = vector.getArray("imports"))
      for (const llvm::json::Value &each : *imports) {
        auto names = strings(&each);
        file.needed.push_back(names[0]);
        file.imports.push_back({names[1], names[0], names[0], false});
      }
    if (auto isa = vector.getString("ptx"))
      file.device.units.emplace_back().images = {{ImageKind::Ptx, Compression::None, HasCode::No,
                                                  false, *versions::Arch::parse("compute_80"),
                                                  line(*isa)}};
    if (auto toolkit = vector.getString("recorded"))
      file.manifest.objects = {
          {{"cuda-cc-0.1.0", (*toolkit + ".82").str(), toolkit->str(), ""}, 1}};
    Declaration declaration = declarationOf(vector, "runtime");
    Target of = llvm::cantFail(resolve::resolve(declaration));
    if (const Object *rows = vector.getObject("rows"))
      for (const auto &[soname, version] : *rows) {
        setVersion(of, llvm::StringRef(soname), *version.getAsString());
        if (auto cuda = vector.getString("cuda"))
          BinaryJudging::rowOf(of, llvm::StringRef(soname)).cuda = line(*cuda);
      }
    policy::DriverFacts driver = driverOf(vector);
    of.driver = driver.release;
    of.driverCuda = driver.cuda;
    input.atLink = vector.get("recorded") != nullptr;
    judge(of, file);
    llvm::erase_if(findings, [](const Finding &each) { return each.severity == Severity::Remark; });
    return policy::applyOverrides(declaration, {}, findings).findings;
  }

  /// What the program says of the situation.
  std::vector<Finding> findingsOf(const Object &vector) {
    if (vector.get("declare"))
      return declared(vector);
    if (vector.get("installed"))
      return environmentOf(vector);
    if (vector.get("linked"))
      return onLine(vector);
    if (vector.get("nvjitlink"))
      return linkedBy(vector);
    if (vector.get("code"))
      return driven(vector);
    if (vector.get("toolkit") || vector.get("headers"))
      return compiled(vector);
    return vector.get("runtime") ? output(vector) : std::vector<Finding>();
  }

  void expectAll(const std::string &section) {
    for (const Object &vector : vectors(section)) {
      SCOPED_TRACE(text(vector, "id") + " " + text(vector, "enforce"));
      if (auto mode = vector.getString("default"))
        EXPECT_EQ(core::str(Declaration{}.enforce.value), *mode);
      compare(vector, findingsOf(vector));
    }
  }
};

} // namespace

TEST_F(Guard, specifiers_V_CN) {
  expectIds("specifiers", "V-CN-");
  expectAll("specifiers");
}

TEST_F(Guard, modes_V_MD) {
  expectIds("modes", "V-MD-",
            {{"V-MD-02", "the value is read by the configuration: ConfigTest"},
             {"V-MD-08", "the value is read by the configuration: ConfigTest"}});
  expectAll("modes");
}

TEST_F(Guard, relations_V_RL) {
  expectIds("relations", "V-RL-");
  expectAll("relations");
}

TEST_F(Guard, pipelines_V_PL) {
  expectIds("pipelines", "V-PL-");
  expectAll("pipelines");
}

TEST_F(Guard, drivers_V_DR) {
  expectIds("driver", "V-DR-");
  expectAll("driver");
}

TEST_F(Guard, order_V_EO) {
  expectIds("order", "V-EO-");
  expectAll("order");
}

TEST_F(Guard, targets_V_TG) {
  expectIds("target", "V-TG-");
  expectAll("target");
}

// The data and the rules are consistent: the parts of a toolkit release belong together, and so do
// the versions that torch pins for every known line.
TEST_F(Guard, noKnownTorchIsIncoherent) { // RL-3, RL-9
  for (const char *runtime :
       {"torch==2.1.2", "torch==2.3.1", "torch==2.4.1", "torch==2.5.1", "torch==2.6.0",
        "torch==2.7.1", "torch==2.8.0", "torch==2.9.1", "cuda==11.8", "cuda==12.4", "cuda==12.9",
        "cuda==13.0", "cuda==13.2"}) {
    Target of = BinaryJudging::targetOf(runtime);
    EXPECT_GT(of.libraries.size(), 10u) << runtime;
    Installed environment;
    for (const TargetLibrary &row : of.libraries)
      install(environment, row);
    addRuntimeHeaders(environment, of.line.str());
    auto problems = target(environment).problems;
    EXPECT_THAT(problems, IsEmpty()) << runtime << "\n" << saying(problems);
  }
}
