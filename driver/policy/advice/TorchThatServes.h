// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LibraryFloor.h"
#include "driver/tables/lookup/UserTables.h"
#include "driver/versions/Requirement.h"
#include "driver/versions/TorchRange.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// The releases of torch, out of those of \p byNames if that is known, whose wheels bring the
/// libraries of \p floors that torch brings at all, in versions that satisfy them: those on PyPI,
/// or the builds with the local label \p tag.
versions::TorchRange torchThatServes(llvm::ArrayRef<core::LibraryFloor> floors,
                                     const versions::TorchRange &byNames, llvm::StringRef tag = "",
                                     const tables::UserTables *more = nullptr);

/// A build that is not PyPI's (`2.9.0+cu130`) of the oldest release that \p declared allows
/// and which brings the libraries of \p floors; only of releases of \p byNames, if that is known.
/// The names are those of PyPI's build of the release. Empty if none is known.
std::string otherBuildThatServes(llvm::ArrayRef<core::LibraryFloor> floors,
                                 const versions::TorchRange &byNames,
                                 llvm::ArrayRef<versions::Requirement> declared,
                                 const tables::UserTables *more = nullptr);

/// PyTorch's own index that has the build: `https://download.pytorch.org/whl/cu130` for
/// `2.9.0+cu130`.
std::string indexOf(llvm::StringRef build);

/// Whether the tables have a build of torch with that label, or it is empty.
bool isKnownTag(llvm::StringRef tag, const tables::UserTables *more = nullptr);

} // namespace cudacc::policy
