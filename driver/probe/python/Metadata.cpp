// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Metadata.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using namespace versions;
using llvm::StringRef;

std::vector<std::string> DistributionMetadata::required() const {
  std::vector<std::string> names;
  for (const Requirement &requirement : requirements)
    if (!llvm::is_contained(names, requirement.name))
      names.push_back(requirement.name);
  return names;
}

static void addRequirement(StringRef text, const MarkerEnvironment &environment,
                           DistributionMetadata &metadata) {
  auto requirement = Requirement::parse(text);
  if (!requirement)
    return;
  Truth holds = requirement->marker ? requirement->marker->evaluate(environment) : Truth::True;
  if (holds == Truth::False)
    return;
  if (holds == Truth::True)
    requirement->marker.reset();
  metadata.requirements.push_back(std::move(*requirement));
}

DistributionMetadata parseMetadata(StringRef text, StringRef machine, StringRef python,
                                   llvm::ArrayRef<std::string> extras) {
  DistributionMetadata metadata;
  MarkerEnvironment environment = MarkerEnvironment::linux(machine, python);
  environment.extras = extras;
  if (machine.empty())
    environment.values.erase("platform_machine");
  for (StringRef line : llvm::split(text, '\n')) {
    line = line.rtrim('\r');
    // An empty line ends the headers; the description follows.
    if (line.empty())
      break;
    auto [key, value] = line.split(':');
    value = value.trim();
    if (key.equals_insensitive("Name") && Requirement::isName(value))
      metadata.name = Requirement::normalise(value);
    else if (key.equals_insensitive("Version"))
      metadata.version = value.str();
    else if (key.equals_insensitive("Provides-Extra"))
      metadata.extras.push_back(Requirement::normalise(value));
    else if (key.equals_insensitive("Requires-Dist"))
      addRequirement(value, environment, metadata);
  }
  return metadata;
}

} // namespace cudacc::probe
