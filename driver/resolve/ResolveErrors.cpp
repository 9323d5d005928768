#include "driver/resolve/ResolveErrors.h"
#include "driver/core/Diagnostic.h"
#include "driver/resolve/FrameworkErrors.h"
#include "driver/resolve/Runtimes.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

static std::string textOf(const Wish &wish) { return StringRef(wish.setting->value).trim().str(); }

/// F16.
static constexpr const char *byFile = "facts = FILE, which adds the release (docs/facts.md)";

/// Releases that agree with the wish in the first two numbers, `2.5.0, 2.5.1`.
static std::string siblings(const Wish &wish) {
  std::string list;
  const Version &wanted = wish.specifiers.clauses.front().version;
  for (const tables::TorchRelease &each : tables::torchReleases(wish.more))
    if (each.major == wanted.at(0) && each.minor == wanted.at(1))
      support::appendItem(list, each.str());
  return list;
}

/// The release that a wish with a local label names, when it is known: the label is not.
static std::optional<tables::TorchRelease> releaseBehind(const Wish &wish) {
  for (const Specifier &clause : wish.specifiers.clauses)
    for (const tables::TorchRelease &each : tables::torchReleases(wish.more))
      if (!clause.version.local.empty() && each.major == clause.version.at(0) &&
          each.minor == clause.version.at(1) && each.patch == clause.version.at(2))
        return each;
  return std::nullopt;
}

static llvm::Error unknownTag(const Wish &wish, const tables::TorchRelease &release) {
  Finding result =
      findingAbout(Code::UnknownRelease,
                   fmt::format("torch {} has no known line {}", release, tagOf(wish)), wish);
  std::string lines;
  for (const tables::TorchLine &line : tables::torchLines(release)) {
    support::appendItem(lines, fmt::format("{}{}", line.tag, line.isDefault ? " (PyPI)" : ""));
    result.addFix(fmt::format("torch=={}+{}", release, line.tag));
  }
  result.addFact("lines", lines);
  result.addFix("env:PATH, what is installed there");
  result.addFix(byFile);
  return fail(std::move(result));
}

static llvm::Error unknownTorch(const Wish &wish) {
  Finding result =
      findingAbout(Code::UnknownRelease, "no known torch release satisfies " + textOf(wish), wish);
  tables::TorchRelease newest = tables::torchReleases(wish.more).back();
  result.addFact("newest", fmt::format("torch {} (CUDA {})", newest, newest.defaultLine));
  if (std::string known = siblings(wish); !known.empty())
    result.addFact("known", known);
  result.fixes = {"env:PATH, what is installed there",
                  fmt::format("the CUDA line of that release itself, cuda=={}", newest.defaultLine),
                  byFile};
  return fail(std::move(result));
}

static llvm::Error unknownCuda(const Wish &wish) {
  Finding result =
      findingAbout(Code::UnknownRelease, "no known CUDA release satisfies " + textOf(wish), wish);
  uint64_t major = wish.specifiers.clauses.front().version.at(0);
  std::string lines, newest;
  auto all = tables::toolkitLines(wish.more);
  bool knownMajor = llvm::any_of(all, [&](CudaVersion line) { return line.major == major; });
  for (CudaVersion line : all)
    if (!knownMajor || line.major == major) {
      support::appendItem(lines, line.str());
      newest = line.str();
    }
  if (namesRelease(wish)) {
    CudaVersion line{unsigned(major), unsigned(wish.specifiers.clauses.front().version.at(1))};
    std::string releases;
    for (const tables::ToolkitRelease &each : tables::toolkitReleases(wish.more))
      if (each.line() == line)
        support::appendItem(releases, each.str());
    lines = releases.empty() ? lines : releases;
    newest = releases.empty() ? newest : line.str();
  }
  result.addFact("known", lines);
  result.fixes = {"cuda==" + newest, "env:PATH, what is installed there", byFile};
  return fail(std::move(result));
}

llvm::Error unknownRelease(const Wish &wish) {
  if (wish.form == Form::Cuda)
    return unknownCuda(wish);
  if (wish.form == Form::Framework)
    return unknownFramework(wish);
  if (!tagOf(wish).empty())
    if (auto release = releaseBehind(wish))
      return unknownTag(wish, *release);
  return unknownTorch(wish);
}

