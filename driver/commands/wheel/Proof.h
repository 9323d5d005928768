// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Judgement.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// A wheel installed with one resolution of its requirements.
struct Proof {
  /// `lowest`, `highest`.
  std::string resolution;
  /// Extras that were installed with it: `cu12`, `cu12,test`. Empty if none were.
  std::string extra;
  /// Requirements of which the lowest versions were asked for, as in the metadata; or
  /// `name==version` by pip, which has to be given the versions. Empty for the highest.
  std::vector<std::string> lowered;
  /// Distributions of torch and NVIDIA in the environment, and their versions.
  std::vector<std::pair<std::string, std::string>> installed;
  /// One per file.
  std::vector<core::Judgement> judgements;
  struct Import {
    std::string module;
    bool works = false;
  };
  std::vector<Import> imports;
  /// Why there is no environment, and modules that cannot be imported.
  std::vector<core::Finding> findings;

  core::Outcome outcome() const;
  /// `lowest`, `lowest [cu12]`.
  std::string name() const;
};

/// The worst of all.
core::Outcome outcomeOf(llvm::ArrayRef<Proof> proofs);

std::string proofText(llvm::StringRef wheel, llvm::ArrayRef<Proof> proofs,
                      report::Style style = {});
/// docs/schema/wheel-prove.json.
llvm::json::Value proofJson(llvm::StringRef wheel, llvm::ArrayRef<Proof> proofs);

} // namespace cudacc::commands
