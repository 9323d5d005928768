// SPDX-License-Identifier: Apache-2.0
// The help page of each subcommand, printed by `cuda-cc SUBCOMMAND --help`.
#include "driver/report/text/Help.h"
#include "driver/report/text/MatrixHelp.h"
#include "driver/report/text/WheelHelp.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::report {

static constexpr HelpPage pages[] = {
    {"target", R"(cuda-cc target: print what a declaration resolves to

  cuda-cc target --runtime torch==2.5.1
  cuda-cc target --runtime env:.venv --format=json
  cuda-cc target --diff torch==2.5.1 torch==2.7.0
  cuda-cc target --check

Print the runtime as a version per library, with where each version comes from,
the driver it needs, declared GPUs, the layout of its libraries, and the facts
package if one is in use. Without --runtime: what is declared here.

options:
  --runtime REQ         a requirement; repeat it for several that hold together
  --diff                compare two declarations; in each, ; joins requirements
  --check               print one line: the declaration can be resolved
  --format=text|json    text (default), or JSON: docs/schema
  -h, --help            print this page

exit status:
  0  resolved; with --diff: equal
  1  with --diff: different
  2  usage; 3 requirements exclude each other;
  4  a required fact could not be determined
)"},
    {"check", R"(cuda-cc check: judge binaries against runtimes

  cuda-cc check ext.so --runtime torch==2.5.1
  cuda-cc check dist/*.whl --against all
  cuda-cc check dist/*.whl --against 'torch>=2.9,<2.12'
  cuda-cc check build/main --runtime cuda==13.0 --layout=system:/usr/local/cuda/lib64
  cuda-cc check kernels.fatbin --runtime cuda==12.4 --gpu sm_90 --driver 550.54

Judge shared objects, programs, objects, archives, wheels, folders and files of
device code (fatbin, cubin, PTX, LTO-IR): imports, search path, device code,
manifest. Without --runtime: what is declared here, else what the manifest names.

options:
  --runtime REQ         a runtime; repeat it for several; ; joins requirements
  --against REQ         every known release in it: 'torch>=2.9,<2.12',
                        'torch==2.10.*', 'cuda>=12.4'; repeat it for several
  --against all         every known torch release and CUDA line: a table to read
  --min-accepted N      with --against: succeed where N rows accept
  --before MODULE       judge as if Python had imported this first, in an
                        environment; repeat it
  --as-here             count what this machine has of CUDA beside an environment
  --only cuda           pass over libraries that are not CUDA's
  --gpu LIST            must run on these: sm_90, 80,90a, sm>=80
  --driver VERSION      must run with this driver: 580.65
  --layout=KIND         how the runtime's libraries lie: wheels (default),
                        system:PATH, conda, none; beats the setting
  --relink              link PTX and LTO-IR with the nvJitLink of the runtime, an
                        environment, for each declared GPU that needs them
  --require-manifest    reject files that use CUDA and that cuda-cc did not link
  --deep                search every section for device code, open all of it
  --verify              compare headers of device code with their payloads
  --strict              reject what is unknown
  --report FILE.html    write the same as a page for a browser
  --format=text|json|sarif
                        text (default), JSON (docs/schema), SARIF 2.1.0
  -h, --help            print this page

exit status:
  0  accept; 3 reject, which beats unknown; 4 unknown; 2 usage
  With --against REQ every row has to accept, with --against all one of them.
  Rows that the metadata of the wheel excludes count neither way.
)"},
    {"inspect", R"(cuda-cc inspect: print the facts of a binary

  cuda-cc inspect ext.so
  cuda-cc inspect dist/*.whl --format=json
  cuda-cc inspect kernels.cubin

Print manifest, needed libraries, search path, imports and device code of shared
objects, programs, objects, archives, wheels, folders and files of device code.
Nothing is judged.

options:
  --exports             list exported symbols
  --deep                search every section for device code, open all of it
  --verify              compare headers of device code with their payloads
  --format=text|json    text (default), or JSON: docs/schema
  -h, --help            print this page

exit status:
  0  every file was read
  3  a file is cut off (CC4123)
  4  a file could not be read; 2 usage
)"},
    {"link", R"(cuda-cc link: link device code with nvJitLink or the driver

  cuda-cc link --arch sm_90 -o kernels.cubin a.o b.o
  cuda-cc link --arch sm_80,sm_90 --lto -o kernels.fatbin a.o libb.a
  cuda-cc link --for torch==2.5.1 --explain kernels.ptx

Link cubins, PTX, LTO-IR, fatbins, objects, archives and libraries with device
code of nvcc -dc; - is stdin. nvJitLink is that of the runtime's environment, else
the toolkit's, else the system's. Which linker takes the inputs is decided for
each link, by versions of inputs, nvJitLink and driver.

options:
  -o FILE               write it there; - is stdout; default: a.cubin, a.ptx,
                        a.ltoir or a.fatbin
  --output FILE         the same
  --arch LIST           sm_90, or sm_80,sm_90a for a fatbin; default: the declared
                        GPUs, else what the inputs are for
  --emit KIND           cubin (default), ptx, ltoir or fatbin
  --for REQ             the runtime that the output must load on; repeat it
  --backend NAME        auto (default), nvjitlink or driver
  --policy NAME         direction-aware (default) or cuda-core-1911
  --explain             print what both policies decide, and why
  --lto                 optimise at link time; on if an input is LTO-IR
  -g                    keep debug information
  --lineinfo            keep line numbers
  --optimize N          0 or 3
  --maxrregcount N      registers per thread
  --ptxas-options LIST  for ptxas, separated by commas
  --split-compile N     threads for parts of the code; 0: all cores
  --split-compile-extended N
                        the same for link-time optimisation, splitting more
  --kernels-used LIST   remove all other kernels
  --variables-used LIST
                        remove all other variables
  --optimize-unused-variables
                        remove variables that device code does not use
  --ftz BOOL            true or false: flush denormals to zero
  --prec-div BOOL       divide exactly
  --prec-sqrt BOOL      take square roots exactly
  --fmad BOOL           contract multiplication and addition
  --time                print times
  --verbose             print the linker's own messages
  --format=text|json    text (default), or JSON: docs/schema
  -h, --help            print this page

exit status:
  0  linked
  2  usage, or an input that cannot be linked; 3 refused;
  4  a required fact could not be determined
)"},
    {"config", R"(cuda-cc config: print flags for the runtime's libraries, as pkg-config does

  g++ -shared -fPIC ext.cpp -o ext.so $(cuda-cc config --cflags --libs --rpath nvJitLink)
  cuda-cc config --cmake cusparse > cuda.cmake

Name libraries as -l does. They are those of the declared environment, or of a
toolkit of the declared line.

options:
  --cflags              print -I of their headers
  --libs                print the files to link
  --rpath               print the search path to them
  --cmake               print CMake targets cuda_cc::LIB instead
  --json                print the flags as JSON instead
  --runtime REQ         a requirement; repeat it for several that hold together
  --format=text|json    text (default); json is --json
  -h, --help            print this page

exit status:
  0  printed; 2 usage; 3 the runtime does not have the library;
  4  a required fact could not be determined
)"},
    {"init", R"(cuda-cc init: write a declaration from what the project says

  cuda-cc init --dry-run
  cuda-cc init
  cuda-cc init --runtime torch==2.5.1

Propose a runtime from pyproject.toml, then locks, then the environment; print
why and what else is possible; append it to pyproject.toml, else to
cuda-cc.toml. Never change an existing declaration.

options:
  --dry-run             print only
  --runtime REQ         write this one; repeat it for several
  --format=text|json    text (default), or JSON
  -h, --help            print this page

exit status:
  0  written, or proposed; 2 usage, declared already, or nothing says what the
     runtime is; 4 a file could not be read
)"},
    {"cache", R"(cuda-cc cache: list or remove the toolkits that were fetched

  cuda-cc cache list
  cuda-cc cache prune cuda-12.4.1-x86_64-30e6022cd2ca
  cuda-cc cache dir

They are kept by `toolchain --fetch`; toolchain directories have links to them.

options:
  list                  print each with its size
  prune [KEY...]        remove these, or all, and interrupted downloads
  dir                   print the folder
  --format=text|json    text (default), or JSON: docs/schema
  -h, --help            print this page

exit status:
  0  done; 2 usage; 4 a folder cannot be changed
)"},
    {"toolchain", R"(cuda-cc toolchain: make a directory shaped like a toolkit

  cuda-cc toolchain build/cuda --runtime env:.venv
  cuda-cc toolchain build/cuda --runtime torch==2.11.0 --fetch
  cuda-cc toolchain --check build/cuda
  cuda-cc toolchain build/arm --runtime cuda==12.4 \
      --host-compiler aarch64-linux-gnu-g++

Its compilers are cuda-cc, with the runtime fixed inside; activate, CMake and
Meson files lie beside them: docs/toolchain.md.

options:
  --runtime REQ         a requirement; repeat it for several that hold together
  --toolkit PATH        the toolkit behind it: a directory, its nvcc, auto, env,
                        fetch
  --host-compiler PATH  the host compiler behind it
  --launcher PROGRAM    put this in front of compiles: ccache; repeat it for
                        words of its own
  --fetch               fetch a toolkit that serves the runtime, once; with
                        --print only show what: docs/toolchain.md
  --nvcc VERSION        with --fetch: this minor of nvcc, not the newest
  --with LIB            with --fetch: also cublas, cusparse, ...; or all;
                        none: not even what build files here name
  --add LIB             add it to DIR, which was made with --fetch
  --lock FILE           with --fetch: take only what FILE names; write it first
  --accept-license      with --fetch: accept NVIDIA's license, once
  --check               check whether DIR still matches what it was made from
  --print               print what DIR would hold, write nothing
  --format=text|json    text (default), or JSON: docs/schema
  -h, --help            print this page

exit status:
  0  made, or up to date; 2 usage; 3 rejected, or DIR does not match;
  4  a required fact could not be determined
)"},
    {"audit", R"(cuda-cc audit: report build steps that bypass cuda-cc

  cuda-cc audit --prepare build && cmake -S . -B build
  cuda-cc audit build

Read the description that CMake or Meson wrote of a build, and report compiles,
device links, links, artefacts and installations that bypass the runtime, by
target and line: docs/audit.md.

options:
  --prepare             ask CMake to describe its targets, before it runs
  --strict              reject what is unknown
  --format=text|json|sarif
                        text (default), JSON (docs/schema), SARIF 2.1.0
  -h, --help            print this page

exit status:
  0  none; 3 at least one; 4 a required fact could not be determined; 2 usage
)"},
    {"doctor", R"(cuda-cc doctor: predict what the loader does here, and what helps

  cuda-cc doctor pkg._C --before torch
  cuda-cc doctor build/ext.so --env .venv
  cuda-cc doctor

Give files or Python modules; without one, print environment, driver and CUDA
libraries. Fixes are tried in a simulation before they are printed. Python is
never run: docs/doctor.md.

options:
  --env PATH            the environment; default: VIRTUAL_ENV, CONDA_PREFIX
  --before MODULE       a module that is imported first; may be repeated
  --as-here             count what this machine has of CUDA beside the environment
  --strict              reject what is unknown
  --report FILE.html    write the same as a page for a browser
  --format=text|json    text (default), or JSON: docs/schema
  -h, --help            print this page

exit status:
  0  loads; 3 does not load; 4 a required fact could not be determined;
  2  usage, or a file that is never loaded
)"},
    {"trace", R"(cuda-cc trace: show which copy of each CUDA library a command loads

  cuda-cc trace -- python -c 'import torch, ext'
  cuda-cc trace --module ext --output trace.txt -- python app.py

Run the command under the loader's audit interface, children included. Report
who asked for a library, where it was searched, which copy was taken and why,
which symbols it lacks: docs/trace.md.

options, in front of the command:
  --module NAME         report only what this module asked for
  --output FILE         write the report there, not to stderr
  --format=text|json    text (default), or JSON: docs/schema
  -h, --help            print this page

exit status: that of the command; 126 or 127: it could not be started; 2 usage
)"},
    {"explain", R"(cuda-cc explain: explain a diagnostic or an error message

  cuda-cc explain CC3001
  cuda-cc explain 'undefined symbol: __nvJitLinkCreate_12_5'
  pytest 2>&1 | cuda-cc explain -

Print the page of a code; or what messages of the loader, CUDA, nvcc or torch's
extension build mean, from a text, a log file or stdin: docs/explain.md.

options:
  --runtime REQ         hold the fixes against this runtime
  --format=text|json    text (default), or JSON: docs/schema
  -h, --help            print this page

exit status:
  0  explained; 2 usage; 4 nothing in the text is known
)"},
    {"trust", R"(cuda-cc trust: let the declarations of somebody else's directory count

  cuda-cc trust /mnt/src
  cuda-cc trust --list
  cuda-cc trust --remove /mnt/src

A declaration that others can write counts only as far as it restricts. Put its
directory, or several, on your own list, and what it says more is obeyed too,
there and below: docs/trust.md. CUDA_CC_TRUST=DIR[:DIR] does so for one call.

options:
  --list                print the list
  --remove              take the directories off the list
  --format=text|json    text (default), or JSON: docs/schema
  -h, --help            print this page

exit status:
  0  done; 2 usage; 4 the list cannot be read or written
)"},
    {"matrix", matrixHelp},
    {"wheel", wheelHelp},
    {"completion", R"(cuda-cc completion: print the completion script for a shell

  cuda-cc completion bash > ~/.local/share/bash-completion/completions/cuda-cc
  cuda-cc completion zsh > ~/.zfunc/_cuda-cc
  cuda-cc completion fish > ~/.config/fish/completions/cuda-cc.fish

The script calls cuda-cc for what may follow: subcommands, options, settings,
runtimes, codes. So it fits every later version: docs/install.md.

options:
  --complete            print what may stand in place of the last word of a
                        line: cuda-cc completion --complete -- check --ru
  --format=text|json    accepted; scripts are text
  -h, --help            print this page

exit status: 0; 2 usage
)"},
    {"version", R"(cuda-cc version: print the version

  cuda-cc version --format=json

Print the version of the program, and the release of the data on CUDA and torch
releases: built in, or that of a newer facts package (pip install cuda-cc-facts)
beside the program, in the active environment, or named by CUDA_CC_FACTS.

options:
  --format=text|json    text (default), or JSON
  -h, --help            print this page

exit status: 0
)"},
    {"help", R"(cuda-cc help: print help

  cuda-cc help
  cuda-cc help check

Without a subcommand: usage, settings and variables of cuda-cc. The page of a
subcommand is also what its --help prints.

options:
  --format=text|json    accepted; help is text
  -h, --help            print this page

exit status: 0; 2 no such subcommand
)"},
};

llvm::ArrayRef<HelpPage> helpPages() { return pages; }

llvm::StringRef help(llvm::StringRef subcommand) {
  const auto *page =
      llvm::find_if(pages, [&](const HelpPage &each) { return each.name == subcommand; });
  return page == std::end(pages) ? llvm::StringRef() : llvm::StringRef(page->text);
}

} // namespace cudacc::report
