// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::run {

/// The only place that prints and that reads stdin.
class Console {
public:
  virtual ~Console() = default;
  virtual void out(llvm::StringRef text) = 0;
  virtual void err(llvm::StringRef text) = 0;
  /// Number of bytes read from stdin; 0 at its end; -errno on error.
  virtual long in(llvm::MutableArrayRef<char> buffer) = 0;
  /// errno of the first failed write to stdout; 0 if none failed.
  virtual int outError() = 0;
  virtual bool inIsTerminal() = 0;
  virtual bool outIsTerminal() = 0;
  virtual bool errIsTerminal() = 0;
};

class RealConsole final : public Console {
public:
  void out(llvm::StringRef text) override;
  void err(llvm::StringRef text) override;
  long in(llvm::MutableArrayRef<char> buffer) override;
  int outError() override { return failed; }
  bool inIsTerminal() override;
  bool outIsTerminal() override;
  bool errIsTerminal() override;

private:
  int failed = 0;
};

} // namespace cudacc::run
