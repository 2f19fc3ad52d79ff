// SPDX-License-Identifier: Apache-2.0
// The mains of the programs: one file each, named as the program. programs.cc has the table.
#pragma once

#include "fakes/machine/program.h"

namespace sandproof::machine::programs {

Task<int> basename_main(Process& self);
Task<int> cat_main(Process& self);
Task<int> chgrp_main(Process& self);
Task<int> chmod_main(Process& self);
Task<int> chown_main(Process& self);
Task<int> cp_main(Process& self);
Task<int> dirname_main(Process& self);
Task<int> echo_main(Process& self);
Task<int> env_main(Process& self);
Task<int> false_main(Process& self);
Task<int> head_main(Process& self);
Task<int> hostname_main(Process& self);
Task<int> id_main(Process& self);
Task<int> ln_main(Process& self);
Task<int> ls_main(Process& self);
Task<int> mkdir_main(Process& self);
Task<int> mkfifo_main(Process& self);
Task<int> mktemp_main(Process& self);
Task<int> mv_main(Process& self);
Task<int> nproc_main(Process& self);
Task<int> printenv_main(Process& self);
Task<int> printf_main(Process& self);
Task<int> pwd_main(Process& self);
Task<int> readlink_main(Process& self);
Task<int> realpath_main(Process& self);
Task<int> rm_main(Process& self);
Task<int> rmdir_main(Process& self);
Task<int> seq_main(Process& self);
Task<int> sleep_main(Process& self);
Task<int> sync_main(Process& self);
Task<int> test_main(Process& self);
Task<int> touch_main(Process& self);
Task<int> true_main(Process& self);
Task<int> tty_main(Process& self);
Task<int> uname_main(Process& self);
Task<int> wc_main(Process& self);
Task<int> which_main(Process& self);
Task<int> whoami_main(Process& self);
Task<int> yes_main(Process& self);

}  // namespace sandproof::machine::programs
