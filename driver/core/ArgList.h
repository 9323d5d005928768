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

/// The words of a command line in the form exec needs. A call may have 10,000 words, nearly all of
/// which are the caller's own; those are not copied. Copies of a list share its strings.
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
  /// \p text must be NUL-terminated and outlive the list, like a word of argv.
  void addBorrowed(llvm::StringRef text) { words.push_back(text.data()); }
  void addAll(llvm::ArrayRef<std::string> more) {
    for (const std::string &word : more)
      add(word);
  }
  void append(const ArgList &more) {
    for (const char *word : more.words)
      add(word);
  }

  bool empty() const { return words.empty(); }
  size_t size() const { return words.size(); }
  llvm::StringRef operator[](size_t index) const { return words[index]; }
  llvm::StringRef back() const { return words.back(); }
  llvm::ArrayRef<const char *> pointers() const { return words; }
  /// Reserves space for \p count words and the terminating null pointer.
  void reserve(size_t count) { words.reserve(count + 1); }
  /// The words followed by a null pointer, as execve takes them. Valid until the list changes.
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
