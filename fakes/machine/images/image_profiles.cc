// SPDX-License-Identifier: Apache-2.0
// The table of profiles; see image.h.
#include <algorithm>
#include <array>

#include "fakes/machine/images/image.h"

namespace sandproof::machine {
namespace {

constexpr std::array kProfiles = {
    ImageProfile{
        .name = "busybox", .about = "a small root; programs in /bin; root", .programs_in = "/bin"},
    ImageProfile{.name = "coreutils",
                 .about = "as a distribution's: programs in /usr/bin, /bin is a link to it; root",
                 .programs_in = "/usr/bin"},
    ImageProfile{.name = "distroless",
                 .about = "no shell, no programs; the user 65532",
                 .programs_in = "",
                 .uid = 65532,
                 .home = "/home/nonroot",
                 .cwd = "/home/nonroot"},
    ImageProfile{.name = "nonroot",
                 .about = "as busybox, for the user 1000",
                 .programs_in = "/bin",
                 .uid = 1000,
                 .home = "/home/user",
                 .cwd = "/home/user"},
    ImageProfile{.name = "readonly",
                 .about = "as busybox, with a root that cannot be written",
                 .programs_in = "/bin",
                 .uid = 0,
                 .home = "/root",
                 .cwd = "/",
                 .read_only_root = true},
};

}  // namespace

std::span<const ImageProfile> image_profiles() { return kProfiles; }

const ImageProfile* find_image_profile(std::string_view name) {
  const auto found = std::ranges::find(kProfiles, name, &ImageProfile::name);
  return found == kProfiles.end() ? nullptr : &*found;
}

}  // namespace sandproof::machine
