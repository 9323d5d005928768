// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/rows/Row.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::tables::rows {

/// The tables that exist before rows are read: none for the generator, the built-in ones for a
/// user's file, whose rows may extend and repeat but not contradict them.
class Known {
public:
  virtual ~Known() = default;
  virtual std::vector<Number> toolkits() const { return {}; }
  /// Version of a component. Empty if the release does not contain that distribution.
  virtual llvm::StringRef component(const Number &, llvm::StringRef) const { return {}; }
  virtual bool hasDist(llvm::StringRef) const { return false; }
  /// Whether the toolkit release is known to contain the version.
  virtual bool has(const Number &, llvm::StringRef, const versions::Version &) const {
    return false;
  }
  /// The oldest wheel not older than \p least that satisfies \p set.
  virtual std::optional<versions::Version> oldestWheel(llvm::StringRef,
                                                       const versions::Version &least,
                                                       const versions::SpecifierSet &set) const;
  virtual Numbering numberingOf(llvm::StringRef dist) const = 0;

  /// The releases of a torch minor.
  virtual std::vector<Torch> torchOf(versions::CudaVersion) const { return {}; }
  virtual size_t pinSetCount() const { return 0; }
  virtual std::vector<OwnedPin> pins(uint16_t) const { return {}; }

  /// The run that contains a release whose metadata was read.
  virtual std::optional<Framework> framework(llvm::StringRef, unsigned,
                                             const versions::Version &) const;
  /// Whether framework_names has it for that CUDA major.
  virtual bool isFramework(llvm::StringRef name, unsigned major) const = 0;
  /// Whether a wheel of the distribution has a library that targets include. cuda-bindings,
  /// tensorrt and cuDNN's frontend do not.
  virtual bool bringsLibrary(llvm::StringRef dist) const = 0;
};

/// Whether \p text is the number of a release of the data: `2026.11.0`, three numbers.
bool isDataRelease(llvm::StringRef text);

/// Returns the rows of a table. Empty if there is no such table.
using TableRows = llvm::function_ref<std::vector<Row>(llvm::StringRef table)>;

/// Names of the tables that the functions below read.
llvm::ArrayRef<llvm::StringRef> releaseTables();

/// Each reads some tables, checks them against the known ones and adds to \p out. Call in this
/// order.
void readToolkits(TableRows rows, const Known &known, ReleaseTables &out);
void readTorch(TableRows rows, const Known &known, ReleaseTables &out);
void readFrameworks(TableRows rows, const Known &known, ReleaseTables &out);

PinKind pinKindOf(const Row &pin);
/// Sorts by distribution and rejects duplicates.
void sortPins(const Row &owner, std::vector<OwnedPin> &pins);

} // namespace cudacc::tables::rows
