// SPDX-License-Identifier: Apache-2.0
#include "driver/run/Log.h"
#include "llvm/Support/raw_ostream.h"

void cudacc::run::log(core::Files &files, llvm::StringRef path, llvm::json::Object entry) {
  std::string line;
  llvm::raw_string_ostream(line) << llvm::json::Value(std::move(entry)) << '\n';
  llvm::consumeError(files.append(path, line));
}
