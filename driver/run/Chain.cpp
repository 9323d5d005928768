// SPDX-License-Identifier: Apache-2.0
#include "driver/run/Chain.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/support/ProgramNames.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace cudacc::run {

using namespace core;
using namespace support;

/// How often one program may occur in a chain. Wrappers that are started twice are common (they
/// detect it by a variable of their own). A script that tries cuda-cc twice starts two to the power
/// of this many processes.
static constexpr size_t mostStarts = 4;
/// Limit for programs with different names, such as links created anew in every round.
static constexpr size_t longestChain = 32;
/// Longer paths are cut and a hash is appended, as the size of the environment is limited.
static constexpr size_t longestEntry = 400;
/// In bytes. gcc, nvcc and ccache have 700 KB and more; wrappers in C, and clang's driver, less.
static constexpr uint64_t smallProgram = 512 << 10;
/// In microseconds. A call that starts a compiler takes 1 ms, a link of many files 10 to 20 ms.
static constexpr uint64_t muchCpuTime = 250'000;

static std::string encode(llvm::StringRef program) {
  std::string text;
  for (unsigned char c : program) {
    bool plain = c > ' ' && c != ':' && c != '%' && c != 0x7f;
    if (plain)
      text += char(c);
    else
      text += fmt::format("%{:02X}", c);
  }
  if (text.size() <= longestEntry)
    return text;
  return fmt::format("{}~{:016x}", text.substr(0, longestEntry - 17), llvm::xxh3_64bits(text));
}

static std::string decode(llvm::StringRef text) {
  std::string program;
  while (!text.empty()) {
    unsigned char byte;
    if (text.size() >= 3 && text[0] == '%' && !text.substr(1, 2).getAsInteger(16, byte)) {
      program += char(byte);
      text = text.drop_front(3);
    } else {
      program += text[0];
      text = text.drop_front();
    }
  }
  return program;
}

Chain::Chain(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, ':', -1, /*KeepEmpty=*/false);
  // Longer values were not written by cuda-cc.
  for (llvm::StringRef part : llvm::ArrayRef(parts).take_back(longestChain))
    entries.push_back(part.take_front(longestEntry).str());
}

void Chain::add(llvm::StringRef program) { entries.push_back(encode(program)); }

std::string Chain::text() const { return llvm::join(entries, ":"); }

bool Chain::isEndless() const {
  return entries.size() > longestChain || size_t(llvm::count(entries, entries.back())) > mostStarts;
}

std::vector<std::string> Chain::programs() const {
  std::vector<std::string> programs;
  for (const std::string &entry : entries)
    programs.push_back(decode(entry));
  return programs;
}

Finding Chain::finding() const {
  std::vector<std::string> all = programs();
  const std::string &last = all.back();
  // The chain up to the first repetition.
  auto again = std::find(llvm::find(all, last) + 1, all.end(), last);
  std::vector<Fact> facts;
  for (auto it = all.begin(); it != again; ++it)
    facts.push_back({it == all.begin() ? "chain" : "", *it});
  if (again != all.end())
    facts.push_back({"", last + ", again"});
  return makeFinding(Code::NoCompiler,
                     fmt::format("{} starts cuda-cc, which starts it again", support::nameOf(last)),
                     std::move(facts));
}

GuardedRunner::GuardedRunner(Runner &next, Files &files, const Environment &environment,
                             ThisProcess process, FindOther findOther)
    : next(next), files(files), inherited(environment.getOr(chainVariable)),
      process(std::move(process)), findOther(std::move(findOther)) {}

bool GuardedRunner::isParent(llvm::StringRef program) {
  FileStatus parent = files.stat(fmt::format("/proc/{}/exe", process.parent()));
  FileStatus own = files.stat(program);
  return parent.exists() && parent.id.device == own.id.device && parent.id.inode == own.id.inode;
}

bool GuardedRunner::mayLeadBack(llvm::StringRef program) {
  auto file = files.open(program);
  char head[4] = {};
  auto got = llvm::expectedToOptional(file ? (**file).readAt(0, head)
                                           : llvm::Expected<size_t>(file.takeError()));
  // A program may be executable but not readable.
  if (!got)
    return true;
  if (llvm::StringRef(head, *got) != "\x7f"
                                     "ELF")
    return true;
  if (process.cpuTime() > muchCpuTime)
    return true;
  // In the distribution's directories a program's name can be relied on.
  bool isSystems = program.starts_with("/usr/bin/") || program.starts_with("/bin/");
  bool isSuspect = (**file).size() < smallProgram ||
                   support::isLauncherName(support::nameOf(program)) ||
                   (!isSystems && !launcherBehind(program).empty());
  return isSuspect && isParent(program);
}

std::string GuardedRunner::launcherBehind(llvm::StringRef program) {
  std::string link = files.readLink(program).value_or("");
  for (llvm::StringRef name : {support::nameOf(program), support::nameOf(link)})
    if (support::isLauncherName(name))
      return name.str();
  return "";
}

llvm::Error GuardedRunner::refuse(const Chain &chain) {
  Finding finding = chain.finding();
  std::vector<std::string> all = chain.programs();
  llvm::StringRef last = all.back(), name = support::nameOf(last),
                  folder = last.drop_back(name.size() + 1);
  if (std::string launcher = launcherBehind(last); !launcher.empty()) {
    finding.fixes = {
        fmt::format("take {} off PATH, and set CUDA_CC_LAUNCHER={}", folder, launcher)};
    return makeError(std::move(finding));
  }
  std::string instead = findOther(name, all);
  finding.fixes = {
      fmt::format("in {}, start cuda-cc {}", last,
                  instead.empty() ? "with the path of the compiler" : shellWord(instead))};
  bool startsItself = llvm::all_equal(all);
  if (startsItself)
    finding.fixes.push_back("put cuda-cc in its place: ln -sf \"$(command -v cuda-cc)\" " +
                            shellWord(last));
  return makeError(std::move(finding));
}

llvm::Expected<const Command *> GuardedRunner::guard(const Command &command,
                                                     std::optional<Command> &changed) {
  if (inherited.empty() && !mayLeadBack(command.program))
    return &command;
  llvm::StringRef program = command.program;
  Chain chain(inherited);
  chain.add(program.starts_with("/") ? program.str()
                                     : fmt::format("{}/{}", files.workingDirectory(), program));
  if (chain.isEndless())
    return refuse(chain);
  changed = command;
  changed->set.emplace_back(chainVariable.str(), chain.text());
  return &*changed;
}

llvm::Error GuardedRunner::exec(const Command &command) {
  std::optional<Command> changed;
  auto guarded = guard(command, changed);
  return guarded ? next.exec(**guarded) : guarded.takeError();
}

llvm::Expected<ExitStatus> GuardedRunner::spawn(const Command &command) {
  std::optional<Command> changed;
  auto guarded = guard(command, changed);
  if (!guarded)
    return guarded.takeError();
  return next.spawn(**guarded);
}

llvm::Expected<Runner::Answer> GuardedRunner::ask(const Command &command) {
  std::optional<Command> changed;
  auto guarded = guard(command, changed);
  if (!guarded)
    return guarded.takeError();
  return next.ask(**guarded);
}

llvm::Expected<Runner::Answer> GuardedRunner::observe(const Command &command, Accesses &accesses) {
  std::optional<Command> changed;
  auto guarded = guard(command, changed);
  if (!guarded)
    return guarded.takeError();
  return next.observe(**guarded, accesses);
}

} // namespace cudacc::run
