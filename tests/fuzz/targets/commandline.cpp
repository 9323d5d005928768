// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Cli.h"
#include "tests/fuzz/Folder.h"

using namespace cudacc;

/// The first file is a command line, one word per line; others are response files. Lines of `env`
/// are variables.
static void run(llvm::StringRef bytes) {
  fuzz::Folder folder(bytes, "/w");
  llvm::SmallVector<llvm::StringRef> argv;
  folder.text.split(argv, '\n');
  core::Environment environment;
  std::string variables = llvm::expectedToOptional(folder.files.read("/w/env")).value_or("");
  for (llvm::StringRef line : llvm::split(variables, '\n'))
    environment.entries.push_back(line);
  auto call = fuzz::valueOf(cli::parse(argv, environment, folder.files));
  if (!call)
    return;
  // Later stages look words up by these numbers.
  for (const core::Word &word : call->words)
    fuzz::expect(word.source > core::Word::Source::ResponseFile || call->hasVariableFlags ||
                 word.arg < call->args.size());
  for (uint32_t word : call->ccbinWords)
    fuzz::expect(word < call->words.size());
  for (const core::LinkInput &input : call->linkInputs)
    fuzz::expect(input.word < call->words.size());
  fuzz::expect(call->cudaSources <= call->sources.size());
  cli::mayCompile(*call);
  if (call->isOpen)
    for (core::Dialect dialect : {core::Dialect::Nvcc, core::Dialect::Gcc, core::Dialect::Clang}) {
      core::Invocation open = *call;
      if (llvm::Error error = cli::parseAs(dialect, open, environment, folder.files))
        fuzz::expectFinding(std::move(error));
    }
}

static const fuzz::Target target("commandline", run);
