// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

/// Exit statuses (docs/spec/behaviour.md).
enum class Exit : int { Ok = 0, Usage = 2, Rejected = 3, Undetermined = 4, Internal = 70 };
/// Rejected outranks Undetermined.
inline Exit worse(Exit one, Exit other) {
  return one == Exit::Rejected || other == Exit::Rejected ? Exit::Rejected : std::max(one, other);
}

enum class Severity : uint8_t { Remark, Warning, Error };

/// `error`, `warning`, `remark`.
const char *str(Severity severity);

/// What a code means for the verdict, independent of the severity that a mode assigns.
enum class CodeClass : uint8_t { Usage, Unknown, Reject, Warning, Note, Internal };

enum class Code : uint16_t {
#define CUDACC_CODE(NAME, NUMBER, CLASS, SYMBOLS, TITLE) NAME = NUMBER,
#include "driver/core/Diagnostic.def"
};

struct CodeInfo {
  Code code;
  CodeClass codeClass;
  /// Classes of docs/spec/rules.md that map to this code, space separated ("AV-E01").
  llvm::StringRef symbols;
  llvm::StringRef title;
};

/// All codes, ascending.
llvm::ArrayRef<CodeInfo> allCodes();
const CodeInfo &info(Code code);
/// The default severity of the code's class, before a mode or a declaration changes it.
Severity severityOf(Code code);
/// `CC3001`.
std::string str(Code code);
/// Accepts `CC3001`, `cc3001`, `3001`, and a symbolic class (`E_TARGET_NEWER`, `AV-E01`).
std::optional<Code> parseCode(llvm::StringRef text);

/// A labelled line below a diagnostic: "toolkit: nvcc 12.5.82 at /opt/...".
struct Fact {
  std::string label;
  std::string text;
};

/// A violated rule, or a required fact that could not be determined.
struct Finding {
  Code code{};
  Severity severity = Severity::Error;
  /// One clause without a final full stop. With "cuda-cc: error: " and the code it stays within 77
  /// columns if the facts allow it (R2: CMake wraps there).
  std::string message;
  std::vector<Fact> facts;
  /// Fixes that are possible on this machine, best first.
  std::vector<std::string> fixes;
  /// For JSON. Empty if they do not apply.
  std::string library, symbol, origin;

  void addFact(llvm::StringRef label, std::string text) {
    facts.push_back({label.str(), std::move(text)});
  }
  void addFix(std::string fix) { fixes.push_back(std::move(fix)); }
};

/// Makes a finding with the default severity of its code.
Finding makeFinding(Code code, std::string message, std::vector<Fact> facts = {},
                    std::vector<std::string> fixes = {});

/// An error of the environment: carries a Finding through llvm::Expected.
class DiagnosticError : public llvm::ErrorInfo<DiagnosticError> {
public:
  static char ID;
  Finding finding;

  explicit DiagnosticError(Finding finding) : finding(std::move(finding)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

llvm::Error makeError(Finding finding);
llvm::Error makeError(Code code, std::string message, std::vector<Fact> facts = {},
                      std::vector<std::string> fixes = {});
/// The finding inside \p error. Any other error becomes an Internal finding with its text.
Finding toFinding(llvm::Error error);
/// Exit status of a process that stops because of this finding. With \p strict, 3 replaces 4 (F8).
Exit exitOf(const Finding &finding, bool strict = false);

/// The candidate nearest to \p word by edit distance, for "did you mean"; two letters that changed
/// places count as one change. Empty if none is near.
llvm::StringRef nearest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace cudacc::core
