#pragma once

#include "driver/binary/manifest/Seal.h"
#include "driver/cache/Store.h"
#include "driver/core/BinaryFacts.h"
#include "driver/core/FoundTorch.h"
#include "driver/core/LinkedLibrary.h"
#include "driver/core/LoadResult.h"
#include "driver/core/Target.h"
#include "driver/core/Toolkit.h"
#include "driver/core/Verdict.h"
#include "driver/pipeline/Compilers.h"
#include "driver/pipeline/System.h"
#include "driver/pipeline/TorchTables.h"
#include "driver/plan/command/RuntimePath.h"
#include "driver/policy/rules/Judge.h"

namespace cudacc::pipeline {

/// A link by a host compiler, the caller's own or the one that nvcc makes: what goes in is judged,
/// what comes out is judged and sealed.
class HostLink {
public:
  HostLink(System &system, cache::Store &store, const core::Invocation &call,
           const core::Declaration &declaration, const core::Target &target,
           const core::ToolchainDirectory *directory)
      : system(system), store(store), call(call), declaration(declaration), target(target),
        directory(directory) {}

  /// Libraries on the line against the target.
  std::vector<core::Finding> judgeInputs(const std::string &compiler,
                                         policy::LookAround lookAround);
  /// \p recordHeader: forced into what the line compiles on the way; empty: none.
  core::Plan plan(const core::Command &command, const std::string &recordHeader);
  /// Facts of the host compiler, asked once; null: it did not answer.
  const core::HostCompiler *hostFacts(const std::string &compiler);
  /// After the linker succeeded. An error: the output cannot be read or sealed.
  /// \p made: by this link; else it is judged and stays as it is.
  llvm::Expected<std::vector<core::Finding>> judgeOutput(bool made, policy::LookAround lookAround);
  /// Seals what judgeOutput accepted.
  llvm::Error seal();

  /// plan() found no place for the manifest's object (F21).
  bool lacksStore() const { return machine() != 0 && !sealable && !leavesAlone && wantsManifest(); }
  const core::BinaryFacts &facts() const { return artefact; }

private:
  System &system;
  cache::Store &store;
  const core::Invocation &call;
  const core::Declaration &declaration;
  const core::Target &target;
  const core::ToolchainDirectory *directory;
  std::optional<core::HostCompiler> host;
  std::vector<core::LinkedLibrary> libraries;
  /// On the line, where the runtime has torch.
  std::vector<core::FoundTorch> torchLibraries;
  core::BinaryFacts artefact;
  binary::NotePositions positions;
  TorchTables torchTables{system};
  /// The output holds our note and is to be sealed.
  bool sealable = false;
  /// Of the output, for the manifest.
  versions::TorchRange torch;
  /// Nothing is added to the line: no runtime is declared, or what is made is an image without
  /// headers, a kernel, a file laid out by a script.
  bool leavesAlone = false;

  std::optional<core::Toolkit> toolkitBehind();
  uint16_t machine() const;
  bool develops() const;
  bool wantsManifest() const;
  bool namesCuda() const;
  bool isAddition(llvm::StringRef script) const;
  bool makesOrdinaryFile() const;
  core::LinkRecord record() const;
  /// Of the output.
  bool usesCuda() const;
  std::optional<std::string> pathOfLinked(llvm::StringRef name) const;
  bool isBeside(llvm::StringRef name) const;
  bool mayBeFoundByPython(llvm::StringRef name) const;
  std::optional<core::LoadResult> failureInEnvironment() const;
  std::vector<core::Finding> judgeArtefact(policy::LookAround lookAround);
  std::vector<core::Finding> news(std::vector<core::Finding> findings) const;
  void countUnits(core::LinkRecord &record) const;
  std::string noteObject();
  plan::RuntimeUse runtimeUse() const;
  std::vector<std::string> coupledFiles();
  std::vector<std::string> linkFolders() const;
  std::string fileOf(const core::TargetLibrary &wanted, const core::LinkedLibrary &beside);
};

} // namespace cudacc::pipeline