/// The wish with another upper (or lower) bound: its own ones on that side dropped.
static std::string bounded(const Wish &wish, StringRef op, StringRef bound) {
  using Op = Specifier::Op;
  std::string text = wish.form == Form::Framework ? wish.framework.str()
                     : wish.form == Form::Torch   ? "torch"
                                                  : "cuda";
  bool upper = op == "<";
  std::string rest;
  for (const Specifier &clause : wish.specifiers.clauses) {
    bool dropped = upper ? clause.op == Op::Less || clause.op == Op::LessEqual
                         : clause.op == Op::Greater || clause.op == Op::GreaterEqual;
    if (!dropped)
      rest += fmt::format(",{}", clause);
  }
  std::string added = fmt::format("{}{}", op, bound);
  return text + (upper ? (rest.empty() ? "" : rest.substr(1) + ",") + added : added + rest);
}

/// The wish that the split is in: for torch the one that allows its releases.
static const Wish &rangeOf(llvm::ArrayRef<Wish> wishes, const World &split) {
  for (const Wish &wish : wishes)
    if (wish.form == Form::Torch)
      return wish;
  for (const Wish &wish : wishes)
    if (wish.form == (split.isCuda() ? Form::Cuda : Form::Framework))
      return wish;
  return wishes.front();
}

llvm::Error spansMajors(llvm::ArrayRef<Wish> wishes, const Worlds &worlds) {
  unsigned major = worlds.front().line.major;
  const World &split =
      *llvm::find_if(worlds, [&](const World &world) { return world.line.major != major; });
  const Wish &range = rangeOf(wishes, split);
  Finding result = findingAbout(
      Code::SpansMajors,
      fmt::format("{} spans CUDA {} and {}", textOf(range), major, split.line.major), wishes);
  std::string first = split.describe();
  if (!split.isCuda())
    first += fmt::format(" (CUDA {})", split.line);
  result.addFact("splits at", first);
  std::string bound = split.torch ? split.torch->str() : split.number();
  // A framework that leaves torch open: torch itself has to be declared beside it.
  if (split.torch && range.form == Form::Framework)
    result.fixes = {"declare torch too: torch<" + bound, "declare torch too: torch>=" + bound};
  else
    result.fixes = {bounded(range, "<", bound), bounded(range, ">=", bound)};
  return fail(std::move(result));
}

llvm::Error contradiction(llvm::ArrayRef<Wish> wishes) {
  Finding result = makeFinding(Code::Constraint, "the declared requirements exclude one another");
  result.origin = wishes.front().setting->origin.str();
  llvm::SmallVector<Wish, 2> cuda;
  for (const Wish &wish : wishes) {
    std::string text = wish.describe();
    Worlds alone = worldsOf(wish);
    if (wish.form == Form::Cuda)
      cuda.push_back(wish);
    else if (alone.front().line != alone.front().newest)
      text += fmt::format(", which is CUDA {} or newer", alone.front().line);
    else if (alone.front().line == alone.back().line)
      text += fmt::format(", which is CUDA {}", alone.front().line);
    else
      text += fmt::format(", which is CUDA {} to {}", alone.front().line, alone.back().line);
    result.addFact("requires", text);
  }
  // A build of the same release for the line that is asked for may exist.
  Worlds lines = cuda.empty() ? Worlds{} : worldsOf(cuda);
  for (const Wish &wish : wishes) {
    if (wish.form != Form::Torch || !tagOf(wish).empty() || lines.empty())
      continue;
    Worlds releases = worldsOf(wish);
    for (const tables::TorchLine &line : tables::torchLines(*releases.back().torch))
      if (llvm::any_of(lines, [&](const World &world) { return world.line == line.cuda; }))
        result.addFix(fmt::format("torch=={}+{}", *releases.back().torch, line.tag));
    if (std::string torch = firstTorchWith(lines.front().line); !torch.empty())
      result.addFix(torch);
  }
  result.addFix("leave one of them out");
  return fail(std::move(result));
}

} // namespace cudacc::resolve
