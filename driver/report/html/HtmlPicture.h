// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/report/html/HtmlParts.h"

/// A matrix of verdicts, drawn.
namespace cudacc::report {

struct MatrixCell {
  enum class State { None, Accept, Reject, Unknown };
  State state = State::None;
  /// What the runtime has; empty: not known.
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
  /// `12.4`; empty: not known, or several.
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
  /// Rows that are not shown.
  size_t left = 0;
};

/// As a drawing for wide screens, and as a table for narrow ones and for readers that see none.
void draw(HtmlWriter &html, const Picture &picture);

} // namespace cudacc::report
