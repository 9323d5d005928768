// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cudacc::rtld {

// Of glibc's <link.h>, which other libcs do not have; the audit library compares them with it.

/// How the loader came to a path that it tries (la_objsearch).
inline constexpr unsigned searchedName = 0x01;
inline constexpr unsigned searchedLibraryPath = 0x02;
inline constexpr unsigned searchedRunpath = 0x04;
inline constexpr unsigned searchedCache = 0x08;
inline constexpr unsigned searchedDefault = 0x40;
inline constexpr unsigned searchedSecure = 0x80;

/// What the loader does with its list of objects (la_activity).
inline constexpr unsigned listConsistent = 0, listGrows = 1, listShrinks = 2;

} // namespace cudacc::rtld
