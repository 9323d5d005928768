// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// A call whose arguments are \p args, word for word.
inline core::Invocation callOf(std::vector<llvm::StringRef> args) {
  core::Invocation call;
  call.kind = core::CallKind::Link;
  call.dialect = core::Dialect::Gcc;
  call.args = llvm::ArrayRef(args).copy(*call.arena);
  for (uint32_t i = 0; i < args.size(); ++i)
    call.words.push_back({args[i], core::Word::Source::Argv, i});
  return call;
}

/// Makes argument \p arg of \p call a response file with \p words.
inline void spread(core::Invocation &call, uint32_t arg, std::vector<llvm::StringRef> words) {
  std::vector<core::Word> all;
  for (const core::Word &word : call.words) {
    if (word.source == core::Word::Source::Argv && word.arg == arg)
      for (llvm::StringRef text : words)
        all.push_back({text, core::Word::Source::ResponseFile, arg});
    else
      all.push_back(word);
  }
  call.words = all;
}

} // namespace cudacc::plan
