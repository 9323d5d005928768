// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/inputs/ReadFile.h"
#include "driver/binary/elf/Damage.h"
#include "driver/binary/elf/Header.h"
#include "driver/policy/rules/LoadFailure.h"
#include "driver/probe/python/Pip.h"
#include "driver/probe/python/Record.h"
#include "driver/process/DiskTree.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "driver/versions/ModuleName.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <array>
#include <atomic>
#include <numeric>

namespace cudacc::commands {

using namespace core;
using namespace versions;

namespace {
enum class Look { NoElf, DeviceCode, Object, Loadable };
}

/// By the first bytes: files below a directory are not selected by name.
static Look lookAt(ReadableFile &file) {
  std::array<char, 18> start{};
  auto got = llvm::expectedToOptional(file.readAt(0, start));
  if (!got)
    return Look::Loadable;
  llvm::StringRef head(start.data(), std::min<size_t>(*got, 4));
  if (head == "\x50\xed\x55\xba" || head == "\xed\x43\x4e\x7f")
    return Look::DeviceCode;
  if (head != "\177ELF")
    return Look::NoElf;
  // e_type in either byte order: 1 is a relocatable object.
  bool object = *got == start.size() && start[16] + start[17] == 1;
  return object ? Look::Object : Look::Loadable;
}

static ReadFile failed(Finding problem) {
  ReadFile result;
  result.state = ReadFile::State::Failed;
  result.problem = std::move(problem);
  return result;
}

/// Adds the installer's record of a damaged file, or the permissions of one that cannot be opened.
static Finding explained(pipeline::System &system, probe::InstallerRecords *records,
                         const Input &input, Finding finding) {
  if (input.member || !records)
    return finding;
  std::string path = support::absolute(input.path, system.files);
  FileStatus status = system.files.stat(path);
  if (finding.code == Code::UnreadableFile && status.exists())
    finding.facts.push_back({"where", process::permissionsOf(status)});
  if (finding.code != Code::Damaged && finding.code != Code::BrokenBinary)
    return finding;
  auto recorded = records->find(path);
  if (!recorded)
    return finding;
  if (recorded->size && *recorded->size != status.id.size)
    finding.facts.push_back(
        {"recorded", fmt::format("{} bytes, by {}", *recorded->size, recorded->package())});
  // The installer wrote more than there is now.
  if (recorded->size && *recorded->size > status.id.size && finding.code == Code::BrokenBinary) {
    finding.code = Code::Damaged;
    finding.severity = severityOf(finding.code);
  }
  finding.fixes.push_back(fmt::format("{} --force-reinstall --no-deps {}",
                                      probe::pipInstallBeside(recorded->site, system.files),
                                      support::shellWord(recorded->package())));
  return finding;
}

static Finding noLibrary(const Input &input, llvm::StringRef because, llvm::StringRef words) {
  return makeFinding(Code::NotLoadable,
                     fmt::format("{} is not a library", support::nameOf(input.name)),
                     {{"file", input.name},
                      {"because", because.str()},
                      {"loader", fmt::format("{}: {}", input.name, words)}});
}

/// A finding for a file that Python or the loader would take by its name, but cannot load.
static std::optional<Finding> misnamed(const Input &input, const ReadableFile &file, Look look) {
  llvm::StringRef name = support::nameOf(input.name);
  bool isModule = pythonOfModule(name).has_value();
  if (look == Look::Object && (isModule || isLibraryName(name)))
    return noLibrary(input, "it is an object file that was not linked",
                     "only ET_DYN and ET_EXEC can be loaded");
  if (look != Look::NoElf)
    return std::nullopt;
  if (file.size() < 4 && isSharedObjectName(name))
    return binary::damageFinding({binary::Damage::Ends::Refused, binary::TooShort, "", file.size()},
                                 input.name);
  if (isModule)
    return noLibrary(input, "it is not an ELF file", "invalid ELF header");
  return std::nullopt;
}

/// \p member is the file, if it is one of a wheel.
static ReadFile readOpened(pipeline::System &system, probe::InstallerRecords *records,
                           const Input &input, ReadableFile &file, binary::MemberFile *member,
                           const binary::ReadOptions &options) {
  ReadFile result;
  Look look = lookAt(file);
  if (std::optional<Finding> finding = misnamed(input, file, look))
    return failed(explained(system, records, input, std::move(*finding)));
  if (!input.named) {
    if (look == Look::Object)
      result.state = ReadFile::State::Object;
    bool isPtx = look == Look::NoElf && llvm::StringRef(input.name).ends_with(".ptx");
    if (look != Look::Loadable && look != Look::DeviceCode && !isPtx)
      return result;
  }
  auto openMember = [&](llvm::StringRef name) {
    if (name.starts_with("/"))
      return system.files.open(name);
    llvm::SmallString<256> path(llvm::sys::path::parent_path(input.path));
    llvm::sys::path::append(path, name);
    return system.files.open(path);
  };
  binary::ReadOptions own = options;
  if (!input.member)
    own.openMember = openMember;
  // Those of a member may lie far before what was read of it last.
  own.relocations = !input.member;
  auto staticCudart = [&] { return member->staticCudart(); };
  if (member)
    own.staticCudart = staticCudart;
  // A file in an environment is known by its path there.
  std::string path = input.sitePackages.empty()
                         ? input.name
                         : support::joinPath(input.sitePackages, input.places.front());
  auto facts = binary::read(file, path, own);
  if (!facts)
    return failed(explained(system, records, input, toFinding(facts.takeError())));
  if (!input.named && policy::isForDebuggers(*facts))
    return ReadFile();
  result.facts = std::move(*facts);
  result.state = ReadFile::State::Read;
  if (result.facts.kind != BinaryKind::Other || !result.facts.notAudited.empty())
    return result;
  if (!input.named)
    return ReadFile();
  return failed(toFinding(
      makeError(Code::BrokenBinary,
                fmt::format("{} is not an ELF file, archive, wheel or device code", input.name))));
}

ReadFile readInput(pipeline::System &system, probe::InstallerRecords *records, const Inputs &inputs,
                   const Input &input, const binary::ReadOptions &options) {
  binary::MemberFile *member = nullptr;
  auto file = open(system, inputs, input, &member);
  if (!file)
    return failed(explained(system, records, input, toFinding(file.takeError())));
  ReadFile result = readOpened(system, records, input, **file, member, options);
  // Other bytes than those that were packed prove nothing, whatever they look like.
  llvm::Error error = member ? member->verify() : llvm::Error::success();
  if (!error)
    return result;
  Finding problem = toFinding(std::move(error));
  // A file of zeros may be denser than any library. Nothing is concluded from it.
  bool judged = result.state == ReadFile::State::Read || result.state == ReadFile::State::Failed;
  return problem.code == Code::LimitReached && !judged ? result : failed(std::move(problem));
}

/// Bytes to inflate for a member of a wheel; 0 for a file on disk, which is not read completely.
static uint64_t costOf(const Inputs &inputs, const Input &input) {
  return input.member ? inputs.wheels[input.wheel].entries[input.entry].compressedSize : 0;
}

std::vector<ReadFile> readInputs(pipeline::System &system, const Inputs &inputs,
                                 const binary::ReadOptions &options) {
  std::vector<ReadFile> results(inputs.files.size());
  std::atomic<size_t> begun = 0;
  probe::InstallerRecords records(system.files);
  // Large members first: one thread inflates a library of 1 GB.
  std::vector<size_t> order(results.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return costOf(inputs, inputs.files[a]) > costOf(inputs, inputs.files[b]);
  });
  pipeline::inParallel(results.size(), [&](size_t at, unsigned) {
    size_t index = order[at];
    const Input &input = inputs.files[index];
    if (system.progress)
      system.progress->begin("reading", ++begun, results.size(), input.name);
    results[index] = readInput(system, &records, inputs, input, options);
  });
  return results;
}

} // namespace cudacc::commands
