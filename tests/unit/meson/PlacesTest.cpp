// SPDX-License-Identifier: Apache-2.0
#include "plugins/meson/Places.h"
#include "gmock/gmock.h"

namespace cudacc::test {

TEST(MesonPlaces, areWhereATargetIsMade) {
  meson::Places places("project('p', 'cpp')\n"
                       "# shared_library('gone', 'x.cpp')\n"
                       "ext = py.extension_module(\n  # a comment\n  'ext', 'x.cpp')\n"
                       "d = \'\'\'\n executable('text')\n\'\'\'\n"
                       "s = 'it\\'s' executable('tool', 'x.cpp',\n  link_args: 'ext')\n"
                       "shared_library('twice', 'a')\nshared_library('twice', 'b')\n"
                       "test('tool', tool)\nexecutable(name, 'x.cpp')\nshared_library('')\n");
  EXPECT_EQ(places.line("ext"), 3u);
  EXPECT_EQ(places.line("tool"), 9u);
  EXPECT_EQ(places.line("twice"), 0u) << "nobody knows which";
  for (const char *none : {"gone", "text", "p", "name", "x.cpp", ""})
    EXPECT_EQ(places.line(none), 0u) << none;
}

TEST(MesonPlaces, ofAnyBytesEnd) {
  const std::string whole = "executable('a\\'b', \'\'\'c\'\'\') # d\nlibrary('e')";
  for (size_t length = 0; length <= whole.size(); ++length)
    for (const char *end : {"", "'", "\\", "\'\'\'", "(", "#"})
      meson::Places(whole.substr(0, length) + end).line("e");
  EXPECT_EQ(meson::Places(whole).line("e"), 2u);
}

} // namespace cudacc::test
