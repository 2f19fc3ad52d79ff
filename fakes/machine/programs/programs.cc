// SPDX-License-Identifier: Apache-2.0
// The table.
#include "fakes/machine/programs/programs.h"

#include <array>

#include "fakes/machine/programs/mains.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kPrograms = {
    ProgramRow{"[", test_main},
    ProgramRow{"awk", awk_main},
    ProgramRow{"base64", base64_main},
    ProgramRow{"basename", basename_main},
    ProgramRow{"cat", cat_main},
    ProgramRow{"chgrp", chgrp_main},
    ProgramRow{"chmod", chmod_main},
    ProgramRow{"chown", chown_main},
    ProgramRow{"cmp", cmp_main},
    ProgramRow{"cp", cp_main},
    ProgramRow{"cut", cut_main},
    ProgramRow{"date", date_main},
    ProgramRow{"dd", dd_main},
    ProgramRow{"df", df_main},
    ProgramRow{"dirname", dirname_main},
    ProgramRow{"du", du_main},
    ProgramRow{"echo", echo_main},
    ProgramRow{"egrep", grep_main},
    ProgramRow{"env", env_main},
    ProgramRow{"expr", expr_main},
    ProgramRow{"false", false_main},
    ProgramRow{"fgrep", grep_main},
    ProgramRow{"find", find_main},
    ProgramRow{"free", free_main},
    ProgramRow{"grep", grep_main},
    ProgramRow{"head", head_main},
    ProgramRow{"hostname", hostname_main},
    ProgramRow{"id", id_main},
    ProgramRow{"kill", kill_main},
    ProgramRow{"killall", killall_main},
    ProgramRow{"ln", ln_main},
    ProgramRow{"ls", ls_main},
    ProgramRow{"md5sum", md5sum_main},
    ProgramRow{"mkdir", mkdir_main},
    ProgramRow{"mkfifo", mkfifo_main},
    ProgramRow{"mktemp", mktemp_main},
    ProgramRow{"mv", mv_main},
    ProgramRow{"nice", nice_main},
    ProgramRow{"nohup", nohup_main},
    ProgramRow{"nproc", nproc_main},
    ProgramRow{"od", od_main},
    ProgramRow{"pgrep", pgrep_main},
    ProgramRow{"pkill", pkill_main},
    ProgramRow{"printenv", printenv_main},
    ProgramRow{"printf", printf_main},
    ProgramRow{"ps", ps_main},
    ProgramRow{"pwd", pwd_main},
    ProgramRow{"readlink", readlink_main},
    ProgramRow{"realpath", realpath_main},
    ProgramRow{"rm", rm_main},
    ProgramRow{"rmdir", rmdir_main},
    ProgramRow{"sed", sed_main},
    ProgramRow{"seq", seq_main},
    ProgramRow{"setsid", setsid_main},
    ProgramRow{"sha1sum", sha1sum_main},
    ProgramRow{"sha256sum", sha256sum_main},
    ProgramRow{"sleep", sleep_main},
    ProgramRow{"sort", sort_main},
    ProgramRow{"stat", stat_main},
    ProgramRow{"su", su_main},
    ProgramRow{"sync", sync_main},
    ProgramRow{"tail", tail_main},
    ProgramRow{"tar", tar_main},
    ProgramRow{"tee", tee_main},
    ProgramRow{"test", test_main},
    ProgramRow{"timeout", timeout_main},
    ProgramRow{"top", top_main},
    ProgramRow{"touch", touch_main},
    ProgramRow{"tr", tr_main},
    ProgramRow{"true", true_main},
    ProgramRow{"tty", tty_main},
    ProgramRow{"uname", uname_main},
    ProgramRow{"uniq", uniq_main},
    ProgramRow{"wc", wc_main},
    ProgramRow{"which", which_main},
    ProgramRow{"whoami", whoami_main},
    ProgramRow{"xargs", xargs_main},
    ProgramRow{"yes", yes_main},
};

}  // namespace

std::span<const ProgramRow> programs() { return kPrograms; }

}  // namespace sandproof::machine::programs
