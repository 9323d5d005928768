// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/linker/Linker.h"
#include "plugins/devlink/linker/Text.h"
#include <iterator>

namespace cudacc::devlink {

namespace {
// The public interface of nvFatbin, as nvFatbin.h of 12.4 to 13.5 declares it.
using FatbinHandle = struct NvFatbinHandle *;

struct FatbinFunctions {
  const char *(*errorText)(int result) = nullptr;
  int (*create)(FatbinHandle *, const char **options, size_t count) = nullptr;
  int (*destroy)(FatbinHandle *) = nullptr;
  int (*addCubin)(FatbinHandle, const void *, size_t, const char *arch, const char *name) = nullptr;
  int (*addPtx)(FatbinHandle, const char *, size_t, const char *arch, const char *name,
                const char *options) = nullptr;
  int (*addLtoIr)(FatbinHandle, const void *, size_t, const char *arch, const char *name,
                  const char *options) = nullptr;
  int (*size)(FatbinHandle, size_t *) = nullptr;
  int (*get)(FatbinHandle, void *) = nullptr;

  bool findIn(Libraries &libraries, void *library) {
    auto get = [&](const char *name, auto &function) {
      return find(libraries, library, name, function);
    };
    return get("nvFatbinGetErrorString", errorText) && get("nvFatbinCreate", create) &&
           get("nvFatbinDestroy", destroy) && get("nvFatbinAddCubin", addCubin) &&
           get("nvFatbinAddPTX", addPtx) && get("nvFatbinAddLTOIR", addLtoIr) &&
           get("nvFatbinSize", size) && get("nvFatbinGet", this->get);
  }
};

/// A size beyond it is not allocated.
constexpr size_t largestFatbin = size_t(1) << 32;
} // namespace

/// `90a` of the option `-arch=sm_90a`.
static std::string archOf(const Link &link) {
  for (const std::string &option : link.options)
    if (option.starts_with("-arch="))
      return option.substr(option.find('_') + 1);
  return {};
}

static int add(const FatbinFunctions &functions, FatbinHandle handle, const Link &link,
               const std::string &image) {
  std::string arch = archOf(link), name = join({"sm_", arch});
  switch (link.emit) {
  case Emit::Cubin:
    return functions.addCubin(handle, image.data(), image.size(), arch.c_str(), name.c_str());
  case Emit::Ptx:
    return functions.addPtx(handle, image.c_str(), image.size() + 1, arch.c_str(), name.c_str(),
                            "");
  case Emit::LtoIr:
    return functions.addLtoIr(handle, image.data(), image.size(), arch.c_str(), name.c_str(), "");
  }
  return -1;
}

/// The call that failed, and its result; empty if none did.
static std::string fill(const FatbinFunctions &functions, FatbinHandle handle, const Job &job,
                        Reply &reply) {
  auto failed = [&](const char *call, int result) {
    const char *text = functions.errorText(result);
    return failureText(call, text ? text : "", result);
  };
  for (size_t i = 0; i < job.links.size(); ++i)
    if (int result = add(functions, handle, job.links[i], reply.results[i].output))
      return failed("nvFatbinAdd", result);
  size_t size = 0;
  if (int result = functions.size(handle, &size))
    return failed("nvFatbinSize", result);
  if (!size || size > largestFatbin)
    return join({"nvFatbinSize: ", decimal(size), " bytes"});
  reply.fatbin.assign(size, '\0');
  if (int result = functions.get(handle, reply.fatbin.data()))
    return failed("nvFatbinGet", result);
  return {};
}

void pack(const Job &job, Libraries &libraries, Reply &reply) {
  void *library = libraries.open(job.packer, reply.fatbinFailure);
  if (!library)
    return;
  FatbinFunctions functions;
  if (!functions.findIn(libraries, library)) {
    reply.fatbinFailure = "it lacks a function of nvFatbin 12.4";
    return;
  }
  FatbinHandle handle = nullptr;
  const char *options[] = {"-64", "-host=linux"};
  if (int result = functions.create(&handle, options, std::size(options))) {
    reply.fatbinFailure = failureText("nvFatbinCreate", "", result);
    return;
  }
  reply.fatbinFailure = fill(functions, handle, job, reply);
  functions.destroy(&handle);
  if (!reply.fatbinFailure.empty())
    reply.fatbin.clear();
}

} // namespace cudacc::devlink
