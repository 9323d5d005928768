// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/linker/DriverLink.h"
#include "plugins/devlink/linker/Linker.h"
#include "plugins/devlink/linker/Text.h"
#include <charconv>
#include <optional>

namespace cudacc::devlink {

namespace {
/// The CUjit_options that have a counterpart among nvJitLink's options. One with `=` takes a
/// number.
struct Counterpart {
  std::string_view option;
  int key;
};

class DriverLinker final : public Linker {
public:
  DriverLinker(const DriverFunctions &functions, int device, CuContext context)
      : functions(functions), device(device), context(context) {}
  ~DriverLinker() override { functions.releaseContext(device); }
  LinkResult link(const Job &job, const Link &link) override;

private:
  std::string failureOf(DriverLink &driver, const Job &job, const Link &link, LinkResult &result);

  DriverFunctions functions;
  int device;
  CuContext context;
};
} // namespace

static constexpr int targetKey = 9;
static constexpr Counterpart counterparts[] = {
    {"-maxrregcount=", 0}, // CU_JIT_MAX_REGISTERS
    {"-O", 7},             // CU_JIT_OPTIMIZATION_LEVEL
    {"-arch=sm_", targetKey},
    {"-g", 11},        // CU_JIT_GENERATE_DEBUG_INFO
    {"-verbose", 12},  // CU_JIT_LOG_VERBOSE
    {"-lineinfo", 13}, // CU_JIT_GENERATE_LINE_INFO
};

static std::string driverFailure(const DriverFunctions &functions, std::string_view call,
                                 int result) {
  const char *name = nullptr;
  if (functions.errorName && functions.errorName(result, &name))
    name = nullptr;
  return failureText(call, name ? name : "", result);
}

static bool readNumber(std::string_view text, uint32_t &value) {
  value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// CUjit_target of `90`, `90a` or `100f`.
static bool readTarget(std::string_view arch, uint32_t &value) {
  uint32_t base = 0;
  if (arch.ends_with('a') || arch.ends_with('f')) {
    base = arch.ends_with('a') ? 0x10000 : 0x20000;
    arch.remove_suffix(1);
  }
  bool isRead = readNumber(arch, value);
  value += base;
  return isRead;
}

static std::optional<JitOption> jitOption(std::string_view option) {
  for (const Counterpart &each : counterparts) {
    if (!option.starts_with(each.option))
      continue;
    std::string_view rest = option.substr(each.option.size());
    bool takesNumber = each.option.ends_with('=') || each.option == "-O";
    JitOption found{each.key, 1};
    bool isRead = each.key == targetKey ? readTarget(rest, found.value)
                  : takesNumber         ? readNumber(rest, found.value)
                                        : rest.empty();
    if (isRead)
      return found;
  }
  return std::nullopt;
}

static bool findVersion(Libraries &libraries, void *library, DriverFunctions &functions,
                        int (*&version)(int *)) {
  // Not in every stub, and not needed for anything else.
  find(libraries, library, "cuGetErrorName", functions.errorName);
  return find(libraries, library, "cuDriverGetVersion", version);
}

void readDriverVersion(Libraries &libraries, void *library, Reply &reply) {
  DriverFunctions functions;
  int (*getVersion)(int *);
  reply.opening = Opening::NoVersion;
  if (!findVersion(libraries, library, functions, getVersion)) {
    reply.failure = "it has no cuDriverGetVersion";
    return;
  }
  int version = 0;
  if (int result = getVersion(&version)) {
    reply.failure = driverFailure(functions, "cuDriverGetVersion", result);
    return;
  }
  if (version <= 0) {
    reply.failure = join({"cuDriverGetVersion: ", decimal(version)});
    return;
  }
  reply.opening = Opening::Ok;
  reply.version = {uint32_t(version) / 1000, uint32_t(version) % 1000 / 10};
}

static bool findAllOfDriver(Libraries &libraries, void *library, DriverFunctions &all) {
  auto get = [&](const char *name, auto &function) {
    return find(libraries, library, name, function);
  };
  get("cuGetErrorName", all.errorName);
  return get("cuInit", all.init) && get("cuDeviceGet", all.device) &&
         get("cuDevicePrimaryCtxRetain", all.retainContext) &&
         get("cuDevicePrimaryCtxRelease_v2", all.releaseContext) &&
         get("cuCtxSetCurrent", all.setContext) && get("cuLinkCreate_v2", all.create) &&
         get("cuLinkAddData_v2", all.addData) && get("cuLinkComplete", all.complete) &&
         get("cuLinkDestroy", all.destroy);
}

std::unique_ptr<Linker> openDriver(Libraries &libraries, void *library, Reply &reply) {
  DriverFunctions functions;
  if (!findAllOfDriver(libraries, library, functions)) {
    reply.opening = Opening::NoEntryPoints;
    reply.failure = "it lacks a function of the driver's linker";
    return nullptr;
  }
  auto refuse = [&](std::string_view call, int result) {
    reply.opening = Opening::NoContext;
    reply.failure = driverFailure(functions, call, result);
    return nullptr;
  };
  int device = 0;
  CuContext context = nullptr;
  if (int result = functions.init(0))
    return refuse("cuInit", result);
  if (int result = functions.device(&device, 0))
    return refuse("cuDeviceGet", result);
  if (int result = functions.retainContext(&context, device))
    return refuse("cuDevicePrimaryCtxRetain", result);
  auto linker = std::make_unique<DriverLinker>(functions, device, context);
  if (int result = functions.setContext(context))
    return refuse("cuCtxSetCurrent", result);
  return linker;
}

std::string DriverLinker::failureOf(DriverLink &driver, const Job &job, const Link &link,
                                    LinkResult &result) {
  for (uint32_t index : link.inputs)
    if (int error = driver.add(job.inputs[index])) {
      result.refused = index;
      return driverFailure(functions, "cuLinkAddData", error);
    }
  if (int error = driver.complete(result.output))
    return driverFailure(functions, "cuLinkComplete", error);
  return result.output.empty() ? "its output is empty" : "";
}

LinkResult DriverLinker::link(const Job &job, const Link &link) {
  LinkResult result;
  if (link.emit != Emit::Cubin) {
    result.failure = "the driver's linker makes cubins only";
    return result;
  }
  for (uint32_t index : link.inputs)
    if (job.inputs[index].kind == JobInputKind::LtoIr) {
      result.failure = "the driver's linker takes no LTO-IR";
      result.refused = index;
      return result;
    }
  std::vector<JitOption> options;
  for (const std::string &option : link.options) {
    std::optional<JitOption> known = jitOption(option);
    if (!known) {
      result.failure = join({"the driver's linker has no counterpart of ", option});
      return result;
    }
    options.push_back(*known);
  }
  int error = 0;
  std::unique_ptr<DriverLink> driver = DriverLink::create(functions, context, options, error);
  result.failure = error ? driverFailure(functions, "cuLinkCreate", error)
                         : failureOf(*driver, job, link, result);
  int destroyed = driver->close();
  result.infoLog = driver->infoLog();
  result.errorLog = driver->errorLog();
  // It changes nothing that was linked (LT-10).
  if (destroyed)
    result.errorLog += driverFailure(functions, "cuLinkDestroy", destroyed).append("\n");
  result.ok = result.failure.empty();
  if (!result.ok)
    result.output.clear();
  return result;
}

} // namespace cudacc::devlink
