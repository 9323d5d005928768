// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/linker/Linker.h"
#include "plugins/devlink/linker/Text.h"
#include <algorithm>
#include <iterator>

namespace cudacc::devlink {

namespace {
// The public interface of nvJitLink, as nvJitLink.h of 12.3 to 13.5 declares it.
using JitHandle = struct NvJitLinkHandle *;

struct JitFunctions {
  int (*create)(JitHandle *, uint32_t count, const char *const *options) = nullptr;
  int (*destroy)(JitHandle *) = nullptr;
  int (*addData)(JitHandle, int kind, const void *data, size_t size, const char *name) = nullptr;
  int (*complete)(JitHandle) = nullptr;
  using GetSize = int(JitHandle, size_t *);
  using Get = int(JitHandle, char *);
  GetSize *cubinSize = nullptr, *ptxSize = nullptr, *ltoIrSize = nullptr;
  Get *cubin = nullptr, *ptx = nullptr, *ltoIr = nullptr;
  GetSize *errorLogSize = nullptr, *infoLogSize = nullptr;
  Get *errorLog = nullptr, *infoLog = nullptr;
};

/// nvJitLinkResult of 13.5; 12.0 has the first seven.
constexpr const char *jitResults[] = {
    "NVJITLINK_SUCCESS",
    "NVJITLINK_ERROR_UNRECOGNIZED_OPTION",
    "NVJITLINK_ERROR_MISSING_ARCH",
    "NVJITLINK_ERROR_INVALID_INPUT",
    "NVJITLINK_ERROR_PTX_COMPILE",
    "NVJITLINK_ERROR_NVVM_COMPILE",
    "NVJITLINK_ERROR_INTERNAL",
    "NVJITLINK_ERROR_THREADPOOL",
    "NVJITLINK_ERROR_UNRECOGNIZED_INPUT",
    "NVJITLINK_ERROR_FINALIZE",
    "NVJITLINK_ERROR_NULL_INPUT",
    "NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS",
    "NVJITLINK_ERROR_INCORRECT_INPUT_TYPE",
    "NVJITLINK_ERROR_ARCH_MISMATCH",
    "NVJITLINK_ERROR_OUTDATED_LIBRARY",
    "NVJITLINK_ERROR_MISSING_FATBIN",
    "NVJITLINK_ERROR_UNRECOGNIZED_ARCH",
    "NVJITLINK_ERROR_UNSUPPORTED_ARCH",
    "NVJITLINK_ERROR_LTO_NOT_ENABLED",
};

/// Sizes that a library reports are bounded, so that a wrong one is not allocated.
constexpr size_t largestJitOutput = size_t(1) << 32;

/// nvJitLinkInputType; InputKind has the same numbers.
static_assert(int(JobInputKind::Cubin) == 1 && int(JobInputKind::Ptx) == 2 &&
              int(JobInputKind::LtoIr) == 3 && int(JobInputKind::Fatbin) == 4 &&
              int(JobInputKind::Object) == 5 && int(JobInputKind::Library) == 6);
} // namespace

static std::string nvJitLinkFailure(std::string_view call, int result) {
  bool isKnown = result > 0 && result < int(std::size(jitResults));
  return failureText(call, isKnown ? jitResults[result] : "", result);
}

void readNvJitLinkVersion(Libraries &libraries, void *library, Reply &reply) {
  int (*version)(unsigned *major, unsigned *minor);
  if (!find(libraries, library, "nvJitLinkVersion", version)) {
    reply.opening = Opening::TooOld;
    reply.failure = "it has no nvJitLinkVersion: older than 12.3";
    return;
  }
  unsigned major = 0, minor = 0;
  if (int result = version(&major, &minor)) {
    reply.opening = Opening::NoVersion;
    reply.failure = nvJitLinkFailure("nvJitLinkVersion", result);
    return;
  }
  reply.version = {major, minor};
}

/// All functions with that suffix; those of LTO-IR only from 13.2 on.
static bool findAll(Libraries &libraries, void *library, const std::string &prefix,
                    const std::string &suffix, JitFunctions &all) {
  auto get = [&](const char *name, auto &function) {
    return find(libraries, library, join({prefix, name, suffix}), function);
  };
  get("GetLinkedLTOIRSize", all.ltoIrSize);
  get("GetLinkedLTOIR", all.ltoIr);
  return get("Create", all.create) && get("Destroy", all.destroy) && get("AddData", all.addData) &&
         get("Complete", all.complete) && get("GetLinkedCubinSize", all.cubinSize) &&
         get("GetLinkedCubin", all.cubin) && get("GetLinkedPtxSize", all.ptxSize) &&
         get("GetLinkedPtx", all.ptx) && get("GetErrorLogSize", all.errorLogSize) &&
         get("GetErrorLog", all.errorLog) && get("GetInfoLogSize", all.infoLogSize) &&
         get("GetInfoLog", all.infoLog);
}

namespace {
/// One link. Its logs can be read before and after close().
class NvJitLinkState {
public:
  NvJitLinkState(const JitFunctions &functions, const std::vector<std::string> &options)
      : functions(functions) {
    for (const std::string &option : options)
      words.push_back(option.c_str());
  }
  NvJitLinkState(const NvJitLinkState &) = delete;
  NvJitLinkState &operator=(const NvJitLinkState &) = delete;
  ~NvJitLinkState() { close(); }

