#include "driver/report/Help.h"

llvm::StringRef cudacc::report::help() {
  return R"(cuda-cc holds every compile and every link to the CUDA runtime you declare.

usage:
  cuda-cc ARGS...             nvcc with the runtime enforced
  cuda-cc COMPILER ARGS...    the same for gcc, g++, clang, clang++, nvcc, ...
  cuda-cc ccache g++ ARGS...  launchers in front of the compiler stay in front
  cuda-cc SUBCOMMAND ...
  Installed under a compiler's name it stands for that compiler.

subcommands:
  target [--runtime REQ]  the runtime, resolved to a version per library
    --diff A B              two of them: exit status 0 equal, 1 different
  config LIB...           flags for the runtime's libraries, as of pkg-config:
    --cflags, --libs, --rpath
                            headers, files, search path; or --json, --cmake
  init [--dry-run]        writes a declaration from what the project says
  check FILE...           judges binaries, wheels, folders, fatbins, cubins:
    --runtime REQ           one of them; may be repeated; ; joins requirements
    --against REQ|all       every known torch release and CUDA line in it
    --gpu sm_90, --driver 580.65
                            what it must run on; lists and sm>=80 as well
    --layout=KIND           how the runtime's libraries lie; beats the setting
    --deep, --verify        device code in any section; headers and payloads
    --strict                unknown is rejected
    --report FILE.html      the same as a page for a browser
  doctor [FILE|MODULE]... what the loader will say here, why, and what helps;
                          without a file: environment, driver, libraries
    --env PATH, --before torch
                            the environment; what is imported first
    --report FILE.html      the same as a page for a browser
  inspect FILE...         manifest, needed libraries, search path, device code
    --exports, --deep, --verify
  toolchain DIR           makes a directory shaped like a toolkit, whose
                          compilers hold every build in it to the runtime:
    --runtime REQ, --toolkit PATH, --host-compiler PATH, --launcher PROGRAM
    --check, --print        whether it still matches; what it would hold
  audit BUILD_DIR         what of a CMake or Meson build goes round the runtime
    --prepare               asks CMake to describe its targets first
    --strict                unknown is rejected
  trace -- COMMAND        runs it, and says which copy of each CUDA library the
                          loader took and why; the status is the command's
    --module NAME           only what that module asked for
    --output FILE           the report there, not on stderr
  explain CODE            the page of a diagnostic: cuda-cc explain CC3001
  explain TEXT | FILE | - what a message of a loader, of CUDA or of a build
                          means, from a text, a log or stdin:
    --runtime REQ           what the ways out are held against
  trust DIR...            obey what declarations in it say beyond restricting,
                          though somebody else owns or can write them
    --list, --remove        show the list; take directories out of it
  help [SUBCOMMAND]       this text; the page of a subcommand
  version
  target, check, doctor, inspect, audit, trace, trust, explain and version
  take --format=json; check and audit sarif too.

options, anywhere on the line; all others go to the compiler untouched:
  --cudacc-runtime=REQ         what the result will run on; may be repeated:
                               torch==2.5.1, torch>=2.5,<2.8, cuda==12.4
  --cudacc-enforce=MODE        toolkit (default): refuse a toolkit newer than
                               the runtime; warn: say so only; off: do not look
  --cudacc-require             an undeclared runtime is an error
  --cudacc-toolkit=PATH        a toolkit's directory or its nvcc; or auto, or
                               env: the one in the environment
  --cudacc-host-compiler=PATH  what nvcc uses where the line has no -ccbin
  --cudacc-launcher=PROGRAM    what stands in front of compiles: ccache, distcc;
                               given again: words of its own; none: nothing
  --cudacc-install-dir=DIR     where the result will lie, relative to
                               site-packages
  --cudacc-layout=KIND         how the runtime is laid out: wheels, conda,
                               system:PATH, none
  --cudacc-dtags=TAG           search path as rpath or runpath
  --cudacc-facts=FILE          releases that cuda-cc does not know yet
  --cudacc-severity=CODE=SEVERITY
                               error, warning or remark for a rule; may be
                               repeated: CC4102=error
  --cudacc-waive='CODE WHAT: REASON'
                               what a rule finds there does not count: a
                               library, symbol, file, or everything
  --cudacc-assume-forward-compatibility
                               a driver that is too old is no error
  --cudacc-strict              what cannot be learnt is rejected
  --cudacc-develop             built in place: the environment's own
                               directories are in the search path
  --cudacc-manifest=WHEN       which links get a manifest: declared, always,
                               never; --cudacc-no-manifest: never
  --cudacc-print=STAGE         print one stage as JSON and stop: invocation,
                               target, toolkit, verdict, plan, facts
  --cudacc-help                this text

All but print and help are keys of cuda-cc.toml, without
--cudacc-, or of [tool.cuda-cc] in pyproject.toml; the nearest file upward
counts. An option beats a variable, a variable beats a file.

environment:
  CUDA_CC_RUNTIME            like --cudacc-runtime; several are separated by ;
  CUDA_CC_REQUIRE_RUNTIME=1  like --cudacc-require
  CUDA_CC_ENFORCE=MODE       like --cudacc-enforce
  CUDA_CC_TOOLKIT=PATH       like --cudacc-toolkit
  CUDA_CC_LAUNCHER=LIST      like --cudacc-launcher; several are separated by ;
  CUDA_CC_FACTS=FILE         like --cudacc-facts
  CUDA_CC_SEVERITY=LIST      like --cudacc-severity; several are separated by ;
  CUDA_CC_STRICT=1           like --cudacc-strict
  CUDA_CC_DEVELOP=1          like --cudacc-develop
  CUDA_CC_MANIFEST=WHEN      like --cudacc-manifest
  CUDA_CC_PRINT=STAGE        like --cudacc-print
  CUDA_CC_TRUST=PATH[:PATH]  as cuda-cc trust, for this call alone
  CUDA_CC_LOG=FILE           append one JSON line per call: what was decided
                             and why
  CUDA_CC_DISABLE=1          pass everything through, unless a runtime is
                             required
  NO_COLOR                   no colours

exit status: that of the compiler, or 2 usage, 3 rejected, 4 a fact could not
be learnt, 70 a defect in cuda-cc
)";
}
