// SPDX-License-Identifier: Apache-2.0
// Of the portable program alone. Before glibc 2.34 these functions are in libdl, one more file to
// map at every start (50 us). Only libunwind asks: for a faster look-up, which it does without, and
// for the names of functions. The program throws no exceptions.

extern "C" {
struct DynamicLinkInfo;

[[gnu::visibility("hidden")]] int dladdr(const void *, DynamicLinkInfo *) { return 0; }
[[gnu::visibility("hidden")]] void *dlsym(void *, const char *) { return nullptr; }
}
