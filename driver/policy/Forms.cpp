#include "driver/policy/Forms.h"
#include "driver/core/CudaVersion.h"
#include "driver/core/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

namespace {

struct KnownForm {
  StringRef name;
  /// Nothing: a form that this version does not resolve yet.
  std::optional<Form> form;
  StringRef example;
};

/// Every form of PRODUCT.md section 4, in the order in which messages list them.
constexpr KnownForm forms[] = {
    {"cuda", Form::Cuda, "cuda==12.4"},
    {"torch", Form::Torch, "torch==2.5.1"},
    {"env", std::nullopt, "env:PATH"},
    {"lock", std::nullopt, "lock:FILE"},
    {"driver", std::nullopt, "driver>=535.104"},
    {"sm", std::nullopt, "sm>=80"},
    {"jax", std::nullopt, "jax[cuda12]==0.4.35"},
    {"tensorflow", std::nullopt, "tensorflow[and-cuda]==2.18.0"},
    {"cupy", std::nullopt, "cupy-cuda12x"},
};

const KnownForm *find(StringRef head) {
  std::string name = Requirement::normalise(head);
  for (const KnownForm &form : forms)
    if (name == form.name || (form.name == "cupy" && StringRef(name).starts_with("cupy-")))
      return &form;
  return nullptr;
}

std::string understood(StringRef between, bool examples) {
  std::string list;
  for (const KnownForm &form : forms)
    if (form.form)
      list += (list.empty() ? "" : between.str()) + (examples ? form.example : form.name).str();
  return list;
}

llvm::Error bad(const Setting<std::string> &setting, std::string message, std::string fix) {
  Finding finding;
  finding.code = Code::BadRequirement;
  finding.message = std::move(message);
  finding.origin = setting.origin.str();
  if (setting.origin)
    finding.facts.push_back({"declared", "in " + finding.origin});
  finding.facts.push_back(
      {"understood", understood(" and ", false) + ", with the specifiers of PEP 440"});
  finding.fixes.push_back(std::move(fix));
  return fail(std::move(finding));
}

/// The name a requirement begins with.
StringRef headOf(StringRef text) {
  return text.take_while([](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
}

std::string quoted(StringRef text) {
  // A diagnostic is one line; what was written may be anything.
  std::string plain;
  for (char c : text.take_front(40))
    plain += llvm::isPrint(c) || (c & 0x80) ? c : '?';
  return '"' + plain + (text.size() > 40 ? "..." : "") + '"';
}

/// `cuda 12.4`, `torch=2.5.1`, `cuda12.4`, or a version alone: what was probably meant.
std::string meant(StringRef head, StringRef rest) {
  rest = rest.ltrim("= \t").trim();
  if (!Version::parse(rest))
    return "write " + understood(" or ", true);
  return "write " + head.str() + "==" + rest.str();
}

llvm::Error refuse(const Setting<std::string> &setting, StringRef text) {
  if (auto version = Version::parse(text))
    return bad(setting, quoted(text) + " does not say of what it is the version",
               meant(version->local.empty() && version->at(0) > 9 ? "cuda" : "torch", text));
  StringRef head = headOf(text);
  if (const KnownForm *form = find(head)) {
    if (!form->form)
      return bad(setting, quoted(text) + ": this version does not understand " + form->name.str(),
                 "write " + understood(" or ", true));
    return bad(setting, quoted(text) + " is no requirement",
               meant(form->name, text.drop_front(head.size())));
  }
  llvm::SmallVector<StringRef, 8> names;
  for (const KnownForm &form : forms)
    if (form.form)
      names.push_back(form.name);
  StringRef name = head.rtrim("0123456789.");
  StringRef near = nearest(name.lower(), names);
  return bad(setting, quoted(text) + " is no runtime that this version knows",
             near.empty() ? "write " + understood(" or ", true)
             : near == name
                 ? meant(near, text.drop_front(name.size()))
                 : "did you mean " + near.str() + text.drop_front(head.size()).str() + "?");
}

} // namespace

std::string Wish::describe() const {
  std::string text = setting->value;
  if (setting->origin)
    text +=
        (setting->origin.kind == Origin::Kind::File ? " in " : " from ") + setting->origin.str();
  return text;
}

llvm::Expected<Wish> readWish(const Setting<std::string> &setting) {
  StringRef text = StringRef(setting.value).trim();
  if (text.empty())
    return bad(setting, "the runtime is empty", "write " + understood(" or ", true));
  auto requirement = Requirement::parse(text);
  const KnownForm *form = requirement ? find(requirement->name) : nullptr;
  if (!form || !form->form)
    return refuse(setting, text);
  if (*form->form == Form::Cuda && !requirement->extras.empty())
    return bad(setting, quoted(text) + ": cuda has no extras", "write " + form->example.str());
  if (requirement->specifiers.clauses.empty())
    return bad(setting, quoted(text) + " names no version", "write " + form->example.str());
  return Wish{*form->form, std::move(requirement->specifiers), &setting};
}

} // namespace cudacc::policy
