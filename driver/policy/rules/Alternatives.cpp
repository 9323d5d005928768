// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Alternatives.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace cudacc::policy {

/// Number of digits in the token that begins at \p at in \p name with a prefix of \p prefix
/// characters; 0 if there is no token.
static size_t digitsAt(llvm::StringRef name, size_t at, size_t prefix) {
  if (at != 0 && llvm::isAlnum(name[at - 1]))
    return 0;
  llvm::StringRef digits =
      name.drop_front(at + prefix).take_while([](char c) { return llvm::isDigit(c); });
  size_t behind = at + prefix + digits.size();
  bool ends = behind == name.size() || !llvm::isAlnum(name[behind]);
  return ends && (digits.size() == 2 || digits.size() == 3) ? digits.size() : 0;
}

std::optional<LineToken> lineTokenOf(llvm::StringRef path) {
  size_t folder = path.rfind('/') + 1;
  llvm::StringRef name = path.drop_front(folder);
  for (size_t at = name.size(); at-- != 0;) {
    for (llvm::StringRef prefix : {"cuda", "cu"}) {
      if (!name.drop_front(at).starts_with(prefix))
        continue;
      size_t length = digitsAt(name, at, prefix.size());
      if (!length)
        continue;
      size_t begin = folder + at + prefix.size();
      llvm::StringRef digits = path.substr(begin, length);
      LineToken token;
      // `cu92` is 9.2; since CUDA 10 the major has two digits.
      size_t majorDigits = length == 2 && digits[0] >= '8' ? 1 : 2;
      token.major = 0;
      for (char digit : digits.take_front(majorDigits))
        token.major = token.major * 10 + (digit - '0');
      if (majorDigits != length)
        token.minor = digits[majorDigits] - '0';
      token.pattern = fmt::format("{}*{}", path.take_front(begin), path.drop_front(begin + length));
      return token;
    }
  }
  return std::nullopt;
}

std::optional<size_t> Alternatives::fileFor(versions::CudaVersion line) const {
  std::optional<size_t> best, general;
  for (size_t i = 0; i != files.size(); ++i) {
    const LineToken &token = tokens[i];
    if (token.major != line.major)
      continue;
    if (!token.minor)
      general = i;
    else if (*token.minor <= line.minor && (!best || *token.minor > *tokens[*best].minor))
      best = i;
  }
  if (!best)
    best = general;
  return best ? std::optional(files[*best]) : std::nullopt;
}

core::Finding Alternatives::noneFor(versions::CudaVersion line) const {
  core::Finding finding = core::makeFinding(
      core::Code::NoExportList, fmt::format("no alternative is named for CUDA {}", line));
  finding.addFact("files", pattern);
  finding.addFix("name the file that this runtime loads, to check it");
  return finding;
}

std::vector<size_t> Alternatives::newestFirst() const {
  std::vector<size_t> order(files.size());
  for (size_t i = 0; i != order.size(); ++i)
    order[i] = i;
  llvm::stable_sort(order, [&](size_t one, size_t other) {
    return std::pair(tokens[one].major, tokens[one].minor) >
           std::pair(tokens[other].major, tokens[other].minor);
  });
  for (size_t &each : order)
    each = files[each];
  return order;
}

std::vector<Alternatives> alternativesAmong(llvm::ArrayRef<std::string> paths) {
  std::map<std::string, Alternatives> groups;
  for (size_t i = 0; i != paths.size(); ++i)
    if (auto token = lineTokenOf(paths[i])) {
      Alternatives &group = groups[token->pattern];
      group.pattern = token->pattern;
      group.files.push_back(i);
      group.tokens.push_back(std::move(*token));
    }
  std::vector<Alternatives> out;
  for (auto &[pattern, group] : groups)
    if (group.files.size() > 1)
      out.push_back(std::move(group));
  return out;
}

} // namespace cudacc::policy
