// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "driver/core/ToolchainDirectory.h"
#include "llvm/Support/Error.h"

namespace cudacc::commands {

/// What every subcommand gets.
struct Arguments {
  /// Words that are no options.
  std::vector<std::string> words;
  /// `sarif` of `check` and `audit` only.
  bool json = false, sarif = false;
  /// `--runtime`: of `target`, `config` and `init` requirements that hold together, of `check` one
  /// runtime each, in which `;` separates requirements.
  std::vector<std::string> runtime;
  /// `--gpu` and `--driver` of `check`.
  std::vector<std::string> gpu;
  std::optional<std::string> driver;
  /// `--layout` of `check`: a value of the setting, which it beats.
  std::optional<std::string> layout;
  /// `--against` of `check`: `all`, and requirements that stand for every known release in them.
  bool againstAll = false;
  std::vector<std::string> against;
  /// `--min-accepted` of `check`: so many of the rows must accept.
  std::optional<unsigned> minAccepted;
  bool deep = false, verify = false, strict = false;
  /// `--only cuda` of `check`: what is missing and none of CUDA's is a remark.
  bool onlyCuda = false;
  /// Of `inspect`.
  bool exports = false;
  /// `--diff` of `target`: two words, each a declaration.
  bool diff = false;
  /// Of `config`: what is printed.
  bool cflags = false, libs = false, rpath = false, cmake = false;
  /// Of `init`.
  bool dryRun = false;
  /// Of `toolchain`.
  std::optional<std::string> toolkit, hostCompiler;
  std::vector<std::string> launcher;
  bool check = false, print = false;
  /// Of `audit`.
  bool prepare = false;
  /// Of `trace`, whose words are the command.
  std::optional<std::string> module, output;
  /// `--env` of `doctor`; `--before` of `doctor` and `check`: modules that are imported first.
  std::optional<std::string> environment;
  std::vector<std::string> before;
  /// Of `trust`: what is done instead of adding.
  bool list = false, remove = false;
  /// `--report` of `check` and `doctor`: where the page goes.
  std::optional<std::string> report;
  /// `--help` or `-h`: nothing else is done.
  bool help = false;
  core::OwnOptions own;
  /// The toolchain directory that cuda-cc was called in; null: none.
  const core::ToolchainDirectory *directory = nullptr;

  bool isAgainst() const { return againstAll || !against.empty(); }
};

/// The options are `--name=value` or `--name value`; `--` ends them. Error: Usage.
llvm::Expected<Arguments> readArguments(const core::Invocation &call,
                                        const core::ToolchainDirectory *directory);

/// A wrong call, for which the help is the fix.
llvm::Error usageError(std::string message);

} // namespace cudacc::commands
