// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace cudacc::core {

/// Words of a command line as exec wants them. A call may have 10,000 of them, nearly all of which
/// are the caller's own: those are referred to, not copied. Copies of a list share its texts.
class ArgList {
public:
  ArgList() = default;
  ArgList(std::initializer_list<llvm::StringRef> texts) {
    for (llvm::StringRef text : texts)
      add(text);
  }

  /// Copies the text.
  void add(llvm::StringRef text) {
    char *copy = arena->Allocate<char>(text.size() + 1);
    std::copy(text.begin(), text.end(), copy);
    copy[text.size()] = '\0';
    words.push_back(copy);
  }
  /// \p text is NUL-terminated and outlives the list: a word of argv.
  void addBorrowed(llvm::StringRef text) { words.push_back(text.data()); }
  void append(const ArgList &more) {
    for (const char *word : more.words)
      add(word);
  }

  bool empty() const { return words.empty(); }
  size_t size() const { return words.size(); }
  llvm::StringRef operator[](size_t index) const { return words[index]; }
  llvm::StringRef back() const { return words.back(); }
  llvm::ArrayRef<const char *> pointers() const { return words; }
  /// Room for that many words, so that a long list is not moved while it grows.
  void reserve(size_t count) { words.reserve(count + 1); }
  /// The words and a null pointer behind them, as execve takes them; until the list is changed.
  const char *const *terminated() const {
    words.push_back(nullptr);
    words.pop_back();
    return words.data();
  }
  std::vector<std::string> strings() const { return {words.begin(), words.end()}; }

private:
  mutable std::vector<const char *> words;
  std::shared_ptr<llvm::BumpPtrAllocator> arena = std::make_shared<llvm::BumpPtrAllocator>();
};

} // namespace cudacc::core
