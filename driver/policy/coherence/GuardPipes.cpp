// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Words.h"
#include "driver/policy/coherence/GuardCase.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Drivers.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::Works;

std::optional<Artifact> readArtifact(StringRef word) {
  return llvm::StringSwitch<std::optional<Artifact>>(word)
      .Case("ltoir", Artifact::LtoIr)
      .Case("ptx", Artifact::Ptx)
      .Case("elf", Artifact::Elf)
      .Case("cubin", Artifact::Cubin)
      .Case("object", Artifact::Object)
      .Case("library", Artifact::Library)
      .Case("fatbin", Artifact::Fatbin)
      .Default(std::nullopt);
}

StringRef wordOf(Artifact kind) {
  switch (kind) {
  case Artifact::LtoIr:
    return "LTO-IR";
  case Artifact::Ptx:
    return "PTX";
  case Artifact::Cubin:
    return "a cubin";
  case Artifact::Library:
    return "a library";
  case Artifact::Fatbin:
    return "a fatbin";
  case Artifact::Elf:
  case Artifact::Object:
    return "an object";
  }
  return "";
}

const TargetLibrary *nvJitLinkOf(const Target &target) {
  return target.find(fmt::format("libnvJitLink.so.{}", target.line.major));
}

bool takesLtoIr(CudaVersion producer, CudaVersion consumer) {
  Works measured = tables::nvJitLinkTakes(ImageKind::LtoIr, producer, consumer);
  if (measured != Works::Unknown)
    return measured == Works::Yes;
  if (producer.major == consumer.major)
    return producer <= consumer;
  return producer < consumer &&
         tables::majorsWork(ImageKind::LtoIr, producer.major, consumer.major);
}

namespace {

Finding broken(Code code, const Pipe &pipe, CudaVersion producer, CudaVersion consumer,
               const Content &content, std::string because) {
  std::string isa = content.kind == Artifact::Ptx && content.isa.known()
                        ? fmt::format(" ISA {}", content.isa)
                        : std::string();
  Finding finding =
      makeFinding(code, fmt::format("{}{} of {} {} for {} {}", wordOf(content.kind), isa,
                                    pipe.producer, producer, pipe.consumer, consumer));
  finding.addFact("because", std::move(because));
  return finding;
}

std::optional<Finding> judgeLtoIr(const Pipe &pipe, CudaVersion producer, CudaVersion consumer,
                                  const Content &content) {
  bool major = producer.major != consumer.major;
  if (!takesLtoIr(producer, consumer))
    return broken(major ? Code::PipeMajor : Code::PipeOlder, pipe, producer, consumer, content,
                  "a linker takes LTO-IR of its own release or an older one");
  if (!major)
    return std::nullopt;
  return broken(Code::LtoIrOlderMajor, pipe, producer, consumer, content,
                "measured to link; NVIDIA promises it inside a major only");
}

std::optional<Finding> judgePtx(const Pipe &pipe, CudaVersion producer, CudaVersion consumer,
                                Content content) {
  if (!content.isa.known())
    if (auto newest = tables::ptxOf(producer))
      content.isa = {newest->major, newest->minor};
  switch (tables::translatesPtx(consumer, content.isa)) {
  case Works::Yes:
    return std::nullopt;
  case Works::No:
    return broken(Code::PipeOlder, pipe, producer, consumer, content,
                  "PTX is translated by what knows its ISA");
  case Works::Unknown:
    break;
  }
  return broken(Code::UnknownRelease, pipe, producer, consumer, content,
                "no table says which PTX ISA either of them has");
}

std::optional<Finding> judgeContent(const Pipe &pipe, CudaVersion producer, CudaVersion consumer,
                                    const Content &content) {
  switch (content.kind) {
  case Artifact::LtoIr:
    return judgeLtoIr(pipe, producer, consumer, content);
  case Artifact::Ptx:
    return judgePtx(pipe, producer, consumer, content);
  case Artifact::Elf:
  case Artifact::Cubin:
  case Artifact::Object:
  case Artifact::Library:
  case Artifact::Fatbin:
    // Rejected even though 12.5 to 12.9 were seen to accept cubins of 13.x without an error (PL-2).
    if (consumer >= producer)
      return std::nullopt;
    return broken(Code::PipeOlder, pipe, producer, consumer, content,
                  "a linker takes machine code of its own release or an older one");
  }
  return std::nullopt;
}

} // namespace

std::optional<Finding> judgePipe(const Pipe &pipe, CudaVersion producer, CudaVersion consumer) {
  if (!producer.known() || !consumer.known())
    return std::nullopt;
  if (pipe.producer == "nvvm" || pipe.consumer == "nvvm") {
    if (producer == consumer)
      return std::nullopt;
    return broken(Code::PipeNvvm, pipe, producer, consumer, pipe.content,
                  "NVVM IR is not a stable format between releases");
  }
  if (pipe.consumer != "nvJitLink" && pipe.consumer != "nvlink")
    return std::nullopt;
  if (pipe.contents.empty())
    return judgeContent(pipe, producer, consumer, pipe.content);
  std::optional<Finding> worst;
  for (const Content &content : pipe.contents) {
    auto finding = judgeContent(pipe, producer, consumer, content);
    if (finding && (!worst || finding->severity > worst->severity))
      worst = std::move(finding);
  }
  return worst;
}

/// PL-7: the host linker accepts objects of any release without a message, so their contents are
/// compared with the runtime.
static void judgeHostLink(GuardCase &judged, const Item &producer) {
  CudaVersion line = judged.target.line;
  if (!line.known() || !producer.cuda.known() || !exceeds(producer.cuda, line))
    return;
  bool major = producer.cuda.major != line.major;
  if (!major && judged.options.enforce == Enforce::Symbols)
    return;
  Finding &finding =
      judged.add(major ? Code::TargetMajor : Code::TargetNewer,
                 fmt::format("an object of {} {} {} CUDA {}", producer.name, producer.cuda,
                             major ? "is of another major than" : "is newer than runtime", line));
  finding.addFact("compiled by", producer.describe());
  finding.addFact("runtime", judged.target.describe());
}

void judgePipes(GuardCase &judged, llvm::ArrayRef<Pipe> pipes) {
  for (const Pipe &pipe : pipes)
    for (const Item &producer : judged.items) {
      if (producer.name != pipe.producer)
        continue;
      if (pipe.consumer == "host" && pipe.content.kind == Artifact::Object)
        judgeHostLink(judged, producer);
      for (const Item &consumer : judged.items) {
        if (consumer.name != pipe.consumer || &consumer == &producer)
          continue;
        auto finding = judgePipe(pipe, producer.cuda, consumer.cuda);
        if (!finding)
          continue;
        finding->library = consumer.soname;
        finding->addFact("from", producer.describe());
        finding->addFact("to", consumer.describe());
        judged.noteConsequence(*finding, producer);
        judged.noteConsequence(*finding, consumer);
        judged.findings.push_back(std::move(*finding));
      }
    }
}

} // namespace cudacc::policy
