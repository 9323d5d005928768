// SPDX-License-Identifier: Apache-2.0
#pragma once

// An empty optional is not read unseen. Zig says otherwise behind the words of its command line.
#undef _LIBCPP_HARDENING_MODE
#define _LIBCPP_HARDENING_MODE _LIBCPP_HARDENING_MODE_FAST
#undef _LIBCPP_ASSERTION_SEMANTIC_DEFAULT
#define _LIBCPP_ASSERTION_SEMANTIC_DEFAULT _LIBCPP_ASSERTION_SEMANTIC_QUICK_ENFORCE
#define _GLIBCXX_ASSERTIONS

#include <cstdio>
#include <cstdlib>
#include <vector>

/// What policy.py puts around conditions and comparisons, so that one program has all mutants:
/// CUDACC_MUTANT is the number of the one that counts.
namespace mutant {

inline int active = [] {
  const char *number = std::getenv("CUDACC_MUTANT");
  return number ? std::atoi(number) : -1;
}();

/// Writes the numbers of the mutants that were reached to the file CUDACC_MUTANTS_REACHED.
struct Reached {
  std::vector<bool> seen = std::vector<bool>(100000);
  ~Reached() {
    const char *path = std::getenv("CUDACC_MUTANTS_REACHED");
    std::FILE *file = path ? std::fopen(path, "w") : nullptr;
    if (!file)
      return;
    for (size_t i = 0; i < seen.size(); ++i)
      if (seen[i])
        std::fprintf(file, "%zu\n", i);
    std::fclose(file);
  }
};
inline Reached reached;

inline bool is(int number) {
  reached.seen[number] = true;
  return number == active;
}

template <class T> bool condition(int number, T &&value) {
  bool original = static_cast<bool>(value);
  return is(number) || (!is(number + 1) && original);
}

#define MUTANT_COMPARISON(NAME, ORIGINAL, FIRST, SECOND)                                           \
  template <class L, class R> bool NAME(int number, const L &left, const R &right) {               \
    return is(number)       ? left FIRST right                                                     \
           : is(number + 1) ? left SECOND right                                                    \
                            : left ORIGINAL right;                                                 \
  }
#define MUTANT_EQUALITY(NAME, ORIGINAL, OTHER)                                                     \
  template <class L, class R> bool NAME(int number, const L &left, const R &right) {               \
    return is(number) ? left OTHER right : left ORIGINAL right;                                    \
  }
MUTANT_EQUALITY(equal, ==, !=)
MUTANT_EQUALITY(unequal, !=, ==)
MUTANT_COMPARISON(less, <, <=, >=)
MUTANT_COMPARISON(lessEqual, <=, <, >)
MUTANT_COMPARISON(greater, >, >=, <=)
MUTANT_COMPARISON(greaterEqual, >=, >, <)

/// `a && b && c`: each operator in turn is `||`; with \p isAnd false the reverse.
template <class First> bool chain(int, bool, First first) { return first(); }
template <class First, class Second, class... More>
bool chain(int number, bool isAnd, First first, Second second, More... more) {
  bool joinsAnd = is(number) ? !isAnd : isAnd;
  auto joined = [&]() -> bool { return joinsAnd ? first() && second() : first() || second(); };
  return chain(number + 1, isAnd, joined, more...);
}

} // namespace mutant
