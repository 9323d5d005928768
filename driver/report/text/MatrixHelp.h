// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"

namespace cudacc::report {

/// The help page of `matrix`.
inline constexpr llvm::StringLiteral matrixHelp =
    R"(cuda-cc matrix: build for several runtimes, and check each build on all

  cuda-cc matrix --plan
  cuda-cc matrix
  cuda-cc matrix cu12.4-torch2.5.1
  cuda-cc matrix --runtime cuda==12.4 --runtime cuda==13.0 --build cmake
  cuda-cc matrix --runtime 'all torch>=2.5' --build 'pip wheel' --report matrix.html

Plan the fewest builds that serve all runtimes, run them with Ninja, and judge
what each made on every runtime. What did not change is not built again. Names
choose builds of the plan. Keys of [tool.cuda-cc.matrix] in pyproject.toml, or
[matrix] in cuda-cc.toml, stand for the options; an option replaces its key.

options:
  --runtime REQ         a runtime; repeat it; ; joins requirements. 'all REQ':
                        every known release in it
  --toolkit WHICH       a toolkit's directory, a version found on this machine,
                        auto: all found (default), or fetch: what the runtimes
                        take, as cuda-cc toolchain --fetch does; repeat it
  --python WHICH        build with it: a version or a program; repeat it
  --build COMMAND       'pip wheel', cmake, meson, or a command line for sh
  --artefact PATTERN    what to check, as in sh: 'lib/*.so'; repeat it; default:
                        the wheel, or what cmake and meson install
  --input PATH          a file or folder elsewhere that builds read; repeat it
  --test COMMAND        run it in an environment of each runtime
  --torch-abi KIND      one build serves minor: the patch releases of a torch
                        (default); stable: later ones too; none: all
  --plan                print what would be built, and stop
  --accept-license      accept NVIDIA's license of what is fetched, once
  --github              print a workflow that makes each build on its own machine
  --gitlab              print a job that does
  --dir DIR             where results go: .cuda-cc/matrix in the project
  --jobs N              builds at a time: 1
  --strict              reject what is unknown
  --report FILE.html    write the same as a page for a browser
  --format=text|json|sarif
                        text (default), JSON (docs/schema), SARIF 2.1.0
  -h, --help            print this page

exit status:
  0  each runtime has a build that is accepted there
  3  one has none; it beats 4: of one that is not known, or a build failed
  2  usage
)";

} // namespace cudacc::report
