// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Version.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

namespace cudacc::versions {

using llvm::StringRef;

namespace {

bool isSeparator(char c) { return c == '-' || c == '_' || c == '.'; }

/// Matches the regular expression of PEP 440 appendix B from left to right. It needs no
/// backtracking: of two words with a common prefix only the longer one can match, and a separator
/// after a word belongs to its number, to the next word, or to nothing.
class VersionReader {
public:
  VersionReader(StringRef text, Version &out) : rest(text.trim()), out(out) {}

  bool read() {
    if (rest.starts_with_insensitive("v"))
      rest = rest.drop_front();
    if (!readRelease())
      return false;
    return rest.empty() || (readPre() && readPost() && readDev() && readLocal() && rest.empty());
  }

private:
  bool atDigit() const { return !rest.empty() && llvm::isDigit(rest.front()); }
  bool readNumber(uint64_t &number) { return atDigit() && !rest.consumeInteger(10, number); }

  bool readRelease() {
    uint64_t number;
    if (!readNumber(number))
      return false;
    if (rest.consume_front("!")) {
      out.epoch = number;
      if (!readNumber(number))
        return false;
    }
    out.release.reserve(4);
    out.release.push_back(number);
    while (rest.size() > 1 && rest[0] == '.' && llvm::isDigit(rest[1])) {
      rest = rest.drop_front();
      if (!readNumber(number))
        return false;
      out.release.push_back(number);
    }
    return true;
  }

  /// Consumes `[-_.]?` and one of \p words, which are given longest first. -1 if there is none.
  int readWord(llvm::ArrayRef<StringRef> words) {
    StringRef text = rest;
    if (!text.empty() && isSeparator(text.front()))
      text = text.drop_front();
    for (auto [index, word] : llvm::enumerate(words))
      if (text.starts_with_insensitive(word)) {
        rest = text.drop_front(word.size());
        return int(index);
      }
    return -1;
  }

  /// Reads the optional number after a word; 0 if there is none. False if it has too many digits.
  bool readWordNumber(uint64_t &number) {
    number = 0;
    if (!rest.empty() && isSeparator(rest.front()) && (rest.size() == 1 || !llvm::isAlpha(rest[1])))
      rest = rest.drop_front();
    return !atDigit() || readNumber(number);
  }

  bool readPre() {
    static constexpr StringRef words[] = {"alpha", "a", "beta", "b", "preview", "pre", "rc", "c"};
    int index = readWord(words);
    if (index < 0)
      return true;
    out.preKind = index < 2 ? 'a' : index < 4 ? 'b' : 'r';
    return readWordNumber(out.pre);
  }

  bool readPost() {
    uint64_t number;
    if (rest.size() > 1 && rest[0] == '-' && llvm::isDigit(rest[1])) {
      rest = rest.drop_front();
      if (!readNumber(number))
        return false;
      out.post = number;
      return true;
    }
    static constexpr StringRef words[] = {"post", "rev", "r"};
    if (readWord(words) < 0)
      return true;
    if (!readWordNumber(number))
      return false;
    out.post = number;
    return true;
  }

  bool readDev() {
    static constexpr StringRef words[] = {"dev"};
    uint64_t number;
    if (readWord(words) < 0)
      return true;
    if (!readWordNumber(number))
      return false;
    out.dev = number;
    return true;
  }

  bool readLocal() {
    if (!rest.consume_front("+"))
      return true;
    while (true) {
      StringRef segment = rest.take_while([](char c) { return llvm::isAlnum(c); });
      if (segment.empty())
        return false;
      rest = rest.drop_front(segment.size());
      if (llvm::all_of(segment, llvm::isDigit)) {
        segment = segment.ltrim('0');
        out.local.push_back(segment.empty() ? "0" : segment.str());
      } else {
        out.local.push_back(segment.lower());
      }
      if (rest.empty() || !isSeparator(rest.front()))
        return true;
      rest = rest.drop_front();
    }
  }

