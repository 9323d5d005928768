// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/config/Settings.h"
#include "tests/unit/config/Configured.h"

namespace cudacc::test {

/// The user 1000 (`me`, private group 1000) in /project, which is the user's own.
struct Trusting : Config {
  Trusting() {
    files.file("/etc/passwd", "root:x:0:0::/root:/bin/sh\n"
                              "operator:x:11:0::/:/bin/false\n"
                              "me:x:1000:1000::/home/me:/bin/sh\n"
                              "alice:x:1001:1001::/home/alice:/bin/sh\n"
                              "bob:x:1002:1003::/home/bob:/bin/sh\n");
    files.file("/etc/group", "root:x:0:\n"
                             "me:x:1000:\n"
                             "alice:x:1001:me\n"
                             "bob:x:1003:\n"
                             "devs:x:2000:me,alice\n"
                             "web:x:2001:www\n"
                             "nobodys:x:2002:\n");
    variables = {"HOME=/home/me"};
    give("/project");
    declare("launcher = 'ccache'\n");
  }
  /// A file of the user.
  MemoryFiles::Node &give(llvm::StringRef path, unsigned owner = 1000) {
    MemoryFiles::Node &node = *files.node(path);
    node.owner = node.group = owner;
    return node;
  }
  MemoryFiles::Node &declare(llvm::StringRef text, unsigned owner = 1000) {
    files.file("/project/cuda-cc.toml", text);
    return give("/project/cuda-cc.toml", owner);
  }
  std::string refusal() {
    core::Finding finding = bad();
    EXPECT_EQ(finding.code, core::Code::UntrustedDeclaration);
    return text(finding);
  }
  void trustedList(llvm::StringRef text) {
    files.file("/home/me/.config/cuda-cc/trust", text, 0600);
    give("/home/me/.config/cuda-cc/trust");
    give("/home/me/.config/cuda-cc");
  }
};

} // namespace cudacc::test
