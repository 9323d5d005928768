#include "driver/tools/CheckFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <array>
#include <atomic>
#include <numeric>

namespace cudacc::tools {

using namespace core;

namespace {
enum class Look { NoElf, DeviceCode, Object, Loadable };
}

/// By the first bytes: files below a directory are not judged by their names.
static Look lookAt(ReadableFile &file) {
  std::array<char, 18> start{};
  auto got = file.readAt(0, start);
  if (!got) {
    llvm::consumeError(got.takeError());
    return Look::Loadable;
  }
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

ReadFile readInput(World &world, const Inputs &inputs, const Input &input,
                   const elf::ReadOptions &options) {
  elf::MemberFile *member = nullptr;
  auto file = open(world, inputs, input, &member);
  if (!file)
    return failed(takeFinding(file.takeError()));
  ReadFile result;
  if (!input.named) {
    Look look = lookAt(**file);
    if (look == Look::Object)
      result.state = ReadFile::State::Object;
    bool isPtx = look == Look::NoElf && llvm::StringRef(input.name).ends_with(".ptx");
    if (look != Look::Loadable && look != Look::DeviceCode && !isPtx)
      return result;
  }
  auto openMember = [&](llvm::StringRef name) {
    if (name.starts_with("/"))
      return world.files.open(name);
    llvm::SmallString<256> path(llvm::sys::path::parent_path(input.path));
    llvm::sys::path::append(path, name);
    return world.files.open(path);
  };
  elf::ReadOptions own = options;
  if (!input.member)
    own.openMember = openMember;
  auto staticCudart = [&] { return member->staticCudart(); };
  if (member)
    own.staticCudart = staticCudart;
  // What lies in an environment is known by its place there.
  std::string path =
      input.sitePackages.empty() ? input.name : input.sitePackages + "/" + input.places.front();
  auto facts = elf::read(**file, path, own);
  if (!facts)
    return failed(takeFinding(facts.takeError()));
  result.facts = std::move(*facts);
  result.state = ReadFile::State::Read;
  if (result.facts.kind != BinaryKind::Other || !result.facts.notAudited.empty())
    return result;
  if (!input.named)
    return ReadFile();
  Finding problem;
  problem.code = Code::BrokenBinary;
  problem.message = input.name + " is no ELF file, archive, wheel or device code";
  return failed(std::move(problem));
}

/// Of a member of a wheel, what may be inflated; a file on disk is not read as a whole.
static uint64_t costOf(const Inputs &inputs, const Input &input) {
  return input.member ? inputs.wheels[input.wheel].entries[input.entry].compressedSize : 0;
}

std::vector<ReadFile> readInputs(World &world, const Inputs &inputs,
                                 const elf::ReadOptions &options, Progress &progress) {
  std::vector<ReadFile> results(inputs.files.size());
  std::atomic<size_t> done = 0;
  // The large ones first: a library of 1 GB is inflated by one thread.
  std::vector<size_t> order(results.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return costOf(inputs, inputs.files[a]) > costOf(inputs, inputs.files[b]);
  });
  inParallel(results.size(), [&](size_t at, unsigned) {
    size_t index = order[at];
    results[index] = readInput(world, inputs, inputs.files[index], options);
    progress.say("reading", ++done, results.size());
  });
  return results;
}

} // namespace cudacc::tools
