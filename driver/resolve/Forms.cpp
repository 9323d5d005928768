#include "driver/resolve/Forms.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Text.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Format.h"
#include "driver/versions/PlaceRequirement.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;
using support::quoted;

namespace {

struct KnownForm {
  StringRef name;
  Form form;
  StringRef example;
  /// Offered to somebody who has not declared a runtime yet.
  bool offered = false;
};

/// Every form of a requirement, in the order in which messages list them.
constexpr KnownForm forms[] = {
    {"cuda", Form::Cuda, "cuda==12.4", true},
    {"torch", Form::Torch, "torch==2.5.1", true},
    {"env", Form::Environment, "env:PATH", true},
    {"lock", Form::Lock, "lock:FILE"},
    {"driver", Form::Driver, "driver>=535.104"},
    {"sm", Form::Gpus, "sm>=80"},
    {"jax", Form::Framework, "jax[cuda12]==0.4.35"},
    {"tensorflow", Form::Framework, "tensorflow[and-cuda]==2.18.0"},
    {"cupy", Form::Framework, "cupy-cuda12x"},
};

const KnownForm *find(StringRef head) {
  std::string name = Requirement::normalise(head);
  for (const KnownForm &form : forms)
    if (name == form.name)
      return &form;
  return nullptr;
}

std::string understood() {
  return support::joined(forms, ", ", [](const KnownForm &form) { return form.example; });
}

std::string offers() {
  std::string list;
  for (const KnownForm &form : forms)
    if (form.offered)
      list += fmt::format("{}{}", list.empty() ? "write " : " or ", form.example);
  return list;
}

llvm::Error bad(const Setting<std::string> &setting, std::string message, std::string fix) {
  Finding finding = makeFinding(Code::BadRequirement, std::move(message));
  finding.origin = setting.origin.str();
  if (setting.origin)
    finding.addFact("declared", "in " + finding.origin);
  finding.addFact("understood", understood() + ", with the specifiers of PEP 440");
  finding.addFix(std::move(fix));
  return fail(std::move(finding));
}

/// The name a requirement begins with.
StringRef headOf(StringRef text) {
  return text.take_while([](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
}

/// `cuda 12.4`, `torch=2.5.1`, `cuda12.4`, or a version alone: what was probably meant.
std::string meant(StringRef head, StringRef rest) {
  rest = rest.ltrim("= \t").trim();
  if (!Version::parse(rest))
    return offers();
  return fmt::format("write {}=={}", head, rest);
}

llvm::Error refuse(const Setting<std::string> &setting, StringRef text) {
  if (auto version = Version::parse(text))
    return bad(setting, quoted(text) + " does not say of what it is the version",
               meant(version->local.empty() && version->at(0) > 9 ? "cuda" : "torch", text));
  StringRef head = headOf(text);
  if (auto arch = Arch::parse(text); arch && head.starts_with("sm_"))
    return bad(setting, quoted(text) + " is no requirement", "write " + arch->str("sm="));
  if (const KnownForm *form = find(head)) {
    bool versioned = form->form == Form::Cuda || form->form == Form::Torch;
    return bad(setting, quoted(text) + " is no requirement",
               versioned ? meant(form->name, text.drop_front(head.size()))
                         : fmt::format("write {}", form->example));
  }
  llvm::SmallVector<StringRef, 64> names;
  for (const KnownForm &form : forms)
    names.push_back(form.name);
  for (const tables::FrameworkName &each : tables::frameworkNames())
    names.push_back(each.name);
  StringRef name = head.rtrim("0123456789.");
  StringRef near = nearest(name.lower(), names);
  return bad(setting, quoted(text) + " is no runtime that this version knows",
             near.empty() ? offers()
             : near == name
                 ? meant(near, text.drop_front(name.size()))
                 : fmt::format("did you mean {}{}?", near, text.drop_front(head.size())));
}

Wish wishOf(Form form, const Setting<std::string> &setting) {
  Wish wish;
  wish.form = form;
  wish.setting = &setting;
  return wish;
}

/// `sm>=80`; `sm=80,86,90a`, also with `==` as every other form has it.
llvm::Expected<Wish> readGpus(const Setting<std::string> &setting, StringRef text, StringRef rest) {
  Wish wish = wishOf(Form::Gpus, setting);
  wish.andNewer = rest.consume_front(">=");
  if (!wish.andNewer && !rest.consume_front("==") && !rest.consume_front("="))
    return refuse(setting, text);
  llvm::SmallVector<StringRef, 8> parts;
  rest.split(parts, ',');
  for (StringRef part : parts) {
    auto arch = Arch::parse(part.trim());
    if (!arch)
      return bad(setting, quoted(part.trim()) + " is no GPU architecture",
                 "write sm=80,86,90 or sm>=80");
    wish.archs.push_back(*arch);
  }
  // Code for sm_90a runs on nothing newer: "from there up" has no meaning for it.
  if (wish.andNewer && (wish.archs.size() > 1 || wish.archs.front().suffix))
    return bad(setting, quoted(text) + " is no requirement",
               fmt::format("write sm>={}", wish.archs.front().number));
  llvm::sort(wish.archs);
  wish.archs.erase(llvm::unique(wish.archs), wish.archs.end());
  return wish;
}

/// The newest release that was read, as an example.
std::string exampleOf(const tables::FrameworkName &name) {
  auto runs = tables::frameworkRuns(name);
  StringRef last = runs.back().read.empty() ? runs.back().first : runs.back().read.back();
  return fmt::format("{}=={}", name, last);
}

/// Without its extra a framework comes without CUDA; one of them is the one that decides.
llvm::Expected<Wish> readFramework(const Setting<std::string> &setting, Requirement requirement,
                                   llvm::ArrayRef<tables::FrameworkName> called) {
  const tables::FrameworkName *chosen = nullptr;
  bool several = false;
  for (const tables::FrameworkName &each : called) {
    if (!llvm::all_of(each.extras, [&](StringRef extra) {
          return llvm::is_contained(requirement.extras, extra);
        }))
      continue;
    several = chosen && !chosen->extras.empty();
    chosen = &each;
  }
  StringRef text = StringRef(setting.value).trim();
  std::string specifiers = requirement.specifiers.str();
  std::string named;
  for (const tables::FrameworkName &each : called)
    if (!each.extras.empty())
      named += (named.empty() ? "write " : " or ") +
               (specifiers.empty() ? exampleOf(each) : fmt::format("{}{}", each, specifiers));
  if (!chosen)
    return bad(setting, quoted(text) + " names no extra that brings CUDA", named);
  if (several)
    return bad(setting, quoted(text) + " names extras of two CUDA majors", named);
  if (requirement.specifiers.clauses.empty() && (!chosen->fixesMajor() || !requirement.url.empty()))
    return bad(setting, quoted(text) + " names no version", "write " + exampleOf(*chosen));
  Wish wish = wishOf(Form::Framework, setting);
  wish.framework = *chosen;
  wish.specifiers = std::move(requirement.specifiers);
  return wish;
}

/// V-DR-15: a release has two or three numbers; `535` alone is a branch.
llvm::Expected<Wish> readDriver(const Setting<std::string> &setting, StringRef text,
                                StringRef rest) {
  if (!rest.consume_front(">="))
    return refuse(setting, text);
  rest = rest.trim();
  llvm::SmallVector<StringRef, 4> numbers;
  rest.split(numbers, '.');
  bool good = numbers.size() > 1 && numbers.size() < 4 &&
              llvm::all_of(
                  numbers,
                  [](StringRef part) {
                    return !part.empty() && part.size() < 6 && llvm::all_of(part, llvm::isDigit);
                  });
  if (good) {
    Wish wish = wishOf(Form::Driver, setting);
    wish.driver = rest.str();
    return wish;
  }
  Finding finding = findingAbout(Code::DriverRelease, quoted(rest) + " is no driver release",
                                 wishOf(Form::Driver, setting));
  finding.addFact("a release", "two or three numbers, as nvidia-smi prints them");
  finding.addFix("write driver>=535.104");
  return fail(std::move(finding));
}

} // namespace

std::string Wish::describe() const {
  std::string text = setting->value;
  if (setting->origin)
    text += fmt::format(" {} {}", setting->origin.kind == Origin::Kind::File ? "in" : "from",
                        setting->origin);
  return text;
}

Finding findingAbout(Code code, std::string message, llvm::ArrayRef<Wish> wishes,
                     llvm::StringRef label) {
  Finding finding = makeFinding(code, std::move(message));
  finding.origin = wishes.front().setting->origin.str();
  for (const Wish &wish : wishes)
    finding.addFact(label, wish.describe());
  return finding;
}

static llvm::Expected<Wish> readPlace(const Setting<std::string> &setting,
                                      const PlaceRequirement &place) {
  bool isLock = place.kind == PlaceRequirement::Kind::Lock;
  Wish wish = wishOf(isLock ? Form::Lock : Form::Environment, setting);
  wish.path = place.path.str();
  if (place.isActive || !wish.path.empty())
    return wish;
  if (isLock)
    return bad(setting, "\"lock:\" names no lock", "write lock:uv.lock");
  return bad(setting, "\"env:\" names no environment", "write env:PATH, or env for the active one");
}

llvm::Expected<Wish> readWish(const Setting<std::string> &setting) {
  StringRef text = StringRef(setting.value).trim();
  if (text.empty())
    return bad(setting, "the runtime is empty", offers());
  if (auto place = PlaceRequirement::parse(text))
    return readPlace(setting, *place);
  StringRef head = headOf(text), rest = text.drop_front(head.size()).ltrim();
  if (head.equals_insensitive("sm"))
    return readGpus(setting, text, rest);
  if (head.equals_insensitive("driver"))
    return readDriver(setting, text, rest);
  auto requirement = Requirement::parse(text);
  if (requirement)
    if (auto called = tables::frameworksCalled(requirement->name); !called.empty())
      return readFramework(setting, std::move(*requirement), called);
  const KnownForm *form = requirement ? find(requirement->name) : nullptr;
  if (!form || (form->form != Form::Cuda && form->form != Form::Torch))
    return refuse(setting, text);
  if (form->form == Form::Cuda && !requirement->extras.empty())
    return bad(setting, quoted(text) + ": cuda has no extras",
               fmt::format("write {}", form->example));
  if (requirement->specifiers.clauses.empty())
    return bad(setting, quoted(text) + " names no version", fmt::format("write {}", form->example));
  Wish wish = wishOf(form->form, setting);
  wish.specifiers = std::move(requirement->specifiers);
  return wish;
}

} // namespace cudacc::resolve
