// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Environment.h"
#include "driver/cache/StoreCodec.h"
#include "driver/probe/python/InstalledPackages.h"
#include "driver/probe/python/Record.h"
#include "tests/fuzz/Folder.h"

using namespace cudacc;

/// The files of a Python environment: metadata, `.pth`, `pyvenv.cfg`, conda's packages.
static void run(llvm::StringRef bytes) {
  fuzz::Folder folder(bytes, "/env");
  auto environment = fuzz::valueOf(probe::readEnvironment("/env", folder.files));
  if (!environment)
    return;
  // What is kept of it is read as it was.
  std::string kept = cache::serialise(*environment);
  auto again = cache::parseEnvironment(kept);
  fuzz::expect(environment->inputs.empty() || (again && cache::serialise(*again) == kept));
  probe::InstalledPackages packages(environment->sitePackages, "x86_64", "3.11", folder.files);
  for (const core::InstalledPackage *package : packages.all()) {
    fuzz::expect(packages.find(package->name) == package);
    packages.requiredBy(*package);
    packages.callsOf(*package);
  }
  probe::InstallerRecords records(folder.files);
  for (const core::InstalledLibrary &library : environment->libraries) {
    packages.ownerOf(library.path);
    records.findIn(environment->sitePackages, library.path);
    records.find(library.path);
  }
}

static const fuzz::Target target("environment", run);
