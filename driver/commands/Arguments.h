// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "driver/core/ToolchainDirectory.h"
#include "llvm/Support/Error.h"

namespace cudacc::commands {

/// The parsed command line of a subcommand.
struct Arguments {
  /// Positional arguments.
  std::vector<std::string> words;
  /// `--format`; `sarif` only for `check`, `audit` and `matrix`.
  bool json = false, sarif = false;
  /// `--runtime`. For `check`, one runtime per element, its requirements separated by `;`; for
  /// other subcommands, requirements that must all hold.
  std::vector<std::string> runtime;
  /// `--gpu` and `--driver` of `check`.
  std::vector<std::string> gpu;
  std::optional<std::string> driver;
  /// `--layout` of `check`; overrides the setting `layout`.
  std::optional<std::string> layout;
  /// `--against` of `check`: `all`, and requirements that stand for every known release they match.
  bool againstAll = false;
  std::vector<std::string> against;
  /// `--min-accepted` of `check`: the number of rows that must be accepted.
  std::optional<unsigned> minAccepted;
  bool deep = false, verify = false, strict = false;
  /// `--relink` of `check`: link PTX and LTO-IR with the runtime's nvJitLink.
  bool relink = false;
  /// `--require-manifest` of `check`: a file that uses CUDA has to carry one.
  bool requireManifest = false;
  /// `--only cuda` of `check`: findings that do not concern CUDA's own libraries become remarks.
  bool onlyCuda = false;
  /// `--exports` of `inspect`.
  bool exports = false;
  /// `--diff` of `target`: `words` holds the two declarations.
  bool diff = false;
  /// Of `config`: what to print.
  bool cflags = false, libs = false, rpath = false, cmake = false;
  /// `--dry-run` of `init`.
  bool dryRun = false;
  /// Of `toolchain`; `--check` of `target` too.
  std::optional<std::string> toolkit, hostCompiler;
  std::vector<std::string> launcher;
  bool check = false, print = false;
  /// `--prepare` of `audit`.
  bool prepare = false;
  /// Of `trace`; `words` holds the command to run.
  std::optional<std::string> module, output;
  /// `--env` of `doctor`; `--before` of `doctor`, `check` and `wheel`: modules to import first.
  std::optional<std::string> environment;
  std::vector<std::string> before;
  /// `--as-here` of `doctor` and `check`: what this machine has of CUDA counts beside the
  /// environment.
  bool asHere = false;
  /// Of `wheel`: `-w`, `--requires`, `--unbundle` and `--variant` of `repair`.
  std::optional<std::string> wheelDir, wheelRequires;
  bool unbundle = false, variant = false;
  /// `--exclude` of `wheel repair`: further NEEDED names that others bring.
  std::vector<std::string> exclude;
  /// Of `wheel`: `--resolution`, `--python`, `--import` and `--extra` of `prove`, whose `--before`
  /// is in `before`.
  std::string resolution = "both";
  std::optional<std::string> python;
  std::vector<std::string> imports, extras;
  /// Of `trust`: what to do instead of adding directories.
  bool list = false, remove = false;
  /// `--complete` of `completion`: `words` are those of a command line up to the cursor.
  bool complete = false;
  /// The options of `link` except `--for`, and those of `matrix` that no other subcommand has, in
  /// order, with their values (link/LinkRequest.h and matrix/MatrixRequest.h read them).
  std::vector<std::pair<std::string, std::string>> kept;
  /// `--report` of `check`, `doctor` and `matrix`: path of the HTML page.
  std::optional<std::string> report;
  /// `--help` or `-h`: print the help and do nothing else.
  bool help = false;
  core::OwnOptions own;
  /// The toolchain directory that cuda-cc was called in; null if none.
  const core::ToolchainDirectory *directory = nullptr;

  bool isAgainst() const { return againstAll || !against.empty(); }
};

/// Options are written `--name=value` or `--name value`, `-o` only the latter; `--` ends them.
/// Errors: Usage.
llvm::Expected<Arguments> readArguments(const core::Invocation &call,
                                        const core::ToolchainDirectory *directory);

/// An option of a subcommand.
struct OptionInfo {
  llvm::StringRef name;
  /// The values that completion offers, separated by blanks: words as they are, or the name of a
  /// kind of value in capitals (completion/Values.h), alone or after a word that ends in a colon:
  /// `text json`, `all REQ`, `system:PATH`. Of a flag: the words that the subcommand takes with it.
  llvm::StringRef values;
  bool takesValue = false;
};

/// The options of a subcommand, without `--help`.
std::vector<OptionInfo> optionsOf(llvm::StringRef tool);

/// A Usage error whose fix is `cuda-cc help`.
llvm::Error usageError(std::string message);

} // namespace cudacc::commands
