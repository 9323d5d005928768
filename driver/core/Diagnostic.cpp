// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace cudacc::core {

char DiagnosticError::ID = 0;

void DiagnosticError::log(llvm::raw_ostream &os) const { os << finding.message; }
std::error_code DiagnosticError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

static constexpr CodeInfo codes[] = {
#define CUDACC_CODE(NAME, NUMBER, CLASS, SYMBOLS, TITLE)                                           \
  {Code::NAME, CodeClass::CLASS, SYMBOLS, TITLE},
#include "driver/core/Diagnostic.def"
};

llvm::ArrayRef<CodeInfo> allCodes() { return codes; }

const CodeInfo &info(Code code) {
  return *llvm::lower_bound(codes, code,
                            [](const CodeInfo &row, Code wanted) { return row.code < wanted; });
}

Severity severityOf(Code code) {
  switch (info(code).codeClass) {
  case CodeClass::Warning:
    return Severity::Warning;
  case CodeClass::Note:
    return Severity::Remark;
  default:
    return Severity::Error;
  }
}

Finding makeFinding(Code code, std::string message, std::vector<Fact> facts,
                    std::vector<std::string> fixes) {
  return {code, severityOf(code), std::move(message), std::move(facts), std::move(fixes), "", "",
          ""};
}

std::string str(Code code) { return fmt::format("CC{}", unsigned(code)); }

std::optional<Code> parseCode(llvm::StringRef text) {
  if (text.empty())
    return std::nullopt;
  llvm::StringRef digits = text;
  if (digits.starts_with_insensitive("cc"))
    digits = digits.drop_front(2);
  unsigned number;
  bool isNumber = !digits.getAsInteger(10, number);
  for (const CodeInfo &row : codes) {
    if (isNumber ? unsigned(row.code) == number
                 : llvm::is_contained(llvm::split(row.symbols, ' '), text.upper()))
      return row.code;
  }
  return std::nullopt;
}

llvm::Error makeError(Finding finding) {
  return llvm::make_error<DiagnosticError>(std::move(finding));
}

llvm::Error makeError(Code code, std::string message, std::vector<Fact> facts,
                      std::vector<std::string> fixes) {
  Finding finding;
  finding.code = code;
  finding.message = std::move(message);
  finding.facts = std::move(facts);
  finding.fixes = std::move(fixes);
  return makeError(std::move(finding));
}

Finding toFinding(llvm::Error error) {
  Finding result;
  result.code = Code::Internal;
  llvm::handleAllErrors(
      std::move(error), [&](DiagnosticError &known) { result = std::move(known.finding); },
      [&](const llvm::ErrorInfoBase &other) { result.message = other.message(); });
  return result;
}

Exit exitOf(const Finding &finding, bool strict) {
  switch (info(finding.code).codeClass) {
  case CodeClass::Usage:
    return Exit::Usage;
  case CodeClass::Unknown:
    return strict ? Exit::Rejected : Exit::Undetermined;
  case CodeClass::Reject:
    return Exit::Rejected;
  case CodeClass::Warning:
  case CodeClass::Note:
    return Exit::Ok;
  case CodeClass::Internal:
    break;
  }
  return Exit::Internal;
}

/// Whether the words differ by two neighbouring letters that changed places, the commonest slip of
/// all, which counts as two changes by edit distance.
static bool isSwapped(llvm::StringRef one, llvm::StringRef other) {
  if (one.size() != other.size())
    return false;
  size_t at = 0;
  while (at != one.size() && one[at] == other[at])
    ++at;
  return at + 1 < one.size() && one[at] == other[at + 1] && one[at + 1] == other[at] &&
         one.drop_front(at + 2) == other.drop_front(at + 2);
}

llvm::StringRef nearest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates) {
  unsigned best = std::max<size_t>(word.size() / 3, 1) + 1;
  llvm::StringRef found;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = isSwapped(word, candidate) ? 1 : word.edit_distance(candidate, true, best);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

const char *str(Severity severity) {
  static constexpr const char *words[] = {"remark", "warning", "error"};
  return versions::entryOf<Severity::Error>(words, severity);
}

} // namespace cudacc::core
