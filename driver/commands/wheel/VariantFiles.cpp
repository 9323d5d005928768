// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/VariantFiles.h"
#include "driver/report/json/Json.h"
#include "driver/support/Json.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "driver/versions/Version.h"
#include "driver/versions/WheelName.h"
#include <algorithm>

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;

policy::VariantResult variantOfWheel(llvm::ArrayRef<ReadFile> files,
                                     llvm::ArrayRef<policy::WheelLine> lines,
                                     llvm::ArrayRef<versions::CudaVersion> cuda) {
  std::vector<const BinaryFacts *> facts;
  bool needsCuda = false;
  for (const ReadFile &file : files) {
    if (file.state != ReadFile::State::Read)
      continue;
    facts.push_back(&file.facts);
    needsCuda |= file.facts.staticCudart || !file.facts.device.empty();
  }
  std::set<unsigned> majors;
  for (const policy::WheelLine &line : lines)
    majors.insert(line.major);
  if (majors.empty() && needsCuda)
    for (versions::CudaVersion line : cuda)
      majors.insert(line.major);
  return policy::variantOf(facts, majors);
}

/// Features of the namespace `nvidia`, with their values.
static Object featuresOf(const policy::VariantProperties &properties) {
  Object features{{"cuda_version_lower_bound", Array{properties.lower.str()}},
                  {"cuda_version_upper_bound", Array{fmt::format("{}", properties.upper())}}};
  if (!properties.architectures.empty())
    features["sm_arch"] = Array(properties.architectures);
  return features;
}

std::vector<std::string> propertyTexts(const policy::VariantProperties &properties) {
  std::vector<std::string> texts{
      fmt::format("nvidia :: cuda_version_lower_bound :: {}", properties.lower),
      fmt::format("nvidia :: cuda_version_upper_bound :: {}", properties.upper())};
  for (const std::string &each : properties.architectures)
    texts.push_back(fmt::format("nvidia :: sm_arch :: {}", each));
  return texts;
}

static Object documentOf(const policy::VariantProperties &properties) {
  Object provider{{"plugin-api", "nvidia_variant_provider.plugin:NvidiaVariantPlugin"},
                  {"requires", Array{"nvidia-variant-provider"}}};
  return Object{
      {"$schema", "https://variants-schema.wheelnext.dev/peps/850/v0.2.0.json"},
      {"default-priorities", Object{{"namespace", Array{"nvidia"}}}},
      {"providers", Object{{"nvidia", std::move(provider)}}},
      {"variants", Object{{properties.label(), Object{{"nvidia", featuresOf(properties)}}}}}};
}

std::string variantText(const policy::VariantProperties &properties) {
  return report::print(documentOf(properties));
}

llvm::Expected<std::vector<WrittenVariant>> readVariants(StringRef text) {
  support::TextError error;
  auto document = support::readJson(text, error);
  if (!document)
    return makeError(Code::BrokenWheel,
                     fmt::format("variant.json, line {}: {}", error.line, error.why));
  const support::Value *variants = document->find("variants");
  if (!variants || !variants->isTable() || variants->keys.empty())
    return makeError(Code::BrokenWheel, "variant.json has no variant");
  std::vector<WrittenVariant> found;
  for (const auto &[label, namespaces] : llvm::zip(variants->keys, variants->items)) {
    WrittenVariant &variant = found.emplace_back();
    variant.label = label;
    for (const auto &[space, features] : llvm::zip(namespaces.keys, namespaces.items))
      for (const auto &[feature, values] : llvm::zip(features.keys, features.items))
        for (StringRef value : values.texts())
          variant.properties.push_back(fmt::format("{} :: {} :: {}", space, feature, value));
  }
  return found;
}

/// Adds the entries below \p key. Returns the first one that is there with another value.
static std::optional<std::string> addEntries(Object &document, const Object &added, StringRef key) {
  Object *there = document.getObject(key);
  if (!there)
    return key.str();
  for (const auto &[name, value] : *added.getObject(key)) {
    auto [it, isNew] = there->try_emplace(name, value);
    if (!isNew && it->second != value)
      return fmt::format("{}.{}", key, StringRef(name));
  }
  return std::nullopt;
}

/// Whether \p there is \p added, or has more namespaces behind, those of other wheels.
static bool extends(const Object &there, const Object &added) {
  static constexpr StringRef key = "default-priorities", part = "namespace";
  const Object *known = there.getObject(key);
  const Array *names = known ? known->getArray(part) : nullptr;
  const Array &ours = *added.getObject(key)->getArray(part);
  return names && names->size() >= ours.size() &&
         std::equal(ours.begin(), ours.end(), names->begin());
}

/// The document of \p text with the variant; an error names the key that does not fit.
static llvm::Expected<std::string> merge(const std::string &text, const std::string &path,
                                         const policy::VariantProperties &properties) {
  Object added = documentOf(properties);
  if (text.empty())
    return report::print(std::move(added));
  auto refuse = [&](const std::string &why) {
    return makeError(Code::CannotWrite, fmt::format("cannot add a variant to {}", path),
                     {{"because", why}}, {"write into another directory: -w"});
  };
  support::TextError error;
  if (!support::readJson(text, error))
    return refuse(fmt::format("line {}: {}", error.line, error.why));
  auto document = llvm::expectedToOptional(llvm::json::parse(text));
  Object *object = document ? document->getAsObject() : nullptr;
  if (!object)
    return refuse("it is no object");
  if (const llvm::json::Value *schema = object->get("$schema");
      !schema || *schema != *added.get("$schema"))
    return refuse("another value of $schema");
  if (!extends(*object, added))
    return refuse("another value of default-priorities");
  for (StringRef key : {"providers", "variants"})
    if (auto other = addEntries(*object, added, key))
      return refuse(fmt::format("another value of {}", *other));
  return report::print(std::move(*document));
}

/// `{name}-{version}` with both in the normal form of wheels' names.
static std::string stemOf(StringRef wheel) {
  auto name = versions::WheelName::parse(wheel);
  if (!name)
    return wheel.str();
  std::string normal = versions::Requirement::normalise(name->name);
  std::replace(normal.begin(), normal.end(), '-', '_');
  auto version = versions::Version::parse(name->version);
  return fmt::format("{}-{}", normal, version ? version->str() : name->version);
}

llvm::Expected<VariantIndex> VariantIndex::read(pipeline::System &system, const std::string &folder,
                                                StringRef wheel,
                                                const policy::VariantProperties &properties) {
  std::string stem = stemOf(wheel);
  VariantIndex index(system, support::joinPath(folder, fmt::format("{}-variants.json", stem)));
  index.lock = system.files.lock(support::joinPath(folder, fmt::format(".{}.lock", stem)));
  if (system.files.stat(index.file).exists()) {
    if (llvm::Error error = system.files.read(index.file).moveInto(index.before))
      return error;
  }
  if (llvm::Error error = merge(index.before, index.file, properties).moveInto(index.after))
    return error;
  return index;
}

llvm::Error VariantIndex::write() {
  return after == before ? llvm::Error::success() : system->files.write(file, after);
}

} // namespace cudacc::commands
