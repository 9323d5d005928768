// SPDX-License-Identifier: Apache-2.0
#include "driver/report/html/HtmlParts.h"

/// Text has a contrast of at least 4.5 to 1 to its background in both colour schemes (WCAG AA).
// NOLINTNEXTLINE(readability-function-size): one string literal.
llvm::StringRef cudacc::report::htmlStyle() {
  return R"(
:root {
  color-scheme: light dark;
  --back: #ffffff; --panel: #f5f6f8; --line: #d5dae1; --text: #1b2027; --soft: #56606d;
  --link: #0a58b8;
  --accept: #0f5a25; --accept-back: #dcf3e2; --reject: #99101f; --reject-back: #fde4e4;
  --unknown: #6f4700; --unknown-back: #fdf0cb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #12151a; --panel: #1a1f26; --line: #323a45; --text: #e3e7ec; --soft: #a0abb8;
    --link: #79b3ff;
    --accept: #86dfa2; --accept-back: #16321f; --reject: #ffa39d; --reject-back: #431a1d;
    --unknown: #edca74; --unknown-back: #39290c;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
main, footer { max-width: 76rem; margin: 0 auto; padding: 0 2rem; }
header { padding: 2.25rem 0 1rem; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.35; font-weight: 600; }
h1 .verdict { font-size: 1.25rem; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.125rem; line-height: 1.4; font-weight: 600; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; font-weight: 600; }
h2 .on { color: var(--soft); font-weight: 400; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--link); }
.lead { margin: .5rem 0 0; max-width: none; color: var(--soft); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font-size: .875em; }
pre {
  margin: .5rem 0; padding: .75rem 1rem; overflow-x: auto; overflow-wrap: normal;
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  font-size: .8125rem; line-height: 1.55; max-height: 28rem;
}
pre code { font-size: inherit; }
.note, footer { color: var(--soft); font-size: .875rem; }
.verdict {
  display: inline-block; padding: 0 .5em; border-radius: 4px; font-weight: 600;
  font-size: .875em; line-height: 1.6; white-space: nowrap; border: 1px solid currentColor;
}
.verdict.accept { color: var(--accept); background: var(--accept-back); }
.verdict.reject { color: var(--reject); background: var(--reject-back); }
.verdict.unknown { color: var(--unknown); background: var(--unknown-back); }
ol.remedies { margin: .5rem 0; padding-left: 1.75rem; }
ol.remedies li { margin: .625rem 0; }
ol.remedies p { margin: .25rem 0; }
.finding { margin: .75rem 0; padding: .125rem 0 .125rem 1rem; border-left: 4px solid var(--line); }
.finding p { margin: 0; }
.finding.error { border-color: var(--reject); }
.finding.error .severity { color: var(--reject); }
.finding.warning { border-color: var(--unknown); }
.finding.warning .severity { color: var(--unknown); }
.code { color: var(--soft); font-size: .875rem; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .125rem 1rem; margin: .5rem 0; font-size: .9375rem; }
dt { grid-column: 1; color: var(--soft); }
dd { grid-column: 2; margin: 0; }
.scroll { overflow-x: auto; margin: .75rem 0; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.45; overflow-wrap: normal; }
caption { padding: .5rem .75rem; text-align: left; color: var(--soft); }
th, td { padding: .4375rem .75rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th { background: var(--panel); font-weight: 600; white-space: nowrap; }
td { min-width: 3rem; max-width: 34rem; }
td code { white-space: nowrap; }
td.long { min-width: 17rem; overflow-wrap: anywhere; }
td.long:first-child { overflow-wrap: normal; }
td.long code { display: inline-block; min-width: 28rem; white-space: normal; }
details { margin: .5rem 0; }
summary { cursor: pointer; padding: .25rem 0; color: var(--link); }
article.file { border-top: 1px solid var(--line); margin-top: 1.5rem; }
article.file > h2 { margin-top: 1.25rem; }
footer { margin-top: 3rem; padding-top: 1rem; padding-bottom: 2rem; }
@media (max-width: 44rem) {
  main, footer { padding-left: 1rem; padding-right: 1rem; }
  header { padding-top: 1.25rem; }
  h1 { font-size: 1.25rem; }
  h1 .verdict { font-size: 1.0625rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { grid-column: 1; margin-bottom: .375rem; }
}
@media print {
  :root {
    --back: #ffffff; --panel: #ffffff; --line: #bbbbbb; --text: #000000; --soft: #444444;
    --link: #000000;
    --accept: #0f5a25; --accept-back: #ffffff; --reject: #99101f; --reject-back: #ffffff;
    --unknown: #6f4700; --unknown-back: #ffffff;
  }
  body { font-size: 10pt; }
  main, footer { max-width: none; padding: 0; }
  pre { max-height: none; white-space: pre-wrap; }
  .scroll, .finding, li { break-inside: avoid; }
}
)";
}
