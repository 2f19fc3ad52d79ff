// SPDX-License-Identifier: Apache-2.0
// The mains of the programs: one file each, named as the program. programs.cc has the table.
#pragma once

#include "fakes/machine/program.h"

namespace sandproof::machine::programs {

Task<int> awk_main(Process& self);
Task<int> base64_main(Process& self);
Task<int> basename_main(Process& self);
Task<int> cat_main(Process& self);
Task<int> chgrp_main(Process& self);
Task<int> chmod_main(Process& self);
Task<int> chown_main(Process& self);
Task<int> cmp_main(Process& self);
Task<int> cp_main(Process& self);
Task<int> cut_main(Process& self);
Task<int> date_main(Process& self);
Task<int> dd_main(Process& self);
Task<int> df_main(Process& self);
Task<int> dirname_main(Process& self);
Task<int> du_main(Process& self);
Task<int> echo_main(Process& self);
Task<int> env_main(Process& self);
Task<int> expr_main(Process& self);
Task<int> false_main(Process& self);
Task<int> find_main(Process& self);
Task<int> free_main(Process& self);
Task<int> grep_main(Process& self);
Task<int> head_main(Process& self);
Task<int> hostname_main(Process& self);
Task<int> id_main(Process& self);
Task<int> kill_main(Process& self);
Task<int> killall_main(Process& self);
Task<int> ln_main(Process& self);
Task<int> ls_main(Process& self);
Task<int> md5sum_main(Process& self);
Task<int> mkdir_main(Process& self);
Task<int> mkfifo_main(Process& self);
Task<int> mktemp_main(Process& self);
Task<int> mv_main(Process& self);
Task<int> nice_main(Process& self);
Task<int> nohup_main(Process& self);
Task<int> nproc_main(Process& self);
Task<int> od_main(Process& self);
Task<int> pgrep_main(Process& self);
Task<int> pkill_main(Process& self);
Task<int> printenv_main(Process& self);
Task<int> printf_main(Process& self);
Task<int> ps_main(Process& self);
Task<int> pwd_main(Process& self);
Task<int> readlink_main(Process& self);
Task<int> realpath_main(Process& self);
Task<int> rm_main(Process& self);
Task<int> rmdir_main(Process& self);
Task<int> sed_main(Process& self);
Task<int> seq_main(Process& self);
Task<int> setsid_main(Process& self);
Task<int> sha1sum_main(Process& self);
Task<int> sha256sum_main(Process& self);
Task<int> sleep_main(Process& self);
Task<int> sort_main(Process& self);
Task<int> stat_main(Process& self);
Task<int> su_main(Process& self);
Task<int> sync_main(Process& self);
Task<int> tail_main(Process& self);
Task<int> tar_main(Process& self);
Task<int> tee_main(Process& self);
Task<int> test_main(Process& self);
Task<int> timeout_main(Process& self);
Task<int> top_main(Process& self);
Task<int> touch_main(Process& self);
Task<int> tr_main(Process& self);
Task<int> true_main(Process& self);
Task<int> tty_main(Process& self);
Task<int> uname_main(Process& self);
Task<int> uniq_main(Process& self);
Task<int> wc_main(Process& self);
Task<int> which_main(Process& self);
Task<int> whoami_main(Process& self);
Task<int> xargs_main(Process& self);
Task<int> yes_main(Process& self);

}  // namespace sandproof::machine::programs
