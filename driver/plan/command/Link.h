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

/// What a link of the host compiler is made of.
struct LinkParts {
  const core::Invocation *call = nullptr;
  const core::Declaration *declaration = nullptr;
  /// The compiler that is started, launchers in front included; argv[0] first.
  core::Command command;
  /// NVIDIA's libraries on the line.
  llvm::ArrayRef<core::LinkedLibrary> libraries;
  /// Object with the manifest's note; empty: the link goes without.
  std::string noteObject;
  /// Forced header with the record of what the line compiles on the way; empty: none.
  std::string recordHeader;
  /// Search path elements to put in front.
  std::vector<std::string> searchPath;
  /// Beginning of paths for response files that are edited (Edits::scratch).
  std::string scratch;
  /// Files whose SONAMEs the output NEEDs whether it uses them or not (LS-2).
  std::vector<std::string> needed;
  /// Where a program's link finds what the libraries on its line need themselves.
  std::vector<std::string> linkFolders;
};

/// The name by which a manifest object is recognised on a line (R40). It does not end in .o:
/// libtool remembers the objects in what `g++ -v` prints, and would put this one into every link
/// (2.4.7).
inline constexpr llvm::StringLiteral noteObjectSuffix = ".cuda-cc-note";

/// A link already carries our object: another cuda-cc further out does the work (R40).
bool carriesNote(const core::Invocation &call);

/// The path of the output: -o, else the compiler's default.
std::string outputOf(const core::Invocation &call);
/// What the call compiles and what it makes, as written on the line.
std::vector<std::string> filesOf(const core::Invocation &call);

core::Plan planLink(const LinkParts &parts);

} // namespace cudacc::plan
