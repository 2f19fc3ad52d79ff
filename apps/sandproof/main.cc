// SPDX-License-Identifier: Apache-2.0
// The program `sandproof`: the suite's own subcommands over the table of flavors, `init` and
// `exec`.
#include <fcntl.h>

#include "apps/sandproof/exec_command.h"
#include "apps/sandproof/flavor_table.h"
#include "apps/sandproof/init_command.h"
#include "sandproof/conformance/program.h"

namespace {

/// A program that is started with one of its three standard streams closed would get that number
/// for the next file that it opens, and print into it. (Inherited like any other standard stream:
/// no O_CLOEXEC.)
void open_standard_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY);
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  return sandproof::conformance::run_program(
      argc, argv, sandproof::apps::flavor_table(),
      {sandproof::apps::init_command(),
       sandproof::apps::exec_command(sandproof::apps::flavor_table())});
}
