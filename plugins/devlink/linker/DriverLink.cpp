// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/linker/DriverLink.h"
#include "plugins/devlink/linker/Text.h"
#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace cudacc::devlink {

/// Bytes of each log (LT-8).
static constexpr size_t logSize = size_t(4) << 20;

/// The options of every link, in this order: CU_JIT_INFO_LOG_BUFFER, .._SIZE_BYTES,
/// CU_JIT_ERROR_LOG_BUFFER, .._SIZE_BYTES.
static constexpr int logKeys[] = {3, 4, 5, 6};
static constexpr size_t infoSizeAt = 1, errorSizeAt = 3;

static void *asValue(uintptr_t number) { return reinterpret_cast<void *>(number); }

DriverLink::DriverLink(const std::vector<JitOption> &options)
    : infoBuffer(static_cast<char *>(calloc(logSize, 1))),
      errorBuffer(static_cast<char *>(calloc(logSize, 1))) {
  static_assert(!std::is_copy_constructible_v<DriverLink> &&
                !std::is_move_constructible_v<DriverLink> &&
                !std::is_move_assignable_v<DriverLink>);
  // Without memory the driver is given no buffer, and says nothing.
  size_t size = infoBuffer && errorBuffer ? logSize : 0;
  keys.assign(std::begin(logKeys), std::end(logKeys));
  values = {infoBuffer.get(), asValue(size), errorBuffer.get(), asValue(size)};
  for (const JitOption &option : options) {
    keys.push_back(option.key);
    values.push_back(asValue(option.value));
  }
}

DriverLink::~DriverLink() {
  static_assert(offsetof(DriverLink, state) > offsetof(DriverLink, isClosed) &&
                offsetof(DriverLink, isClosed) > offsetof(DriverLink, values));
  close();
}

std::unique_ptr<DriverLink> DriverLink::create(const DriverFunctions &functions, CuContext context,
                                               const std::vector<JitOption> &options, int &result) {
  std::unique_ptr<DriverLink> link(new DriverLink(options));
  link->state.functions = &functions;
  link->state.context = context;
  CuLinkState handle = nullptr;
  result = functions.create(unsigned(link->keys.size()), link->keys.data(), link->values.data(),
                            &handle);
  if (!result)
    link->state.handle = handle;
  return link;
}

/// CUjitInputType.
static int driverKind(JobInputKind kind) {
  switch (kind) {
  case JobInputKind::Cubin:
    return 0;
  case JobInputKind::Ptx:
    return 1;
  case JobInputKind::Fatbin:
    return 2;
  case JobInputKind::Object:
    return 3;
  case JobInputKind::Library:
    return 4;
  case JobInputKind::LtoIr:
    break;
  }
  // CU_JIT_INPUT_NVVM, which the driver takes of toolkits before 12.0 only (LD-4).
  return 5;
}

int DriverLink::add(const JobInput &input) {
  // The driver wants PTX to end with a NUL that is counted (LT-9).
  size_t size = input.bytes.size() + (input.kind == JobInputKind::Ptx);
  return state.functions->addData(state.handle, driverKind(input.kind), input.bytes.data(), size,
                                  input.name.c_str(), 0, nullptr, nullptr);
}

int DriverLink::complete(std::string &cubin) {
  void *image = nullptr;
  size_t size = 0;
  int result = state.functions->complete(state.handle, &image, &size);
  if (!result && image)
    cubin.assign(static_cast<const char *>(image), size);
  return result;
}

int DriverLink::State::destroy() {
  if (!handle)
    return 0;
  // In the context in which it was created (LT-10).
  functions->setContext(context);
  int result = functions->destroy(handle);
  handle = nullptr;
  return result;
}

int DriverLink::close() {
  if (isClosed)
    return 0;
  keptInfoLog = infoLog();
  keptErrorLog = errorLog();
  int result = state.destroy();
  std::vector<int>().swap(keys);
  std::vector<void *>().swap(values);
  infoBuffer.reset();
  errorBuffer.reset();
  isClosed = true;
  return result;
}

/// The driver writes the size as an unsigned int into the slot of a pointer.
static std::string logOf(const char *buffer, void *slot) {
  if (!buffer)
    return {};
  size_t size = uint32_t(reinterpret_cast<uintptr_t>(slot));
  return withoutNuls(std::string(buffer, std::min(size, logSize)));
}

std::string DriverLink::infoLog() const {
  return isClosed ? keptInfoLog : logOf(infoBuffer.get(), values[infoSizeAt]);
}

std::string DriverLink::errorLog() const {
  return isClosed ? keptErrorLog : logOf(errorBuffer.get(), values[errorSizeAt]);
}

} // namespace cudacc::devlink
