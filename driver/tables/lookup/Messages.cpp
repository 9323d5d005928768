// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Messages.h"
#include "driver/tables/lookup/TextTable.h"

namespace cudacc::tables {

std::vector<Message> messages() { return rows::readTable<Message>("messages"); }

} // namespace cudacc::tables
