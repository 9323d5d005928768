// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/devlink/Job.h"
#include <cstdlib>
#include <memory>

namespace cudacc::devlink {

// The public interface of the driver, as cuda.h of 13.0 declares it; so since 5.5, and
// CUjit_target's suffixes since 12.0.
using CuContext = struct CuContextObject *;
using CuLinkState = struct CuLinkStateObject *;

struct DriverFunctions {
  int (*init)(unsigned flags) = nullptr;
  int (*errorName)(int result, const char **name) = nullptr;
  int (*device)(int *device, int ordinal) = nullptr;
  int (*retainContext)(CuContext *, int device) = nullptr;
  int (*releaseContext)(int device) = nullptr;
  int (*setContext)(CuContext) = nullptr;
  int (*create)(unsigned count, int *options, void **values, CuLinkState *) = nullptr;
  int (*addData)(CuLinkState, int kind, const void *data, size_t size, const char *name,
                 unsigned count, int *options, void **values) = nullptr;
  int (*complete)(CuLinkState, void **cubin, size_t *size) = nullptr;
  int (*destroy)(CuLinkState) = nullptr;
};

/// A CUjit_option and its value.
struct JitOption {
  int key;
  uint32_t value;
};

/// One link by the driver. Until cuLinkDestroy the driver reads and writes the values of the
/// options and the buffers of the logs, whose addresses it was given at the beginning (LT-1, LT-2):
/// they are allocated once, and members are destroyed from the last to the first (LT-3, LT-4).
class DriverLink {
public:
  /// \p result is that of cuLinkCreate. If that failed the link has logs and nothing else (LT-7).
  static std::unique_ptr<DriverLink> create(const DriverFunctions &functions, CuContext context,
                                            const std::vector<JitOption> &options, int &result);
  DriverLink(const DriverLink &) = delete;
  DriverLink &operator=(const DriverLink &) = delete;
  ~DriverLink();

  int add(const JobInput &input);
  /// Copies the cubin, which is the driver's until it destroys the state (LT-5).
  int complete(std::string &cubin);
  /// Keeps the logs, destroys the state and frees the buffers: the result of cuLinkDestroy.
  /// Nothing, the second time (LT-6).
  int close();
  /// What was logged up to now; after close(), in all. Without the NULs at the end.
  std::string infoLog() const;
  std::string errorLog() const;

private:
  DriverLink(const std::vector<JitOption> &options);

  struct Free {
    void operator()(char *buffer) const { free(buffer); }
  };
  using Buffer = std::unique_ptr<char[], Free>;

  /// Owns the driver's state.
  class State {
  public:
    const DriverFunctions *functions = nullptr;
    CuContext context = nullptr;
    CuLinkState handle = nullptr;

    ~State() { destroy(); }
    int destroy();
  };

  std::vector<int> keys;
  std::vector<void *> values;
  Buffer infoBuffer, errorBuffer;
  std::string keptInfoLog, keptErrorLog;
  bool isClosed = false;
  State state; // Last, so that it is destroyed first.
};

} // namespace cudacc::devlink
