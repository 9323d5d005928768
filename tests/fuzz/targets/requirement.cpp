// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Requirement.h"
#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/ModuleName.h"
#include "driver/versions/PlaceRequirement.h"
#include "driver/versions/Version.h"
#include "driver/versions/WheelName.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;
using namespace cudacc::versions;

/// What was read can be written, and read again as the same.
template <typename T> static void reread(std::optional<T> value) {
  if (!value)
    return;
  std::string text = value->str();
  auto again = T::parse(text);
  fuzz::expect(again && again->str() == text);
}

/// A marker that is decided without a Python version stays so with one.
static void evaluate(const Marker &marker) {
  Truth known = marker.evaluate(MarkerEnvironment::linux("x86_64"));
  for (llvm::StringRef python : {"3.9", "3.11.4"}) {
    Truth truth = marker.evaluate(MarkerEnvironment::linux("x86_64", python));
    fuzz::expect(known == Truth::Unknown || known == truth);
  }
}

static void relate(llvm::StringRef one, llvm::StringRef other) {
  auto first = SpecifierSet::parse(one), second = SpecifierSet::parse(other);
  if (!first || !second)
    return;
  fuzz::expect(implies(*first, *first) && overlap(*first, *second) == overlap(*second, *first));
  implies(*first, *second);
  if (auto version = Version::parse(other))
    first->contains(*version);
}

static void run(llvm::StringRef text) {
  auto [line, other] = text.split('\n');
  reread(Version::parse(line));
  reread(SpecifierSet::parse(line));
  reread(CudaVersion::parse(line));
  reread(Arch::parse(line));
  if (auto marker = Marker::parse(line))
    evaluate(*marker);
  if (auto requirement = Requirement::parse(line)) {
    fuzz::expect(!requirement->name.empty() &&
                 requirement->name == Requirement::normalise(requirement->name));
    if (requirement->marker)
      evaluate(*requirement->marker);
  }
  relate(line, other);
  if (auto name = WheelName::parse(line))
    fuzz::expect(line.contains(name->tags()));
  if (auto place = PlaceRequirement::parse(line); place && !place->isActive)
    fuzz::expect(PlaceRequirement::parse(place->at("/x"))->path == "/x");
  pythonOfModule(line);
  initFunctionOf(line);
}

static const fuzz::Target target("requirement", run);
