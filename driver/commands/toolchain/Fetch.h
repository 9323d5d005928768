// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/Declaration.h"
#include "driver/core/FetchPlan.h"
#include "driver/pipeline/System.h"
#include "driver/report/text/Fetch.h"
#include "driver/resolve/FetchPlan.h"

namespace cudacc::commands {

/// A part of a toolkit that a project links.
struct NamedPart {
  /// As `--with` takes it.
  std::string part;
  /// The first place that names it, relative to the project: `CMakeLists.txt:12`.
  std::string place;
};

/// A toolkit for a declaration: what the environment has, or what can be fetched.
struct FetchedToolkit {
  /// The environment's own nvcc; empty if it has none. Then nothing is fetched.
  std::string nvcc;
  core::FetchPlan plan;
  /// Parts that are in it because the project names them.
  std::vector<NamedPart> named;
  std::string folder;
  bool isKept = false, isAccepted = false;
  std::string base;
  /// The lock file: to be written if it did not decide. Empty if there is none.
  std::string lock;
  bool isLocked = false;

  /// Whether nothing is to be fetched.
  bool isHere() const { return isKept || !nvcc.empty(); }
  /// As the setting `toolkit` names it.
  const std::string &place() const { return nvcc.empty() ? folder : nvcc; }
  report::FetchReport report() const;
};

struct FetchOptions {
  /// What the build files of the project name is taken too, unless `none` is in `with`.
  resolve::FetchRequest request;
  /// The user accepts the license in this call.
  bool accepts = false;
  /// Absolute path of a lock file. Empty: none.
  std::string lock;
};

/// What \p declaration takes: what the lock file has for these machines, else what the tables say.
/// Touches no network and writes nothing.
llvm::Expected<FetchedToolkit> planToolkit(pipeline::System &system, cache::Store &store,
                                           const core::Declaration &declaration,
                                           const FetchOptions &options);

/// Fetches it, unless it is kept, and writes the lock file. \p again: the command of this call, for
/// fixes. Errors: LicenseNotAccepted, FetchFailed; nothing that is incomplete is left in its place.
llvm::Error fetchToolkit(pipeline::System &system, FetchedToolkit &toolkit, llvm::StringRef again);

} // namespace cudacc::commands
