// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Origin.h"
#include "driver/versions/Format.h"

std::string cudacc::core::Origin::str() const {
  switch (kind) {
  case Kind::None:
    return "";
  case Kind::Default:
    return "the default";
  case Kind::Baked:
    return "the toolchain directory " + name;
  case Kind::Option:
  case Kind::Variable:
    return name;
  case Kind::File:
    return line ? fmt::format("{}:{}", name, line) : name;
  }
  return "";
}
