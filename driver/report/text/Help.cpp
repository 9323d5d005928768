// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Help.h"
#include "driver/core/Settings.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/Format.h"

namespace cudacc::report {

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
  target [--runtime REQ]  print the runtime, resolved to a version per library
    --diff A B              compare two; exit status 1 if they differ
    --check                 print one line if the declaration can be resolved
  config LIB...           print flags for the runtime's libraries, as pkg-config
                          does:
    --cflags, --libs, --rpath
                            headers, files, search path; or --json, --cmake
  init [--dry-run]        write a declaration proposed from the project's files
  check FILE...           check binaries, wheels, folders, fatbins, cubins:
    --runtime REQ           a runtime; repeat it for several; ; joins them
    --against REQ|all       every known torch release and CUDA line in it
    --gpu sm_90, --driver 580.65
                            what it must run on; lists and sm>=80 as well
    --layout=KIND           where the libraries are; overrides the setting
    --deep, --verify        device code in any section; headers and payloads
    --strict                reject what is unknown
    --report FILE.html      write the same as an HTML page
  doctor [FILE|MODULE]... predict what the loader will do here, why, and fixes;
                          without a file: environment, driver, libraries
    --env PATH, --before torch
                            the environment; what is imported first
    --report FILE.html      write the same as an HTML page
  inspect FILE...         print manifest, NEEDED, search path, device code
    --exports, --deep, --verify
  link FILE...            link relocatable device code with nvJitLink or the
                          driver, whichever takes the inputs:
    -o FILE, --arch LIST, --lto, --emit cubin|ptx|ltoir|fatbin
    --for REQ               the output must load there
    --backend, --explain    choose the linker; say why it was chosen
  toolchain DIR           make a directory shaped like a toolkit, with compilers
                          that enforce the runtime:
    --runtime REQ, --toolkit PATH, --host-compiler PATH, --launcher PROGRAM
    --check, --print        check that it still matches; print what it contains
  audit BUILD_DIR         report build steps that bypass cuda-cc (CMake, Meson)
    --prepare               ask CMake to describe its targets first
    --strict                reject what is unknown
  trace -- COMMAND        run it, and report which copy of each CUDA library the
                          loader took and why; the status is the command's
    --module NAME           report only what that module requested
    --output FILE           write the report there, not to stderr
  explain CODE            print the page of a diagnostic: cuda-cc explain CC3001
  explain TEXT | FILE | - explain a message of a loader, of CUDA or of a build,
                          from a text, a log or stdin:
    --runtime REQ           compare with this runtime
  matrix [BUILD]...       build for several runtimes, check each build on all:
    --plan                  print the fewest builds that serve all runtimes
    --runtime REQ, --toolkit PATH, --build COMMAND, --artefact PATTERN
  wheel show WHEEL...     print what is in wheels, what they need, what their
                          metadata lack, on which releases they load
    --verify                compare files with the digests in RECORD
  wheel repair WHEEL      run auditwheel with the right excludes, require in
                          METADATA what the files need, check the result
    -w DIR, --runtime REQ   where it goes; what it must load in
    --requires nvidia|torch|none, --unbundle, --variant
  wheel prove WHEEL       install it with the lowest and the highest versions
                          that its metadata allow, and check that it loads
    --resolution lowest|highest|both, --import MODULE
  trust DIR...            apply declarations in it beyond restrictions, although
                          somebody else owns or can write them
    --list, --remove        print the list; remove directories from it
  completion SHELL        print the completion script for bash, zsh or fish
  help [SUBCOMMAND]       print this text; the page of a subcommand
  version
  target, check, doctor, inspect, link, audit, trace, trust, wheel, explain
  and version take --format=json; check and audit sarif too.

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
  return fmt::format("{}{}\n", line, wrapped(meaning, column, column, limit));
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

std::string help() {
  std::string text = before.str();
  for (const KeyInfo &row : core::allKeys())
    text += option(row);
  text += between;
  for (const KeyInfo &row : core::allKeys())
    if (!row.variable.empty())
      text += variable(row);
  return text + after.str();
}

} // namespace cudacc::report
