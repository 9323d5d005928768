// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Metadata.h"
#include "driver/plan/wheel/MetadataEdit.h"
#include "driver/plan/wheel/Record.h"
#include "driver/probe/python/InstalledPackages.h"
#include "driver/probe/python/Record.h"
#include "tests/fuzz/Input.h"
#include <set>

using namespace cudacc;

static void readMetadata(llvm::StringRef text) {
  auto metadata = probe::parseMetadata(text, "x86_64", "3.11");
  std::vector<std::string> required = metadata.required();
  fuzz::expect(std::set<std::string>(required.begin(), required.end()).size() == required.size());
  fuzz::expect(probe::parseMetadata(text, "", "").requirements.size() >=
               metadata.requirements.size());
  // A requirement that is added is read, and nothing else changes.
  auto more =
      probe::parseMetadata(plan::addRequirements(text, {"added-here==1"}, {}), "x86_64", "3.11");
  fuzz::expect(more.requirements.size() == metadata.requirements.size() + 1 &&
               more.name == metadata.name && more.version == metadata.version);
}

static void readRecord(llvm::StringRef text) {
  core::InstalledPackage package;
  probe::readRecord(text, package);
  llvm::StringRef line = text.split('\n').first;
  if (auto first = plan::parseRecord(line); first && !first->empty() && !line.contains('\r'))
    fuzz::expect(probe::recordHas(text, first->front().path));
  auto rows = plan::parseRecord(text);
  if (!rows)
    return;
  std::string printed = plan::printRecord(*rows);
  auto again = plan::parseRecord(printed);
  fuzz::expect(again && plan::printRecord(*again) == printed);
}

static void run(llvm::StringRef text) {
  readMetadata(text);
  readRecord(text);
}

static const fuzz::Target target("metadata", run);
