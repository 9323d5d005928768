// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Invocation.h"
#include "driver/core/LinkedLibrary.h"
#include "driver/core/Plan.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <utility>
#include <vector>

namespace cudacc::plan {

/// The parts of a host compiler's link.
struct LinkParts {
  const core::Invocation *call = nullptr;
  const core::Declaration *declaration = nullptr;
  /// The compiler to start, including launchers, and its argv up to the caller's arguments.
  core::Command command;
  /// NVIDIA's libraries on the command line.
  llvm::ArrayRef<core::LinkedLibrary> libraries;
  /// Object with the manifest's note; empty if the link gets none.
  std::string noteObject;
  /// Header with the record of the sources that this link also compiles, added by -include; empty
  /// if none.
  std::string recordHeader;
  /// Search path elements to add in front.
  std::vector<std::string> searchPath;
  /// Path prefix for edited response files (Edits::scratch).
  std::string scratch;
  /// Files whose SONAMEs the output must NEED, whether or not it uses them (LS-2).
  std::vector<std::string> needed;
  /// Directories in which the link of a program finds the NEEDED libraries of its libraries.
  std::vector<std::string> linkFolders;
};

/// Suffix by which a manifest object is recognised on a command line (R40). It is not .o, because
/// libtool would take the object from the output of `g++ -v` and add it to every link (2.4.7).
inline constexpr llvm::StringLiteral noteObjectSuffix = ".cuda-cc-note";

/// The link already has a manifest object: an outer cuda-cc does the work (R40).
bool carriesNote(const core::Invocation &call);

/// The path of the output: -o, else the compiler's default.
std::string outputOf(const core::Invocation &call);
/// The sources and the output, as written on the command line.
std::vector<std::string> filesOf(const core::Invocation &call);

core::Plan planLink(const LinkParts &parts);

} // namespace cudacc::plan
