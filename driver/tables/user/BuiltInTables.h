// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/UserTables.h"
#include "driver/tables/rows/Readers.h"
#include <memory>

namespace cudacc::tables {

/// The built-in tables, as the known tables for added rows; with \p more also what was added
/// before.
std::unique_ptr<rows::Known> builtInTables(const UserTables *more = nullptr);

} // namespace cudacc::tables
