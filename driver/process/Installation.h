// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/LoadResult.h"
#include "driver/process/PackageTree.h"
#include "driver/process/Process.h"
#include "driver/process/TableTree.h"

namespace cudacc::process {

/// A package that is installed beside the wheels of a runtime which is known from tables.
class Installation {
public:
  /// Both must outlive this; \p target is no environment on this disk. \p requiresFramework: the
  /// package's metadata requires the framework, so its files are always loaded after it, even
  /// without NEEDED entries for it.
  Installation(const core::Target &target, uint16_t machine, PackageFiles &package,
               bool requiresFramework);

  /// Directories in which a file may be installed: `install-dir`, relative to site-packages, or, if
  /// not declared, a package's directory and site-packages itself (F18).
  static std::vector<std::string> placesFor(std::optional<llvm::StringRef> installDir);

  /// The result of loading the file from the first of \p places from which it loads, or else from
  /// the first. If the releases of a range use different directories, the file must load with each
  /// of them. An executable is started.
  ///
  /// A file that NEEDs libraries of the framework is only ever loaded after it (F25). If that does
  /// not make it load, the result is the failure. If it does, the result is the failure without the
  /// framework: the file has no search path of its own, which is no error.
  ///
  /// \p opened are loaded before it, in order, skipping those that fail: libraries of the runtime
  /// by SONAME, and files of the package by their path relative to site-packages.
  core::LoadResult load(const core::BinaryFacts &file, llvm::ArrayRef<std::string> places,
                        llvm::ArrayRef<std::string> opened = {});

  /// What its processes see.
  loader::Tree &tree() { return layouts.front()->installed; }

private:
  struct Layout {
    Layout(const core::Target &target, uint16_t machine, size_t variant, PackageFiles &package)
        : runtime(target, machine, variant), installed(package, runtime) {}
    TableTree runtime;
    PackageTree installed;
  };

  const core::Target &target;
  uint16_t machine;
  PackageFiles &package;
  bool requiresFramework;
  std::vector<std::unique_ptr<Layout>> layouts;

  bool usesFramework(const core::BinaryFacts &file) const;
  void assumeFramework(const core::BinaryFacts &file, const Layout &layout, Process &process) const;
  core::LoadResult loadAt(const core::BinaryFacts &file, llvm::StringRef path, Layout &layout,
                          bool afterFramework, llvm::ArrayRef<std::string> opened);
  /// \p loads: whether the file loads, with the framework at least.
  core::LoadResult loadAt(const core::BinaryFacts &file, llvm::StringRef path,
                          llvm::ArrayRef<std::string> opened, bool &loads);
};

} // namespace cudacc::process
