// SPDX-License-Identifier: Apache-2.0
// Writing aside. See aside_file.h.
#include "flavors/local/aside_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

namespace sandproof::local {
namespace {

// 64 random bits: nobody guesses the name, and two transfers do not choose the same.
constexpr int kNameDigits = 16;
// It is readable for nobody else while its content is half there.
constexpr mode_t kOwnersFile = 0600;

[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category()); }

}  // namespace

AsideFile::AsideFile(int directory, IdSource& ids)
    : directory_(directory), name_(".sandproof-" + ids.hex(kNameDigits) + ".part") {
  file_ = Descriptor(retry_eintr([&] {
    return ::openat(directory_, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    kOwnersFile);
  }));
  if (!file_.valid()) fail();
}

AsideFile::~AsideFile() {
  if (!name_.empty()) ::unlinkat(directory_, name_.c_str(), 0);
}

void AsideFile::commit(const std::string& name, mode_t mode) {
  if (::fchmod(file_.get(), mode) != 0) fail();
  // Some file systems say only here that there was no space (close(2)).
  if (::close(file_.release()) != 0 && errno != EINTR) fail();
  if (::renameat(directory_, name_.c_str(), directory_, name.c_str()) != 0) fail();
  name_.clear();
}

}  // namespace sandproof::local
