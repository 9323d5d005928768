// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Shims.h"
#include "driver/plan/command/Nvcc.h"
#include "driver/plan/toolchain/UserCompiler.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

bool ownCompilersServe(const Call &call, const NvccHost &host) {
  return call.directory && plan::nvccCanName(call.directory->path, /*inList=*/false) &&
         llvm::all_of(host.names, [&](const auto &name) {
           if (!call.directory->anonymous && plan::UserCompiler::find(name.first))
             return true;
           const std::string *baked = call.directory->compiler(name.first);
           return baked && *baked == name.second;
         });
}

bool canShim(const Call &call, const Found &found, const std::string *place) {
  const NvccHost &host = found.nvccHost;
  if (!found.wantsShim || host.names.empty())
    return false;
  return ownCompilersServe(call, host) ||
         (found.shim && place && plan::nvccCanName(*place + host.name, /*inList=*/false));
}

bool linksWithoutShim(const Call &call, const Found &found, const std::string *place) {
  return call.isLink() && !found.nvccHost.names.empty() && !canShim(call, found, place) &&
         // If nvcc cannot be given the host compiler's path, it searches for the name and finds the
         // shim, which lies first on PATH (P24).
         (found.wantsShim || !call.isNamed() ||
          !plan::nvccCanName(found.nvccHost.compiler, /*inList=*/false));
}

} // namespace cudacc::pipeline
