#pragma once

#include "driver/config/Config.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Invocation.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/pipeline/Colours.h"
#include "driver/pipeline/System.h"
#include "driver/report/text/Layout.h"

namespace cudacc::report {
struct HtmlReport;
}

namespace cudacc::commands {

/// Runs the subcommand of \p call; exit status.
int run(pipeline::System &system, const core::Invocation &call,
        const core::ToolchainDirectory *directory);
/// \p status of a call that has printed all it has to say, unless stdout could not be written: then
/// that is told, and the status is 4.
int checkOutput(pipeline::System &system, int status);

/// Works without what a toolchain directory declares, as `trust`, which is the way on.
bool asksNoDeclaration(llvm::StringRef tool);

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
  /// `--exports` of `inspect`.
  bool exports = false;
  /// `--diff` of `target`: two words, each a declaration.
  bool diff = false;
  /// Of `config`: what is printed.
  bool cflags = false, libs = false, rpath = false, cmake = false;
  /// `--dry-run` of `init`.
  bool dryRun = false;
  /// `--toolkit`, `--host-compiler` and `--launcher` of `toolchain`, its `--check` and `--print`.
  std::optional<std::string> toolkit, hostCompiler;
  std::vector<std::string> launcher;
  bool check = false, print = false;
  /// `--prepare` of `audit`.
  bool prepare = false;
  /// `--module` and `--output` of `trace`, whose words are the command.
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
};

int version(pipeline::System &system, const Arguments &arguments);
int explain(pipeline::System &system, const Arguments &arguments,
            const core::ToolchainDirectory *directory);
int inspect(pipeline::System &system, const Arguments &arguments);
int doctor(pipeline::System &system, const Arguments &arguments);
int check(pipeline::System &system, const Arguments &arguments,
          const core::ToolchainDirectory *directory);
int audit(pipeline::System &system, const Arguments &arguments,
          const core::ToolchainDirectory *directory);
int toolchain(pipeline::System &system, const Arguments &arguments,
              const core::ToolchainDirectory *directory);
int target(pipeline::System &system, const Arguments &arguments,
           const core::ToolchainDirectory *directory);
int config(pipeline::System &system, const Arguments &arguments,
           const core::ToolchainDirectory *directory);
int init(pipeline::System &system, const Arguments &arguments,
         const core::ToolchainDirectory *directory);
int trace(pipeline::System &system, const Arguments &arguments);
int trust(pipeline::System &system, const Arguments &arguments);

/// The declaration of a subcommand that takes `--runtime`, which goes before all others. Error:
/// whatever reading brings, and Usage where nothing is declared.
llvm::Expected<core::Declaration> declarationOf(pipeline::System &system,
                                                const Arguments &arguments,
                                                const core::ToolchainDirectory *directory,
                                                llvm::StringRef example,
                                                config::SearchNotes *notes = nullptr);

/// Why what lies at \p path is not to be replaced: it is read-only. root could all the same, and
/// would not mean to.
std::optional<core::Finding> readOnly(pipeline::System &system, const std::string &path);
/// Why what lies at \p path would not be replaced by a page: it is a file, and no page.
std::optional<core::Finding> notReplaced(pipeline::System &system, llvm::StringRef path);
/// Writes the page that `--report` asks for. \p status, or that of the error that was told.
int writeReport(pipeline::System &system, const Arguments &arguments,
                const report::HtmlReport &page, int status);
/// Prints the finding; its exit status.
int stop(pipeline::System &system, const core::Finding &finding);

/// A declaration that a toolkit on this machine can build for, for ways out.
std::string runtimeForHere(pipeline::System &system);

} // namespace cudacc::commands
