// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Written.h"
#include "plugins/rtld/Trace.h"
#include "tests/unit/loader/FakeTree.h"
#include <set>

namespace cudacc::test {

/// A disk, the loads of a program on it, and the report about them.
struct Traced : FakeTree {
  Written written;
  std::map<std::string, std::vector<core::Import>> imports;
  /// Symbols of a file; those of a missing file are unknown.
  std::map<std::string, std::set<std::string>> symbols;
  std::map<std::string, std::pair<std::string, versions::CudaVersion>> versions;

  Traced() {
    core::BinaryFacts &program = add("/bin/python");
    program.kind = core::BinaryKind::Executable;
    program.machine = 62;
    program.soname.clear();
  }
  loader::Candidate open(llvm::StringRef path, uint16_t machine) override {
    loader::Candidate found = FakeTree::open(path, machine);
    if (auto its = imports.find(normal(path)); its != imports.end())
      for (core::BinaryFacts &facts : kept)
        if (&facts == found.facts)
          facts.imports = its->second;
    return found;
  }
  versions::Exported exported(llvm::StringRef path, llvm::StringRef symbol,
                              llvm::StringRef) override {
    auto found = symbols.find(normal(path));
    if (found == symbols.end())
      return versions::Exported::Unknown;
    return found->second.count(symbol.str()) ? versions::Exported::Yes : versions::Exported::No;
  }
  rtld::TraceReport trace(llvm::StringRef module = "") {
    auto identify = [this](rtld::TracedCopy &copy) {
      std::tie(copy.version, copy.cuda) = versions[copy.path];
    };
    return rtld::trace(written.records(), module, {*this, 62, identify});
  }
};

/// KC-1: torch's nvJitLink is loaded when an extension built with a newer one is imported.
struct MixedMinors : Traced {
  static constexpr char theirs[] = "/site/nvidia/nvjitlink/lib/libnvJitLink.so.12",
                        newer[] = "/new/libnvJitLink.so.12",
                        sparse[] = "/site/nvidia/cusparse/lib/libcusparse.so.12";

  MixedMinors() {
    add(theirs);
    add(newer);
    add(sparse, {{"libnvJitLink.so.12"}, {}, "$ORIGIN:$ORIGIN/../../nvjitlink/lib", {}});
    add("/site/torch/lib/libtorch_cuda.so",
        {{"libcusparse.so.12"}, {}, "$ORIGIN/../../nvidia/cusparse/lib", {}});
    add("/site/ext.so", {{"libnvJitLink.so.12"}, {}, "/new", ""});
    imports["/site/ext.so"] = {
        {"nvJitLinkVersion", "libnvJitLink.so.12", "libnvJitLink.so.12", false},
        {"__nvJitLinkCreate_12_5", "libnvJitLink.so.12", "libnvJitLink.so.12", false},
        {"nvJitLinkMaybe", "libnvJitLink.so.12", "libnvJitLink.so.12", true},
        {"free", "GLIBC_2.2.5", "libc.so.6", false}};
    symbols[theirs] = {"nvJitLinkVersion", "__nvJitLinkCreate_12_4"};
    symbols[newer] = {"nvJitLinkVersion", "__nvJitLinkCreate_12_5"};
    versions[theirs] = {"12.4.127", {12, 4}};
    versions[newer] = {"12.5.82", {12, 5}};
    written.line("S 7 1 /bin/python /work  0  python")
        .line("O 7 1 0 ")
        .line("O 7 2 0 /lib64/ld-linux-x86-64.so.2")
        .line("O 7 3 0 linux-vdso.so.1")
        .line("R 7")
        .line("Q 7 1 1 /site/torch/lib/libtorch_cuda.so")
        .line("A 7 1")
        .line("O 7 4 0 /site/torch/lib/libtorch_cuda.so")
        .line("Q 7 4 1 libcusparse.so.12")
        .line("Q 7 4 4 /site/torch/lib/../../nvidia/cusparse/lib/libcusparse.so.12")
        .line("O 7 5 0 /site/torch/lib/../../nvidia/cusparse/lib/libcusparse.so.12")
        .line("Q 7 5 1 libnvJitLink.so.12")
        .line("Q 7 5 4 /site/torch/lib/../../nvidia/cusparse/lib/glibc-hwcaps/x86-64-v2/"
              "libnvJitLink.so.12")
        .line("Q 7 5 4 /site/torch/lib/../../nvidia/cusparse/lib/libnvJitLink.so.12")
        .line("Q 7 5 4 " + std::string(spelled))
        .line("O 7 6 0 " + std::string(spelled))
        .line("A 7 0")
        .line("B 7 5 6 3 __nvJitLinkCreate_12_4")
        .line("Q 7 1 1 /site/ext.so")
        .line("A 7 1")
        .line("O 7 7 0 /site/ext.so")
        .line("A 7 0")
        .line("B 7 7 6 3 nvJitLinkVersion")
        .line("B 7 7 6 3 nvJitLinkVersion")
        .line("C 7 7")
        .line("A 7 2")
        .line("A 7 0");
  }
  static constexpr char spelled[] =
      "/site/torch/lib/../../nvidia/cusparse/lib/../../nvjitlink/lib/libnvJitLink.so.12";
};

} // namespace cudacc::test
