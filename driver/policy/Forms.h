#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Version.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudacc::policy {

/// What a requirement of a declaration is about.
enum class Form { Cuda, Torch };

/// One requirement, understood as far as its text goes.
struct Wish {
  Form form = Form::Cuda;
  core::SpecifierSet specifiers;
  const core::Setting<std::string> *setting = nullptr;

  /// `torch==2.5.1 in pyproject.toml:14`.
  std::string describe() const;
};

/// Code::BadRequirement for text that is no requirement, a form that this version does not
/// understand, and one without a version.
llvm::Expected<Wish> readWish(const core::Setting<std::string> &setting);

} // namespace cudacc::policy
