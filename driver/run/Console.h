#pragma once

#include "llvm/ADT/StringRef.h"

namespace cudacc::run {

/// Where cuda-cc speaks: the one place that prints.
class Console {
public:
  virtual ~Console() = default;
  virtual void out(llvm::StringRef text) = 0;
  virtual void err(llvm::StringRef text) = 0;
  /// errno of the first text that could not be written to stdout; 0: none.
  virtual int outError() = 0;
  virtual bool outIsTerminal() = 0;
  virtual bool errIsTerminal() = 0;
};

class RealConsole final : public Console {
public:
  void out(llvm::StringRef text) override;
  void err(llvm::StringRef text) override;
  int outError() override { return failed; }
  bool outIsTerminal() override;
  bool errIsTerminal() override;

private:
  int failed = 0;
};

} // namespace cudacc::run
