// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Runner.h"
#include "plugins/devlink/Job.h"

namespace cudacc::devlink {

/// Has the helper program do the job. \p printed is set to what the libraries printed, in any case.
/// If the helper dies, of a library or by itself, that is the error CC5006; a library that cannot
/// be used, or refuses a link, is a Reply.
llvm::Expected<Reply> runLinker(const Job &job, llvm::StringRef helperPath, core::Runner &runner,
                                std::string &printed);

/// CC5008: why the library of a reply cannot be used; for a reply with `opening` other than Ok, or
/// without `asExpected`.
core::Finding unusable(const Job &job, const Reply &reply);
/// CC5007: why a link failed, with the library's log, the input that it refused, and what it
/// printed: nvJitLink up to 12.5 prints which symbol is undefined.
core::Finding refusal(const Job &job, const LinkResult &result, llvm::StringRef printed);

} // namespace cudacc::devlink
