#include "driver/plan/Edit.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::plan {

using core::Word;

namespace {
/// The words that each argument stands for: one for an ordinary argument, those of the file for a
/// response file.
struct Spread {
  std::vector<std::vector<uint32_t>> ofArg;
  std::vector<uint32_t> prepended, appended;

  explicit Spread(const core::Invocation &call) : ofArg(call.args.size()) {
    for (uint32_t i = 0; i < call.words.size(); ++i) {
      const Word &word = call.words[i];
      if (word.source == Word::Source::Prepend)
        prepended.push_back(i);
      else if (word.source == Word::Source::Append)
        appended.push_back(i);
      else
        ofArg[word.arg].push_back(i);
    }
  }
};
} // namespace

/// The second argument of `--options-file F`: its words are counted to the first.
static bool belongsToOneBefore(const core::Invocation &call, const Spread &spread, size_t arg) {
  return arg > 0 && spread.ofArg[arg].empty() && !call.args[arg].starts_with("@") &&
         llvm::any_of(spread.ofArg[arg - 1], [&](uint32_t index) {
           return call.words[index].source == Word::Source::ResponseFile;
         });
}

void apply(const core::Invocation &call, const Edits &edits, core::ArgList &out) {
  for (const std::string &word : edits.prefix)
    out.add(word);
  auto put = [&](uint32_t index) {
    if (edits.drop.count(index))
      return;
    auto replaced = edits.replace.find(index);
    out.add(replaced != edits.replace.end() ? llvm::StringRef(replaced->second)
                                            : call.words[index].text);
  };
  if (edits.replace.empty() && edits.drop.empty() && !edits.mergeVariables) {
    for (llvm::StringRef arg : call.args)
      out.refer(arg);
  } else {
    Spread spread(call);
    if (edits.mergeVariables)
      llvm::for_each(spread.prepended, put);
    bool touched = false;
    for (size_t i = 0; i < call.args.size(); ++i) {
      if (touched && belongsToOneBefore(call, spread, i))
        continue;
      touched = llvm::any_of(spread.ofArg[i], [&](uint32_t index) {
        return edits.drop.count(index) || edits.replace.count(index);
      });
      if (touched)
        llvm::for_each(spread.ofArg[i], put);
      else
        out.refer(call.args[i]);
    }
    if (edits.mergeVariables)
      llvm::for_each(spread.appended, put);
  }
  for (const std::string &word : edits.suffix)
    out.add(word);
}

} // namespace cudacc::plan