  /// The handle of a failed call has logs too, but is not destroyed: nvJitLink 12.3
  /// crashes then (LT-16).
  int create() {
    int result = functions.create(&handle, words.size(), words.data());
    isCreated = !result;
    return result;
  }
  int add(const JobInput &input) {
    // A text ends with a NUL that is counted.
    size_t size = input.bytes.size() + (input.kind == JobInputKind::Ptx);
    return functions.addData(handle, int(input.kind), input.bytes.data(), size, input.name.c_str());
  }
  int complete() { return functions.complete(handle); }
  int copy(JitFunctions::GetSize *getSize, JitFunctions::Get *get, std::string &out) {
    size_t size = 0;
    int result = getSize(handle, &size);
    // An internal error, as the library calls what cannot be.
    if (!result && size > largestJitOutput)
      result = 6;
    if (result)
      return result;
    out.assign(size + 1, '\0');
    result = get(handle, out.data());
    out.resize(result ? 0 : size);
    return result;
  }
  /// Keeps the logs, then destroys the handle (LT-12, LT-14).
  void close() {
    if (!handle)
      return;
    copy(functions.infoLogSize, functions.infoLog, infoLog);
    copy(functions.errorLogSize, functions.errorLog, errorLog);
    if (isCreated)
      functions.destroy(&handle);
    handle = nullptr;
  }

  std::string infoLog, errorLog;

private:
  const JitFunctions &functions;
  std::vector<const char *> words;
  JitHandle handle = nullptr;
  bool isCreated = false;
};

class NvJitLink final : public Linker {
public:
  explicit NvJitLink(const JitFunctions &functions) : functions(functions) {}
  LinkResult link(const Job &job, const Link &link) override;

private:
  std::string failureOf(NvJitLinkState &state, const Job &job, const Link &link,
                        LinkResult &result);
  std::string output(NvJitLinkState &state, Emit emit, std::string &out);

  JitFunctions functions;
};
} // namespace

std::unique_ptr<Linker> openNvJitLink(Libraries &libraries, void *library, const Job &job,
                                      Reply &reply) {
  LibraryVersion asked = job.entryPoints == LibraryVersion() ? reply.version : job.entryPoints;
  std::string suffix = join({"_", decimal(asked.major), "_", decimal(asked.minor)});
  JitFunctions functions;
  if (findAll(libraries, library, "__nvJitLink", suffix, functions))
    return std::make_unique<NvJitLink>(functions);
  functions = {};
  if (findAll(libraries, library, "nvJitLink", "", functions))
    return std::make_unique<NvJitLink>(functions);
  reply.opening = Opening::NoEntryPoints;
  reply.failure =
      join({"it has neither all functions that end in ", suffix, " nor all without such an end"});
  return nullptr;
}

std::string NvJitLink::output(NvJitLinkState &state, Emit emit, std::string &out) {
  switch (emit) {
  case Emit::Cubin:
    if (int result = state.copy(functions.cubinSize, functions.cubin, out))
      return nvJitLinkFailure("nvJitLinkGetLinkedCubin", result);
    break;
  case Emit::Ptx:
    if (int result = state.copy(functions.ptxSize, functions.ptx, out))
      return nvJitLinkFailure("nvJitLinkGetLinkedPtx", result);
    out = withoutNuls(std::move(out));
    break;
  case Emit::LtoIr:
    if (!functions.ltoIrSize || !functions.ltoIr)
      return "it has no nvJitLinkGetLinkedLTOIR";
    if (int result = state.copy(functions.ltoIrSize, functions.ltoIr, out))
      return nvJitLinkFailure("nvJitLinkGetLinkedLTOIR", result);
    break;
  }
  return out.empty() ? "its output is empty" : "";
}

std::string NvJitLink::failureOf(NvJitLinkState &state, const Job &job, const Link &link,
                                 LinkResult &result) {
  if (int error = state.create())
    return nvJitLinkFailure("nvJitLinkCreate", error);
  for (uint32_t index : link.inputs)
    if (int error = state.add(job.inputs[index])) {
      result.refused = index;
      return nvJitLinkFailure("nvJitLinkAddData", error);
    }
  if (int error = state.complete())
    return nvJitLinkFailure("nvJitLinkComplete", error);
  return output(state, link.emit, result.output);
}

/// The functions without suffix succeed, in nvJitLink 12.9, though a reference is undefined: only
/// the error log says so (LT-17).
static bool reportsErrors(std::string_view log) {
  for (size_t at = 0; at < log.size(); at = std::min(log.find('\n', at), log.size() - 1) + 1) {
    std::string_view line = log.substr(at);
    if (line.starts_with("error") || line.starts_with("ERROR"))
      return true;
  }
  return false;
}

LinkResult NvJitLink::link(const Job &job, const Link &link) {
  LinkResult result;
  NvJitLinkState state(functions, link.options);
  result.failure = failureOf(state, job, link, result);
  state.close();
  result.infoLog = withoutNuls(std::move(state.infoLog));
  result.errorLog = withoutNuls(std::move(state.errorLog));
  if (result.failure.empty() && reportsErrors(result.errorLog))
    result.failure = "nvJitLinkComplete: success, with errors in its log";
  result.ok = result.failure.empty();
  if (!result.ok)
    result.output.clear();
  return result;
}

} // namespace cudacc::devlink
