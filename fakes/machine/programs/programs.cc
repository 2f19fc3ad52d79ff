// SPDX-License-Identifier: Apache-2.0
// The table.
#include "fakes/machine/programs/programs.h"

#include <array>

#include "fakes/machine/programs/mains.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kPrograms = {
    ProgramRow{"[", test_main},
    ProgramRow{"basename", basename_main},
    ProgramRow{"cat", cat_main},
    ProgramRow{"chgrp", chgrp_main},
    ProgramRow{"chmod", chmod_main},
    ProgramRow{"chown", chown_main},
    ProgramRow{"cp", cp_main},
    ProgramRow{"dirname", dirname_main},
    ProgramRow{"echo", echo_main},
    ProgramRow{"env", env_main},
    ProgramRow{"false", false_main},
    ProgramRow{"head", head_main},
    ProgramRow{"hostname", hostname_main},
    ProgramRow{"id", id_main},
    ProgramRow{"ln", ln_main},
    ProgramRow{"ls", ls_main},
    ProgramRow{"mkdir", mkdir_main},
    ProgramRow{"mkfifo", mkfifo_main},
    ProgramRow{"mktemp", mktemp_main},
    ProgramRow{"mv", mv_main},
    ProgramRow{"nproc", nproc_main},
    ProgramRow{"printenv", printenv_main},
    ProgramRow{"printf", printf_main},
    ProgramRow{"pwd", pwd_main},
    ProgramRow{"readlink", readlink_main},
    ProgramRow{"realpath", realpath_main},
    ProgramRow{"rm", rm_main},
    ProgramRow{"rmdir", rmdir_main},
    ProgramRow{"seq", seq_main},
    ProgramRow{"sleep", sleep_main},
    ProgramRow{"sync", sync_main},
    ProgramRow{"test", test_main},
    ProgramRow{"touch", touch_main},
    ProgramRow{"true", true_main},
    ProgramRow{"tty", tty_main},
    ProgramRow{"uname", uname_main},
    ProgramRow{"wc", wc_main},
    ProgramRow{"which", which_main},
    ProgramRow{"whoami", whoami_main},
    ProgramRow{"yes", yes_main},
};

}  // namespace

std::span<const ProgramRow> programs() { return kPrograms; }

}  // namespace sandproof::machine::programs
