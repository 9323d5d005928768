// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/report/html/HtmlParts.h"

/// A drawing of the compatibility matrix.
namespace cudacc::report {

struct MatrixCell {
  enum class State { None, Accept, Reject, Unknown };
  State state = State::None;
  /// The version in the runtime. Empty if not known.
  std::string text;
  std::string why;
};

MatrixCell::State stateOf(core::Outcome outcome);

struct MatrixColumn {
  std::string title, below;
};

struct MatrixRow {
  /// `torch 2.5.0 to 2.5.1`.
  std::string label;
  /// `12.4`, `12.4 to 12.9`. Empty if not known.
  std::string line;
  core::Outcome outcome = core::Outcome::Accept;
  std::string reason;
  std::vector<MatrixCell> cells;

  bool saysSameAs(const MatrixRow &other, bool anyLine) const;
};

struct Picture {
  std::string caption, key;
  std::vector<MatrixColumn> columns;
  std::vector<MatrixRow> rows;
  /// Number of rows that are not shown.
  size_t left = 0;
};

/// Writes a drawing for wide screens and a table for narrow ones and screen readers.
void draw(HtmlWriter &html, const Picture &picture);

} // namespace cudacc::report
