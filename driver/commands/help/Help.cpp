// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/help/Help.h"
#include "driver/commands/Subcommands.h"
#include "driver/core/Settings.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using core::KeyInfo;

static constexpr llvm::StringLiteral before =
    R"(cuda-cc: enforce a declared CUDA runtime on every compile and link

  cuda-cc --cudacc-runtime=torch==2.5.1 g++ -shared -fPIC ext.cpp -o ext.so
  cuda-cc toolchain build/cuda --runtime env:.venv
  cuda-cc check dist/*.whl --against all
  cuda-cc doctor pkg._C --before torch

usage:
  cuda-cc ARGS...             nvcc with the runtime enforced
  cuda-cc COMPILER ARGS...    the same for gcc, g++, clang, clang++, nvcc, ...
  cuda-cc ccache g++ ARGS...  launchers in front of the compiler stay in front
  cuda-cc SUBCOMMAND ...
  A copy under a compiler's name acts as that compiler.

subcommands:
)";

static constexpr llvm::StringLiteral options =
    R"(  The page of a subcommand has its options: cuda-cc help SUBCOMMAND

options, anywhere on the line; all others go to the compiler untouched:
)";

static constexpr llvm::StringLiteral between =
    R"(  --cudacc-print=STAGE         print one stage as JSON and stop: invocation,
                               target, toolkit, verdict, plan, facts
  --cudacc-help                this text

All but print and help are keys of cuda-cc.toml, without
--cudacc-, or of [tool.cuda-cc] in pyproject.toml; the nearest file upward
counts. An option overrides a variable, a variable overrides a file.

environment:
)";

static constexpr llvm::StringLiteral after = R"(  CUDA_CC_PRINT=STAGE        like --cudacc-print
  CUDA_CC_TRUST=PATH[:PATH]  like cuda-cc trust, for this call only
  CUDA_CC_LOG=FILE           append one JSON line per call: what was decided
                             and why
  CUDA_CC_DISABLE=1          pass everything through, unless a runtime is
                             required
  NO_COLOR, TERM=dumb        no colours
  CI, TERM=dumb              no progress on a terminal

exit status: that of the compiler, or 2 usage, 3 rejected, 4 a required fact
could not be determined, 70 a defect in cuda-cc
)";

static constexpr llvm::StringLiteral shortText =
    R"(cuda-cc: enforce a declared CUDA runtime on every compile and link

  cuda-cc --cudacc-runtime=torch==2.5.1 -c kernel.cu
                            compile with nvcc; or put cuda-cc before g++
  cuda-cc check dist/*.whl --against all
                            judge binaries against the known runtimes
  cuda-cc explain 'undefined symbol: __nvJitLinkCreate_12_5'
                            explain an error message

cuda-cc help                print subcommands, settings and variables
cuda-cc help SUBCOMMAND     print the page of a subcommand
)";

llvm::StringRef shortHelp() { return shortText; }

/// A width that every terminal has.
static constexpr unsigned limit = 80;

/// A term and its meaning, in column \p column or below the term.
static std::string entry(llvm::StringRef term, llvm::StringRef meaning, unsigned column) {
  std::string line = fmt::format("  {}", term);
  if (line.size() + 2 > column)
    line += "\n" + std::string(column, ' ');
  else
    line.append(column - line.size(), ' ');
  return fmt::format("{}{}\n", line, report::wrapped(meaning, column, column, limit));
}

static std::string option(const KeyInfo &row) {
  std::string name = row.optionName();
  if (row.option == KeyInfo::Option::Joined)
    name += fmt::format("={}", row.placeholder);
  return entry(name, row.help, 31);
}

static std::string variable(const KeyInfo &row) {
  llvm::StringRef value = row.isList() ? llvm::StringRef("LIST") : llvm::StringRef(row.placeholder);
  std::string meaning = "like " + row.optionName();
  if (row.isList())
    meaning += "; several are separated by ;";
  return entry(fmt::format("{}={}", row.variable, value), meaning, 29);
}

llvm::StringRef helpPage(llvm::StringRef subcommand) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> pages[] = {
#include "HelpPages.inc"
  };
  for (const auto &[name, text] : pages)
    if (name == subcommand)
      return text;
  return {};
}

llvm::StringRef titleOf(llvm::StringRef subcommand) {
  return helpPage(subcommand).split('\n').first.split(": ").second;
}

std::string help() {
  std::string text = before.str();
  for (const Subcommand &row : subcommands())
    text += entry(fmt::format("{}{}{}", row.name, row.form.empty() ? "" : " ", row.form),
                  titleOf(row.name), 26);
  text += options;
  for (const KeyInfo &row : core::allKeys())
    text += option(row);
  text += between;
  for (const KeyInfo &row : core::allKeys())
    if (!row.variable.empty())
      text += variable(row);
  return text + after.str();
}

} // namespace cudacc::commands
