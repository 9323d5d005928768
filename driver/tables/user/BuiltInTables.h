// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/rows/Readers.h"
#include <memory>

namespace cudacc::tables {

/// The built-in tables, as the known tables for added rows.
std::unique_ptr<rows::Known> builtInTables();

} // namespace cudacc::tables
