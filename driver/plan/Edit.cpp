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

std::vector<std::string> apply(const core::Invocation &call, const Edits &edits) {
  std::vector<std::string> out = edits.prefix;
  auto put = [&](uint32_t index) {
    if (edits.drop.count(index))
      return;
    auto replaced = edits.replace.find(index);
    out.push_back(replaced != edits.replace.end() ? replaced->second
                                                  : call.words[index].text.str());
  };
  if (edits.replace.empty() && edits.drop.empty() && !edits.mergeVariables) {
    for (llvm::StringRef arg : call.args)
      out.push_back(arg.str());
  } else {
    Spread spread(call);
    if (edits.mergeVariables)
      llvm::for_each(spread.prepended, put);
    for (size_t i = 0; i < call.args.size(); ++i) {
      bool touched = llvm::any_of(spread.ofArg[i], [&](uint32_t index) {
        return edits.drop.count(index) || edits.replace.count(index);
      });
      if (touched)
        llvm::for_each(spread.ofArg[i], put);
      else
        out.push_back(call.args[i].str());
    }
    if (edits.mergeVariables)
      llvm::for_each(spread.appended, put);
  }
  llvm::append_range(out, edits.suffix);
  return out;
}

} // namespace cudacc::plan
