// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Json.h"
#include "driver/binary/manifest/Note.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

static void run(llvm::StringRef text) {
  std::string problem;
  auto value = binary::Json::parse(text, problem);
  if (!value) {
    if (problem.empty())
      __builtin_trap();
    return;
  }
  // Writing the value and reading it again must give the same value.
  std::string once = value->str();
  auto again = binary::Json::parse(once, problem);
  if (!again || again->str() != once)
    __builtin_trap();
  auto link = binary::parseLinkRecord(text, problem);
  if (link && !binary::parseLinkRecord(binary::toJson(*link), problem))
    __builtin_trap();
  auto object = binary::parseObjectRecord(text, problem);
  if (object && !binary::parseObjectRecord(binary::toJson(*object), problem))
    __builtin_trap();
}

static const fuzz::Target target("json", run);
