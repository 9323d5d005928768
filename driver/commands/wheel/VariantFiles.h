// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/inputs/ReadFile.h"
#include "driver/policy/wheel/Requirements.h"
#include "driver/policy/wheel/Variant.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// The properties of a wheel with these \p files, whose device code was read. \p cuda: the lines
/// that it is made for, which count for files that name no library of a major.
policy::VariantResult variantOfWheel(llvm::ArrayRef<ReadFile> files,
                                     llvm::ArrayRef<policy::WheelLine> lines,
                                     llvm::ArrayRef<versions::CudaVersion> cuda);

/// `nvidia :: sm_arch :: 80_real`, one per property.
std::vector<std::string> propertyTexts(const policy::VariantProperties &properties);
/// The text of `dist-info/variant.json`, schema 0.2.0 of PEP 850 (draft).
std::string variantText(const policy::VariantProperties &properties);

/// What a `variant.json` says of one variant.
struct WrittenVariant {
  std::string label;
  /// As propertyTexts().
  std::vector<std::string> properties;
};

/// The variants in a text of that schema. Error: BrokenWheel, if it is no JSON or has none.
llvm::Expected<std::vector<WrittenVariant>> readVariants(llvm::StringRef text);

/// `{name}-{version}-variants.json` beside the wheels of one version: the variants of all of them.
class VariantIndex {
public:
  /// Reads what is in \p folder and adds a variant. No other call writes it until this ends.
  /// \p wheel: the file name of the variant. Error: CannotWrite, if what is there is no such file,
  /// or has other providers or priorities, or other properties under the same label.
  static llvm::Expected<VariantIndex> read(pipeline::System &system, const std::string &folder,
                                           llvm::StringRef wheel,
                                           const policy::VariantProperties &properties);
  /// Writes it, in one step, unless the variant was there already.
  llvm::Error write();
  const std::string &path() const { return file; }

private:
  VariantIndex(pipeline::System &system, std::string file)
      : system(&system), file(std::move(file)) {}

  pipeline::System *system;
  std::string file;
  std::unique_ptr<core::FileLock> lock;
  std::string before, after;
};

} // namespace cudacc::commands
