// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Marker.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::versions {

using llvm::StringRef;

/// Maximum length of a marker in bytes; also bounds the depth of a chain of `or`.
static constexpr size_t MaxText = 16 << 10;

namespace {
struct Operand {
  bool isVariable = false;
  std::string text;
};
} // namespace

struct Marker::Node {
  enum class Kind { And, Or, Compare };
  Kind kind = Kind::Compare;
  /// Set for And and Or.
  std::shared_ptr<const Node> left, right;
  /// Set for Compare.
  Operand first, second;
  /// `==`, `in`, `not in`, ...
  std::string op;
};

MarkerEnvironment MarkerEnvironment::linux(StringRef machine, StringRef python) {
  MarkerEnvironment environment;
  environment.values = {{"os_name", "posix"},
                        {"sys_platform", "linux"},
                        {"platform_system", "Linux"},
                        {"platform_machine", machine.str()},
                        {"platform_python_implementation", "CPython"},
                        {"implementation_name", "cpython"}};
  // Markers do not know free-threaded builds.
  python = python.rtrim('t');
  if (python.empty())
    return environment;
  auto [major, rest] = python.split('.');
  environment.values["python_version"] = fmt::format("{}.{}", major, rest.split('.').first);
  if (rest.contains('.')) {
    environment.values["python_full_version"] = python.str();
    environment.values["implementation_version"] = python.str();
  }
  return environment;
}

/// Maps a variable name of PEP 508, its old spelling as written by setuptools, or a set of PEP 751
/// to the standard name.
static StringRef variableOf(StringRef name) {
  static constexpr llvm::StringLiteral known[] = {"python_version",
                                                  "python_full_version",
                                                  "os_name",
                                                  "sys_platform",
                                                  "platform_release",
                                                  "platform_system",
                                                  "platform_version",
                                                  "platform_machine",
                                                  "platform_python_implementation",
                                                  "extra",
                                                  "implementation_name",
                                                  "implementation_version",
                                                  "extras",
                                                  "dependency_groups"};
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> old[] = {
      {"os.name", "os_name"},
      {"sys.platform", "sys_platform"},
      {"platform.version", "platform_version"},
      {"platform.machine", "platform_machine"},
      {"platform.python_implementation", "platform_python_implementation"},
      {"python_implementation", "platform_python_implementation"}};
  for (const auto &each : known)
    if (name == each)
      return each;
  for (const auto &[from, to] : old)
    if (name == from)
      return to;
  return {};
}

class MarkerParser {
public:
  using Node = Marker::Node;
  using Result = std::shared_ptr<const Node>;

  explicit MarkerParser(StringRef text) : rest(text.trim()) {}

  Result whole() {
    Result node = either(0);
    return rest.empty() ? node : nullptr;
  }

private:
  static constexpr unsigned MaxDepth = 64;
  StringRef rest;

  bool takeWord(StringRef word) {
    StringRef after = rest.ltrim();
    if (!after.consume_front(word) ||
        (!after.empty() && (llvm::isAlnum(after.front()) || after.front() == '_')))
      return false;
    rest = after.ltrim();
    return true;
  }

  static Result join(Node::Kind kind, Result left, Result right) {
    if (!left || !right)
      return nullptr;
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->left = std::move(left);
    node->right = std::move(right);
    return node;
  }

  Result either(unsigned depth) {
    Result node = both(depth);
    while (node && takeWord("or"))
      node = join(Node::Kind::Or, node, both(depth));
    return node;
  }

  Result both(unsigned depth) {
    Result node = one(depth);
    while (node && takeWord("and"))
      node = join(Node::Kind::And, node, one(depth));
    return node;
  }

  Result one(unsigned depth) {
    rest = rest.ltrim();
    if (!rest.starts_with("("))
      return compare();
    if (depth == MaxDepth)
      return nullptr;
    rest = rest.drop_front();
    Result node = either(depth + 1);
    rest = rest.ltrim();
    if (!rest.consume_front(")"))
      return nullptr;
    rest = rest.ltrim();
    return node;
  }

  Result compare() {
    auto node = std::make_shared<Node>();
    if (!operand(node->first) || !operation(node->op) || !operand(node->second) ||
        (!node->first.isVariable && !node->second.isVariable))
      return nullptr;
    return node;
  }

