#pragma once

#include "driver/cache/Store.h"
#include "driver/config/Config.h"
#include "driver/core/Declaration.h"
#include "driver/core/FoundTorch.h"
#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include "driver/core/Target.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Verdict.h"
#include "driver/pipeline/Compilers.h"
#include "driver/pipeline/HostLink.h"
#include "driver/pipeline/OutputFile.h"
#include "driver/pipeline/System.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <set>

namespace cudacc::pipeline {

/// The subcommands, which see the pipeline and not the other way round.
struct Subcommands {
  /// Works without what a toolchain directory declares.
  bool (*asksNoDeclaration)(llvm::StringRef tool);
  /// Runs the one of \p call; exit status.
  int (*run)(System &system, const core::Invocation &call,
             const core::ToolchainDirectory *directory);
};

/// The pipeline of DESIGN.md section 1, once per call.
class Driver {
public:
  Driver(System &system, const Subcommands &subcommands);
  /// Exit status; does not return when the compiler replaced the process.
  int run(llvm::ArrayRef<llvm::StringRef> argv);

private:
  System &system;
  const Subcommands &subcommands;
  cache::Store store;
  std::optional<core::ToolchainDirectory> directory;
  core::Invocation call;
  core::Declaration declaration;
  config::SearchNotes searched;
  /// Why what the named directory says is not obeyed.
  std::optional<core::Finding> directoryRefused;
  core::Target target;
  llvm::StringRef printStage;
  /// The named directory's headers, where this call's compiler looks last; empty: it does not.
  std::string ownHeaders;
  Started compiler;
  /// Of a link that was started.
  std::optional<OutputFile> output;

  int stages();
  llvm::Error readDeclaration();
  llvm::Error readDirectory();
  /// Why a directory that somebody else may have made stops the call. One that \p goesOn all the
  /// same does without what it says.
  std::optional<core::Finding> refuseDirectory(bool goesOn);
  bool standsBeforeShim();
  void addOwnHeaders();
  bool disabled() const;
  /// Called in a toolchain directory that somebody made by name.
  bool isNamed() const { return directory && !directory->anonymous; }
  bool isUnjudged() const;
  /// A runtime is declared; or a link is to have a manifest all the same, is made in a directory
  /// with libraries of its own, or is the one by which CMake learns what to link with.
  bool hasWork() const;
  /// The compiler with the caller's own words.
  core::Command plain() const;
  /// The compiler takes over; nothing is left to be done.
  int handOver(const core::Command &command);
  /// What the include path of the call finds of CUDA's headers, and of torch's where the runtime
  /// has torch.
  struct Headers {
    std::vector<core::FoundHeader> cuda;
    std::vector<core::FoundTorch> torch;
  };
  Headers findHeaders(const core::Toolkit *toolkit, const core::HostCompiler *host);
  int runNvcc();
  int runHost();
  /// The toolkit that clang uses for CUDA sources: --cuda-path, else /usr/local/cuda. Without an
  /// nvcc in it only its header directory is known, and \p judged is false.
  std::optional<core::Toolkit> clangToolkit(bool &judged);
  std::string clangsOwnToolkit();
  int runLink(HostLink &link, core::Plan &&plan);
  std::unique_ptr<core::FileLock> lockOutput(core::Command &command);
  /// The command with the files it reads, which are gone afterwards.
  llvm::Expected<core::Ended> spawn(const core::Plan &plan);
  /// A finding stops the call: something is declared, and the mode is not `warn` or `off`.
  bool enforced() const;
  /// Nothing when the compiler does not answer.
  std::optional<core::HostCompiler> askHost(const std::string &path);
  /// The output could not be read or sealed.
  int unread(core::Finding finding);
  std::vector<core::FoundToolkit> nearbyToolkits();
  /// Value for -ccbin that leads nvcc's host calls through us; empty: no place for it is writable.
  std::string shimFor(const NvccHost &host);
  /// Path of the forced header with this compile's record; empty: it is left out.
  std::string recordHeader(const core::Toolkit *toolkit, llvm::ArrayRef<core::FoundHeader> headers,
                           const core::HostCompiler *host);

  bool printed(llvm::StringRef stage, llvm::function_ref<llvm::json::Value()> value);
  void tell(llvm::ArrayRef<core::Finding> findings);
  /// Texts of the findings that were told.
  std::set<std::string> told;
  /// F21: \p without is what the link has to do without.
  void tellNoStore(llvm::StringRef without);
  int stop(const core::Finding &finding);
  /// Declared severities and waivers, before the verdict is looked at.
  void settle(core::Verdict &verdict);
  int reject(const core::Verdict &verdict);
  core::Finding runtimeRequired() const;
  /// Of a call that is refused: CUDA_CC_DISABLE was set, what it came up against, what works.
  std::vector<core::Finding> withDisable(std::vector<core::Finding> findings) const;
  void log(llvm::StringRef what, const core::Verdict *verdict = nullptr);
};

} // namespace cudacc::pipeline
