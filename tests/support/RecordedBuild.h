// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Runner.h"
#include "plugins/audit/BuildModel.h"
#include "tests/support/MemoryFiles.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"

namespace cudacc::test {

/// A Ninja that prints recorded output.
class RecordedNinja : public core::Runner {
public:
  std::map<std::string, std::string> answers;
  core::ExitStatus ended;
  std::vector<std::vector<std::string>> asked;

  llvm::Error exec(const core::Command &) override { llvm_unreachable("nothing is replaced"); }
  llvm::Expected<core::ExitStatus> spawn(const core::Command &) override {
    llvm_unreachable("nothing is built");
  }
  llvm::Expected<Answer> ask(const core::Command &command) override {
    std::vector<std::string> &words = asked.emplace_back();
    for (size_t i = 0; i != command.argv.size(); ++i)
      words.push_back(command.argv[i].str());
    Answer answer;
    answer.ended = ended;
    answer.out = "ninja: Entering directory `/b'\n" + answers[words.at(4)];
    answer.err = ended.status ? "ninja: error: broken\n" : "";
    return answer;
  }
};

/// A build directory of tests/unit/PLUGIN/builds on an in-memory disk, at /b.
struct RecordedFolder {
  MemoryFiles files;
  RecordedNinja ninja;

  RecordedFolder(llvm::StringRef plugin, llvm::StringRef name) {
    auto text = llvm::MemoryBuffer::getFile(CUDACC_SOURCE_DIR "/tests/unit/" + plugin + "/builds/" +
                                            name + ".json");
    auto value = llvm::cantFail(llvm::json::parse((*text)->getBuffer()));
    for (const auto &[key, content] : *value.getAsObject()) {
      llvm::StringRef path = key;
      std::string written = content.getAsString() ? content.getAsString()->str()
                                                  : llvm::formatv("{0}", content).str();
      if (path.consume_front("-t commands "))
        ninja.answers[path.str()] = written;
      else
        files.file("/b/" + path.str(), written);
    }
  }
};

using Json = llvm::json::Value;

/// Calls \p onPlace for \p value and all values below it.
inline void forEachPlace(Json &value, llvm::function_ref<void(Json &)> onPlace) {
  onPlace(value);
  if (auto *object = value.getAsObject())
    for (auto &member : *object)
      forEachPlace(member.second, onPlace);
  if (auto *list = value.getAsArray())
    for (Json &item : *list)
      forEachPlace(item, onPlace);
}

inline std::string printedJson(const Json &value) { return llvm::formatv("{0}", value).str(); }

inline const audit::BuildTarget *targetOf(const audit::BuildModel &model, llvm::StringRef name,
                                          llvm::StringRef configuration = "") {
  for (const audit::BuildTarget &target : model.targets)
    if (target.name == name && target.configuration == configuration)
      return &target;
  return nullptr;
}

/// The commands of a target, as `kind program -> output`.
inline std::vector<std::string> stepsOf(const audit::BuildModel &model, llvm::StringRef name) {
  std::vector<std::string> out;
  for (const audit::BuildCommand &command : model.commands) {
    if (!command.target || model.targets[*command.target].name != name)
      continue;
    static constexpr llvm::StringLiteral kinds[] = {"compile", "device link", "link"};
    std::string step = (command.isOwn ? "own " : "") + kinds[size_t(command.kind)].str();
    out.push_back(step + " " + llvm::join(command.programs, " ") + " -> " + command.output);
  }
  return out;
}

} // namespace cudacc::test
