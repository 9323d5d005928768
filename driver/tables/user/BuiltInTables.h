#pragma once

#include "driver/tables/rows/Readers.h"

namespace cudacc::tables {

/// The built-in tables, for rows that are added to them.
class BuiltInTables : public rows::Known {
public:
  std::vector<rows::Number> toolkits() const override;
  llvm::StringRef component(const rows::Number &toolkit, llvm::StringRef dist) const override;
  bool hasDist(llvm::StringRef dist) const override;
  bool has(const rows::Number &toolkit, llvm::StringRef dist,
           const versions::Version &version) const override;
  std::optional<versions::Version> oldestWheel(llvm::StringRef dist, const versions::Version &least,
                                               const versions::SpecifierSet &set) const override;
  rows::Numbering numberingOf(llvm::StringRef dist) const override;
  std::vector<rows::Torch> torchOf(versions::CudaVersion minor) const override;
  size_t pinSetCount() const override;
  std::vector<rows::OwnedPin> pins(uint16_t pinSet) const override;
  std::optional<rows::Framework> framework(llvm::StringRef name, unsigned major,
                                           const versions::Version &release) const override;
  bool isFramework(llvm::StringRef name, unsigned major) const override;
  bool bringsLibrary(llvm::StringRef dist) const override;
};

} // namespace cudacc::tables