  bool operand(Operand &out) {
    rest = rest.ltrim();
    if (rest.starts_with("'") || rest.starts_with("\"")) {
      size_t end = rest.find(rest.front(), 1);
      if (end == StringRef::npos)
        return false;
      out = {false, rest.slice(1, end).str()};
      rest = rest.drop_front(end + 1);
      return true;
    }
    StringRef name =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    StringRef variable = variableOf(name);
    if (variable.empty())
      return false;
    out = {true, variable.str()};
    rest = rest.drop_front(name.size());
    return true;
  }

  bool operation(std::string &out) {
    rest = rest.ltrim();
    for (StringRef symbol : {"===", "==", "~=", "!=", "<=", ">=", "<", ">"})
      if (rest.consume_front(symbol)) {
        out = symbol.str();
        return true;
      }
    bool negated = takeWord("not");
    if (!takeWord("in"))
      return false;
    out = negated ? "not in" : "in";
    return true;
  }
};

std::optional<Marker> Marker::parse(StringRef text) {
  if (text.size() > MaxText)
    return std::nullopt;
  Marker marker;
  marker.root = MarkerParser(text).whole();
  if (!marker.root)
    return std::nullopt;
  return marker;
}

static Truth truth(bool value) { return value ? Truth::True : Truth::False; }

static Truth inSet(llvm::ArrayRef<std::string> set, StringRef name, StringRef op) {
  bool found = llvm::is_contained(set, Requirement::normalise(name));
  if (op == "in" || op == "==")
    return truth(found);
  return op == "not in" || op == "!=" ? truth(!found) : Truth::Unknown;
}

/// Compares as versions if both sides are versions, otherwise as text (PEP 508, "Environment
/// Markers").
static Truth compareTexts(StringRef left, StringRef op, StringRef right) {
  if (op == "in")
    return truth(right.contains(left));
  if (op == "not in")
    return truth(!right.contains(left));
  auto specifiers = SpecifierSet::parse(fmt::format("{}{}", op, right));
  auto version = Version::parse(left);
  if (specifiers && version)
    return truth(specifiers->contains(*version, true));
  if (op == "==" || op == "===")
    return truth(left == right);
  if (op == "!=")
    return truth(left != right);
  // PEP 508 gives `~=` no meaning for other text; Python defines the order of strings.
  if (op == "~=")
    return Truth::Unknown;
  int order = left.compare(right);
  return truth(op == "<"    ? order < 0
               : op == "<=" ? order <= 0
               : op == ">"  ? order > 0
                            : order >= 0);
}

static Truth evaluateOne(const Operand &first, StringRef op, const Operand &second,
                         const MarkerEnvironment &environment) {
  for (const auto &[variable, other] : {std::pair(&first, &second), std::pair(&second, &first)}) {
    if (!variable->isVariable)
      continue;
    if (variable->text == "extra" || variable->text == "extras")
      return inSet(environment.extras, other->text, op);
    if (variable->text == "dependency_groups")
      return inSet(environment.groups, other->text, op);
  }
  std::string texts[2];
  for (auto [operand, out] : {std::pair(&first, &texts[0]), std::pair(&second, &texts[1])}) {
    *out = operand->text;
    if (!operand->isVariable)
      continue;
    auto value = environment.values.find(operand->text);
    if (value == environment.values.end())
      return Truth::Unknown;
    *out = value->second;
  }
  return compareTexts(texts[0], op, texts[1]);
}

Truth Marker::evaluate(const MarkerEnvironment &environment) const {
  auto visit = [&](auto &self, const Node &node) -> Truth {
    if (node.kind == Node::Kind::Compare)
      return evaluateOne(node.first, node.op, node.second, environment);
    // If either side decides alone, the other side does not matter.
    Truth decides = node.kind == Node::Kind::Or ? Truth::True : Truth::False;
    Truth left = self(self, *node.left);
    if (left == decides)
      return left;
    Truth right = self(self, *node.right);
    return right == decides || left != Truth::Unknown ? right : left;
  };
  return visit(visit, *root);
}

} // namespace cudacc::versions
