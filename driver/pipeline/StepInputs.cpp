// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/StepInputs.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

using namespace core;
using llvm::StringRef;

/// Of host compilers (gcc's manual, "Environment Variables"); PWD is the folder in debug
/// information.
static constexpr llvm::StringLiteral readBySteps[] = {"CPATH",
                                                      "C_INCLUDE_PATH",
                                                      "CPLUS_INCLUDE_PATH",
                                                      "COMPILER_PATH",
                                                      "GCC_EXEC_PREFIX",
                                                      "GCC_COMPARE_DEBUG",
                                                      "LANG",
                                                      "LANGUAGE",
                                                      "LC_ALL",
                                                      "LC_CTYPE",
                                                      "LC_MESSAGES",
                                                      "PWD",
                                                      "SOURCE_DATE_EPOCH",
                                                      "DEPENDENCIES_OUTPUT",
                                                      "SUNPRO_DEPENDENCIES",
                                                      "CCC_OVERRIDE_OPTIONS"};

/// Those that nvcc's profile appends to, and that decide about programs and temporary files.
static constexpr llvm::StringLiteral readByNvcc[] = {
    "PATH",      "LD_LIBRARY_PATH",   "TMPDIR",      "INCLUDES",     "SYSTEM_INCLUDES",
    "LIBRARIES", "CUDAFE_FLAGS",      "PTXAS_FLAGS", "OPENCC_FLAGS", "TOP",
    "CICC_PATH", "NVVMIR_LIBRARY_DIR"};

static constexpr llvm::StringLiteral prefixesReadByNvcc[] = {"NVCC_", "CUDA_", "NVVM", "_"};

static std::string variables(const Environment &environment,
                             llvm::function_ref<bool(StringRef)> isRead) {
  std::string text;
  for (StringRef entry : environment.entries)
    if (isRead(entry.take_until([](char c) { return c == '='; }))) {
      text += entry;
      text += '\0';
    }
  return text;
}

std::string variablesOfSteps(const Environment &environment) {
  return variables(environment,
                   [](StringRef name) { return llvm::is_contained(readBySteps, name); });
}

std::string variablesOfNvcc(const Environment &environment) {
  return variables(environment, [](StringRef name) {
    bool hasPrefix = llvm::any_of(prefixesReadByNvcc,
                                  [&](StringRef prefix) { return name.starts_with(prefix); });
    return name != "_" && !name.starts_with("CUDA_CC_") &&
           (hasPrefix || llvm::is_contained(readByNvcc, name) ||
            llvm::is_contained(readBySteps, name));
  });
}

StringRef wholeOption(const Invocation &call) {
  static constexpr llvm::StringLiteral options[] = {"-time",
                                                    "--time",
                                                    "-keep",
                                                    "--keep",
                                                    "-keep-dir",
                                                    "--keep-dir",
                                                    "-save-temps",
                                                    "--save-temps",
                                                    "-objtemp",
                                                    "--objdir-as-tempdir",
                                                    "-clean",
                                                    "--clean-targets",
                                                    "-jobserver",
                                                    "--jobserver",
                                                    "-fdevice-time-trace",
                                                    "--fdevice-time-trace",
                                                    "-opt-info",
                                                    "--optimization-info",
                                                    "-"};
  for (const Word &word : call.words)
    if (llvm::is_contained(options, word.text.split('=').first))
      return word.text;
  return "";
}

/// The last value of an option, separate or behind `=`; empty if it is not given.
static StringRef lastValue(const Invocation &call, StringRef shortName, StringRef longName) {
  StringRef value;
  for (size_t i = 0; i < call.words.size(); ++i)
    for (StringRef name : {shortName, longName}) {
      StringRef word = call.words[i].text;
      if (word == name && i + 1 < call.words.size())
        value = call.words[i + 1].text;
      else if (word.consume_front(name) && word.consume_front("="))
        value = word;
    }
  return value;
}

static bool has(const Invocation &call, StringRef shortName, StringRef longName) {
  return llvm::any_of(call.words, [&](const Word &word) {
    return word.text == shortName || word.text == longName;
  });
}

plan::DepfileRequest depfileRequest(const Invocation &call) {
  return {lastValue(call, "-MT", "--dependency-target-name").str(),
          has(call, "-MP", "--generate-dependency-targets"),
          has(call, "-MMD", "--generate-nonsystem-dependencies-with-compile")};
}

bool asksForGpus(const Invocation &call) {
  return llvm::any_of(call.words, [](const Word &word) { return word.text.contains("native"); });
}

} // namespace cudacc::pipeline
