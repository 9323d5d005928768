// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/rows/Row.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::tables::rows {

/// What there is before rows are read: nothing for the generator, the built-in tables for a user's
/// file, which adds to them and may repeat them but not contradict them.
class Known {
public:
  virtual ~Known() = default;
  virtual std::vector<Number> toolkits() const { return {}; }
  /// Version of a component; empty: the release has none of that distribution.
  virtual llvm::StringRef component(const Number &, llvm::StringRef) const { return {}; }
  virtual bool hasDist(llvm::StringRef) const { return false; }
  /// The toolkit release is known to have the version.
  virtual bool has(const Number &, llvm::StringRef, const versions::Version &) const {
    return false;
  }
  /// The oldest wheel from \p least on that satisfies \p set.
  virtual std::optional<versions::Version> oldestWheel(llvm::StringRef,
                                                       const versions::Version &least,
                                                       const versions::SpecifierSet &set) const;
  virtual Numbering numberingOf(llvm::StringRef dist) const = 0;

  /// The releases of a torch minor.
  virtual std::vector<Torch> torchOf(versions::CudaVersion) const { return {}; }
  virtual size_t pinSetCount() const { return 0; }
  virtual std::vector<OwnedPin> pins(uint16_t) const { return {}; }

  /// The run that a release whose metadata was read is of.
  virtual std::optional<Framework> framework(llvm::StringRef, unsigned,
                                             const versions::Version &) const;
  /// framework_names has it for that CUDA major.
  virtual bool isFramework(llvm::StringRef name, unsigned major) const = 0;
  /// A wheel of it has a library that a target is judged by: cuda-bindings, tensorrt and cuDNN's
  /// frontend have none.
  virtual bool bringsLibrary(llvm::StringRef dist) const = 0;
};

/// The rows of a table; none where there is not such a table.
using TableRows = llvm::function_ref<std::vector<Row>(llvm::StringRef table)>;

/// The tables that these read.
llvm::ArrayRef<llvm::StringRef> releaseTables();

/// Each reads some tables, checks them against what there is, and adds to \p out; in this order.
void readToolkits(TableRows rows, const Known &known, ReleaseTables &out);
void readTorch(TableRows rows, const Known &known, ReleaseTables &out);
void readFrameworks(TableRows rows, const Known &known, ReleaseTables &out);

PinKind pinKindOf(const Row &pin);
/// By distribution, each of which is there once.
void sortPins(const Row &owner, std::vector<OwnedPin> &pins);

} // namespace cudacc::tables::rows
