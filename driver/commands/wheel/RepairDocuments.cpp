// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/Repaired.h"
#include "driver/commands/wheel/VariantFiles.h"
#include "driver/policy/wheel/Bundled.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/Layout.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Base64.h"
#include <algorithm>

namespace cudacc::commands {

using namespace report;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;

static llvm::json::Value libraryJson(const core::LibraryFloor &floor) {
  Object out{{"soname", fixed(floor.soname)}};
  put(out, "distribution", floor.dist);
  if (floor.known())
    out["at_least"] = floor.least.str();
  put(out, "requirement", floor.requirement);
  return out;
}

static llvm::json::Value lineJson(const policy::WheelLine &line) {
  Object out{{"cuda_major", line.major}, {"libraries", array(line.floors, libraryJson)}};
  put(out, "extra", line.extra);
  return out;
}

/// What the wheel was made for, and by what it is brought; common to both documents.
static Object targetJson(const Repaired &repaired) {
  Object out{
      {"schema", 1},
      {"runtimes", strings(repaired.runtimes)},
      {"cuda", array(repaired.cuda, [](auto line) -> llvm::json::Value { return line.str(); })},
      {"lines", array(repaired.lines, lineJson)},
      {"requires", str(repaired.requirements.mode)},
      {"external", strings(repaired.external)}};
  if (repaired.torch.known())
    out["torch"] = repaired.torch.specifier();
  put(out, "torch_build", repaired.torchTag);
  return out;
}

std::string cudaTargetText(const Repaired &repaired) { return report::print(targetJson(repaired)); }

llvm::json::Value repairJson(const Repaired &repaired) {
  Object out = targetJson(repaired);
  out["input"] = fixed(repaired.input);
  out["input_size"] = repaired.inputSize;
  out["output"] = fixed(repaired.output);
  out["output_size"] = repaired.outputSize;
  out["removed"] = strings(repaired.removed);
  out["grafted"] = strings(repaired.grafted);
  out["unchecked"] = strings(repaired.unjudged);
  out["added"] = strings(repaired.requirements.added);
  out["stated"] = strings(repaired.requirements.stated);
  out["extras"] = strings(repaired.requirements.extras);
  if (repaired.variant)
    out["variant"] = Object{{"draft", true},
                            {"label", repaired.variant->label()},
                            {"properties", strings(propertyTexts(*repaired.variant))},
                            {"index", fixed(repaired.variantIndex)}};
  return out;
}

static void addList(std::string &out, llvm::StringRef label, llvm::ArrayRef<std::string> items) {
  for (const std::string &item : items) {
    out += fmt::format("  {:<10} {}\n", label, printable(item));
    label = "";
  }
}

std::string repairText(const Repaired &repaired) {
  std::string out =
      fmt::format("repaired: {} ({}, was {})\n", printable(repaired.output),
                  support::bytesText(repaired.outputSize), support::bytesText(repaired.inputSize));
  addList(out, "for:", repaired.runtimes);
  addList(out, "requires:", repaired.requirements.added);
  addList(out, "stated:", repaired.requirements.stated);
  addList(out, "extras:", repaired.requirements.extras);
  addList(out, "external:", repaired.external);
  addList(out, "removed:", repaired.removed);
  addList(out, "copied in:", repaired.grafted);
  addList(out, "unchecked:", repaired.unjudged);
  if (!repaired.unjudged.empty())
    out += "  name a runtime of each CUDA line to check them: --runtime REQ --runtime REQ\n";
  if (repaired.variant) {
    addList(out, "variant:", propertyTexts(*repaired.variant));
    addList(out, "listed in:", {repaired.variantIndex});
    out += "  draft: installers that do not know PEP 825 refuse the name of this file\n";
  }
  return out;
}

/// Hexadecimal digits of the digest in a row of RECORD; empty for another algorithm.
static std::string hexOf(StringRef digest) {
  if (!digest.consume_front("sha256="))
    return {};
  std::string text = digest.rtrim('=').str();
  std::replace(text.begin(), text.end(), '-', '+');
  std::replace(text.begin(), text.end(), '_', '/');
  text.append((4 - text.size() % 4) % 4, '=');
  std::vector<char> bytes;
  if (llvm::Error error = llvm::decodeBase64(text, bytes)) {
    llvm::consumeError(std::move(error));
    return {};
  }
  return llvm::toHex(StringRef(bytes.data(), bytes.size()), /*LowerCase=*/true);
}

static Object component(StringRef name, StringRef ref) {
  return Object{{"type", "library"}, {"bom-ref", fixed(ref)}, {"name", fixed(name)}};
}

static Object property(StringRef name, StringRef value) {
  return Object{{"name", fmt::format("cuda-cc:{}", name)}, {"value", fixed(value)}};
}

/// What other wheels bring. Which version is installed is not decided here.
static void addRequired(const Repaired &repaired, Array &components) {
  llvm::StringSet<> seen;
  for (const policy::WheelLine &line : repaired.lines)
    for (const core::LibraryFloor &floor : line.floors) {
      if (floor.dist.empty() || !seen.insert(floor.dist).second)
        continue;
      std::string ref = fmt::format("pkg:pypi/{}", floor.dist);
      Object out = component(floor.dist, ref);
      out["purl"] = ref;
      out["properties"] =
          Array{property("requirement", floor.requirement), property("soname", floor.soname)};
      components.push_back(std::move(out));
    }
}

/// Copies that auditwheel made. Their versions are not known.
static void addGrafted(const Repaired &repaired, Array &components) {
  for (const std::string &path : repaired.grafted) {
    Object out = component(policy::nameBeforeGraft(support::nameOf(path)), "file:" + path);
    auto digest = repaired.digests.find(path);
    if (std::string hex = digest == repaired.digests.end() ? "" : hexOf(digest->second);
        !hex.empty())
      out["hashes"] = Array{Object{{"alg", "SHA-256"}, {"content", hex}}};
    out["properties"] = Array{property("file", path)};
    components.push_back(std::move(out));
  }
}

static void addStaticCudart(const Repaired &repaired, Array &components) {
  if (repaired.staticCudart.empty())
    return;
  Object out = component("libcudart_static.a", "static:libcudart_static.a");
  Array files;
  for (const std::string &path : repaired.staticCudart)
    files.push_back(property("linked-into", path));
  out["properties"] = std::move(files);
  components.push_back(std::move(out));
}

/// A package URL, in which `+` and `!` of a version are encoded.
static std::string purlOf(StringRef name, StringRef version) {
  std::string encoded;
  for (char c : version)
    if (c == '+' || c == '!')
      encoded += fmt::format("%{:02X}", unsigned(c));
    else
      encoded += c;
  return fmt::format("pkg:pypi/{}@{}", name, encoded);
}

std::string sbomText(const Repaired &repaired) {
  std::string self = purlOf(repaired.name, repaired.version);
  Object wheel = component(repaired.name, self);
  wheel["version"] = fixed(repaired.version);
  wheel["purl"] = fixed(self);
  Array components;
  addRequired(repaired, components);
  addGrafted(repaired, components);
  addStaticCudart(repaired, components);
  Array refs;
  for (const llvm::json::Value &each : components)
    refs.push_back(*each.getAsObject()->get("bom-ref"));
  Array dependencies{Object{{"ref", fixed(self)}, {"dependsOn", std::move(refs)}}};
  return report::print(Object{{"bomFormat", "CycloneDX"},
                              {"specVersion", "1.4"},
                              {"version", 1},
                              {"metadata", Object{{"component", std::move(wheel)},
                                                  {"tools", Array{Object{{"name", "cuda-cc"}}}}}},
                              {"components", std::move(components)},
                              {"dependencies", std::move(dependencies)}});
}

} // namespace cudacc::commands