  StringRef rest;
  Version &out;
};

std::strong_ordering compareLocalSegments(StringRef left, StringRef right) {
  bool leftNumber = llvm::all_of(left, llvm::isDigit);
  bool rightNumber = llvm::all_of(right, llvm::isDigit);
  if (leftNumber != rightNumber)
    return leftNumber <=> rightNumber;
  if (leftNumber && left.size() != right.size())
    return left.size() <=> right.size();
  return left.compare(right) <=> 0;
}

std::strong_ordering compareLocal(const Version &left, const Version &right) {
  for (auto [a, b] : llvm::zip(left.local, right.local))
    if (auto order = compareLocalSegments(a, b); order != 0)
      return order;
  return left.local.size() <=> right.local.size();
}

/// Order of the pre-release part: 1.0.dev1 precedes 1.0a1; 1.0 and 1.0.post1 follow it.
int preRank(const Version &version) {
  if (version.preKind)
    return version.preKind;
  return !version.post && version.dev ? 0 : 'z';
}

std::strong_ordering compareRelease(const Version &left, const Version &right) {
  if (left.epoch != right.epoch)
    return left.epoch <=> right.epoch;
  size_t count = std::max(left.release.size(), right.release.size());
  for (size_t i = 0; i < count; ++i)
    if (left.at(i) != right.at(i))
      return left.at(i) <=> right.at(i);
  return std::strong_ordering::equal;
}

/// Compares everything except the local label.
std::strong_ordering comparePublic(const Version &left, const Version &right) {
  if (auto order = compareRelease(left, right); order != 0)
    return order;
  if (auto order = preRank(left) <=> preRank(right); order != 0)
    return order;
  if (left.pre != right.pre)
    return left.pre <=> right.pre;
  if (left.post != right.post)
    return left.post <=> right.post;
  if (left.dev.has_value() != right.dev.has_value())
    return right.dev.has_value() <=> left.dev.has_value();
  return left.dev <=> right.dev;
}

/// Whether the epoch and the first \p count release numbers are equal.
bool samePrefix(const Version &version, const Version &prefix, size_t count) {
  if (version.epoch != prefix.epoch)
    return false;
  for (size_t i = 0; i < count; ++i)
    if (version.at(i) != prefix.at(i))
      return false;
  return true;
}

} // namespace

std::optional<Version> Version::parse(StringRef text) {
  Version version;
  if (!VersionReader(text, version).read())
    return std::nullopt;
  return version;
}

std::string Version::str() const {
  std::string text;
  if (epoch)
    text = fmt::format("{}!", epoch);
  for (size_t i = 0; i < release.size(); ++i)
    text += fmt::format("{}{}", i ? "." : "", release[i]);
  if (preKind)
    text += fmt::format("{}{}{}", preKind, preKind == 'r' ? "c" : "", pre);
  if (post)
    text += fmt::format(".post{}", *post);
  if (dev)
    text += fmt::format(".dev{}", *dev);
  for (size_t i = 0; i < local.size(); ++i)
    text += (i ? "." : "+") + local[i];
  return text;
}

std::strong_ordering Version::operator<=>(const Version &other) const {
  if (auto order = comparePublic(*this, other); order != 0)
    return order;
  return compareLocal(*this, other);
}

static bool matchesEqual(const Specifier &clause, const Version &candidate) {
  const Version &wanted = clause.version;
  if (clause.prefix)
    return samePrefix(candidate, wanted, wanted.release.size());
  if (comparePublic(candidate, wanted) != 0)
    return false;
  return wanted.local.empty() || compareLocal(candidate, wanted) == 0;
}

/// `<V` excludes pre-releases of V, `>V` its post-releases and local labels (PEP 440, exclusive
/// ordered comparison), but not those of others of the same release: 1.0.post1 is later
/// than 1.0rc1.
static bool matchesStrict(const Specifier &clause, const Version &candidate) {
  const Version &wanted = clause.version;
  if (clause.op == Specifier::Op::Less) {
    Version bound = wanted;
    if (!wanted.isPreRelease())
      bound.dev = 0;
    return comparePublic(candidate, bound) < 0;
  }
  bool isPost = candidate.post && !wanted.post && !wanted.dev &&
                compareRelease(candidate, wanted) == 0 && candidate.preKind == wanted.preKind &&
                candidate.pre == wanted.pre;
  return comparePublic(candidate, wanted) > 0 && !isPost;
}

bool Specifier::contains(const Version &candidate) const {
  switch (op) {
  case Op::Equal:
    return matchesEqual(*this, candidate);
  case Op::NotEqual:
    return !matchesEqual(*this, candidate);
  case Op::LessEqual:
    return comparePublic(candidate, version) <= 0;
  case Op::GreaterEqual:
    return comparePublic(candidate, version) >= 0;
  case Op::Less:
  case Op::Greater:
    return matchesStrict(*this, candidate);
  case Op::Compatible:
    return comparePublic(candidate, version) >= 0 &&
           samePrefix(candidate, version, version.release.size() - 1);
  case Op::Arbitrary:
    return StringRef(candidate.str()).equals_insensitive(text);
  }
  return false;
}

static StringRef spelling(Specifier::Op op) {
  return std::array<StringRef, 8>{"==", "!=", "<=", ">=", "<", ">", "~=", "==="}[unsigned(op)];
}

std::string Specifier::str() const { return fmt::format("{}{}", spelling(op), text); }

static std::optional<Specifier> parseClause(StringRef text) {
  using Op = Specifier::Op;
  // Longer spellings first: "===" begins with "==".
  static constexpr Op order[] = {Op::Arbitrary,    Op::Equal,      Op::NotEqual, Op::LessEqual,
                                 Op::GreaterEqual, Op::Compatible, Op::Less,     Op::Greater};
  text = text.trim();
  const Op *op = llvm::find_if(order, [&](Op each) { return text.consume_front(spelling(each)); });
  if (op == std::end(order))
    return std::nullopt;
  Specifier clause;
  clause.op = *op;
  text = text.trim();
  clause.text = text.str();
  if (*op == Op::Arbitrary) {
    if (text.empty() || text.find_first_of(" \t\n\r\f\v,;()") != StringRef::npos)
      return std::nullopt;
    if (auto version = Version::parse(text))
      clause.version = std::move(*version);
    return clause;
  }
  bool equality = *op == Op::Equal || *op == Op::NotEqual;
  clause.prefix = equality && text.consume_back(".*");
  auto version = Version::parse(text);
  if (!version || llvm::isSpace(text.back()))
    return std::nullopt;
  bool plain = !version->preKind && !version->post && !version->dev;
  if ((clause.prefix && !plain) || (!version->local.empty() && (!equality || clause.prefix)) ||
      (*op == Op::Compatible && version->release.size() < 2))
    return std::nullopt;
  clause.version = std::move(*version);
  return clause;
}

std::optional<SpecifierSet> SpecifierSet::parse(StringRef text) {
  SpecifierSet set;
  for (StringRef part : llvm::split(text, ',')) {
    auto clause = parseClause(part);
    if (!clause)
      return std::nullopt;
    set.clauses.push_back(std::move(*clause));
  }
  return set;
}

bool SpecifierSet::contains(const Version &candidate, bool pre) const {
  if (candidate.isPreRelease() && !pre && llvm::none_of(clauses, [](const Specifier &clause) {
        return clause.op != Specifier::Op::NotEqual && clause.version.isPreRelease();
      }))
    return false;
  return llvm::all_of(clauses, [&](const auto &clause) { return clause.contains(candidate); });
}

std::string SpecifierSet::str() const {
  std::string text;
  for (const Specifier &clause : clauses)
    text += fmt::format("{}{}", text.empty() ? "" : ",", clause);
  return text;
}

/// Sets change their answer only at the versions that their clauses name, right behind those, and
/// where a prefix ends.
static void addPoints(const SpecifierSet &set, std::vector<Version> &points) {
  for (const Specifier &clause : set.clauses) {
    Version at = clause.version;
    points.push_back(at);
    at = Version();
    at.epoch = clause.version.epoch;
    at.release = clause.version.release;
    points.push_back(at);
    for (size_t length = 1; length <= clause.version.release.size(); ++length) {
      Version end = at;
      end.release.resize(length);
      points.push_back(end);
      ++end.release.back();
      points.push_back(end);
    }
    // Right behind the version: more numbers, of which no clause names any.
    Version behind = at;
    behind.release.resize(behind.release.size() + 4);
    behind.release.push_back(1);
    points.push_back(behind);
  }
}

static std::vector<Version> pointsOf(const SpecifierSet &one, const SpecifierSet &other) {
  std::vector<Version> points;
  points.emplace_back().release = {0};
  addPoints(one, points);
  addPoints(other, points);
  return points;
}

bool overlap(const SpecifierSet &one, const SpecifierSet &other) {
  return llvm::any_of(pointsOf(one, other), [&](const Version &point) {
    return one.contains(point, /*pre=*/true) && other.contains(point, /*pre=*/true);
  });
}

bool implies(const SpecifierSet &narrow, const SpecifierSet &wide) {
  return llvm::none_of(pointsOf(narrow, wide), [&](const Version &point) {
    return narrow.contains(point, /*pre=*/true) && !wide.contains(point, /*pre=*/true);
  });
}

} // namespace cudacc::versions
