// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/devicelink/LinkCase.h"
#include "driver/tables/lookup/Device.h"
#include "driver/versions/EnumWords.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using tables::Works;

llvm::StringRef wordOf(Artifact kind) {
  static constexpr llvm::StringLiteral words[] = {"LTO-IR", "PTX", "a cubin"};
  return versions::entryOf<Artifact::Cubin>(words, kind);
}

namespace {

/// How device code relates to a linker.
enum class Fit { Taken, Unpromised, Newer, OtherMajor, Unrelated };

Fit fitOfLtoIr(CudaVersion producer, CudaVersion linker) {
  bool major = producer.major != linker.major;
  if (!takesLtoIr(producer, linker))
    return major ? Fit::OtherMajor : Fit::Newer;
  return major ? Fit::Unpromised : Fit::Taken;
}

Fit fitOfPtx(CudaVersion producer, CudaVersion linker, CudaVersion isa) {
  if (!isa.known())
    isa = tables::ptxOf(producer);
  switch (tables::translatesPtx(linker, isa)) {
  case Works::Yes:
    return Fit::Taken;
  case Works::No:
    return Fit::Newer;
  case Works::Unknown:
    break;
  }
  // A linker translates what a compiler of its release or an older one writes, also where the
  // tables do not have that release.
  return producer.known() && producer <= linker ? Fit::Taken : Fit::Unrelated;
}

/// PL-3.
Fit fitOf(const LinkImage &input, CudaVersion linker) {
  if (!input.producer.known() && !input.isa.known())
    return Fit::Taken; // LI-4
  if (!linker.known())
    return Fit::Newer;
  switch (input.kind) {
  case Artifact::LtoIr:
    return fitOfLtoIr(input.producer, linker);
  case Artifact::Ptx:
    return fitOfPtx(input.producer, linker, input.isa);
  case Artifact::Cubin:
    break;
  }
  // Refused even though 12.5 to 12.9 were seen to accept cubins of 13.x without an error (PL-2).
  return linker >= input.producer ? Fit::Taken : Fit::Newer;
}

} // namespace

Misfits misfitsOf(llvm::ArrayRef<LinkImage> inputs, CudaVersion linker) {
  Misfits misfits;
  for (const LinkImage &input : inputs)
    switch (fitOf(input, linker)) {
    case Fit::Taken:
      break;
    case Fit::Unpromised:
      misfits.unpromised.push_back(&input);
      break;
    case Fit::Newer:
      misfits.newer.push_back(&input);
      break;
    case Fit::OtherMajor:
      misfits.otherMajor.push_back(&input);
      break;
    case Fit::Unrelated:
      misfits.unrelated.push_back(&input);
      break;
    }
  return misfits;
}

} // namespace cudacc::policy
