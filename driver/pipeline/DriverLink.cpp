// A link whose output is judged: started, read back, sealed or removed.
#include "driver/pipeline/Driver.h"
#include "driver/plan/command/Link.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/report/json/Json.h"
#include "driver/run/RealRunner.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;

/// For cuda-cc below this one: digests of the outputs that are locked further out, `:` between.
static constexpr llvm::StringLiteral outputLocksVariable = "CUDA_CC_OUTPUT_LOCKS";

llvm::Expected<Ended> Driver::spawn(const Plan &plan) {
  llvm::Error error = llvm::Error::success();
  for (const PlannedFile &file : plan.files)
    if (!error)
      error = system.files.write(file.path, file.content, 0600);
  llvm::Expected<Ended> ended =
      error ? llvm::Expected<Ended>(std::move(error)) : system.runner.spawn(plan.command);
  for (const PlannedFile &file : plan.files)
    system.files.remove(file.path);
  return ended;
}

/// Links to one output take turns: ld writes to a name, and what lies there at the end of one is to
/// be what it wrote. A link that another one started for the same output, in a compiler's wrapper,
/// does not wait for it.
std::unique_ptr<FileLock> Driver::lockOutput(Command &command) {
  std::string path = plan::outputOf(call);
  llvm::StringRef name = llvm::sys::path::filename(path);
  std::string folder = llvm::sys::path::parent_path(path).str();
  auto real = system.files.realPath(folder.empty() ? "." : folder);
  FileStatus::Kind kind = system.files.stat(path).kind;
  if (!real || (kind != FileStatus::Kind::None && kind != FileStatus::Kind::Regular))
    return nullptr;
  std::string key = plan::digest(*real + "/" + name.str());
  llvm::StringRef held = system.environment.getOr(outputLocksVariable);
  if (held.contains(key))
    return nullptr;
  command.set.emplace_back(outputLocksVariable, held.empty() ? key : held.str() + ":" + key);
  return store.lock(key);
}

int Driver::runLink(HostLink &link, Plan &&plan) {
  std::unique_ptr<FileLock> lock = lockOutput(plan.command);
  output.emplace(system.files, call);
  auto ended = spawn(plan);
  if (!ended)
    return stop(takeFinding(ended.takeError()));
  if (ended->signal || ended->status) {
    log("child failed");
    lock.reset();
    run::endLike(*ended);
  }
  auto around = [this] { return nearbyToolkits(); };
  output->written();
  auto findings = link.judgeOutput(output->isMade(), around);
  if (!findings)
    return unread(takeFinding(findings.takeError()));
  // The last stage: what follows is the verdict on the file, which is not left out for a question.
  printed("facts", [&] { return report::toJson(link.facts()); });
  Verdict verdict;
  verdict.append(std::move(*findings));
  if (verdict.outcome() != Outcome::Accept)
    return reject(verdict);
  tell(verdict.findings);
  if (llvm::Error error = link.seal())
    return unread(takeFinding(std::move(error)));
  log("linked", &verdict);
  return 0;
}

} // namespace cudacc::pipeline
