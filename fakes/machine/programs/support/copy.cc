// SPDX-License-Identifier: Apache-2.0
// Copying.
#include "fakes/machine/programs/support/copy.h"

#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {

Task<bool> Copier::fail(std::string what, Errno error) {
  co_await tool_.fail(std::move(what), error);
  co_return false;
}

Task<bool> Copier::may_overwrite(std::string to, const Attributes& source) {
  if (options_.keep_existing) co_return false;
  const Result<Attributes> there = tool_.self.stat(to);
  if (options_.only_newer && there && there->modified >= source.modified) co_return false;
  if (!options_.ask) co_return true;
  const std::string question = tool_.name + ": overwrite '" + to + "'? ";
  co_await tool_.write_error(question);
  co_return co_await answered_yes(tool_.self);
}

Task<bool> Copier::one(std::string from, std::string to, bool top) {
  co_await tool_.self.yield_point();
  Process& self = tool_.self;
  const bool follow = top ? options_.follow_top : options_.follow;
  const Result<Attributes> source = self.stat(from, follow ? Follow::kYes : Follow::kNo);
  if (!source) co_return co_await fail("can't stat '" + from + "'", source.error());
  const bool leaves_link = source->type == FileType::kSymlink || options_.as != CopyAs::kContents;
  const Result<Attributes> there = self.stat(to, leaves_link ? Follow::kNo : Follow::kYes);
  if (!there && there.error() != Errno::kNoent) {
    co_return co_await fail("can't stat '" + to + "'", there.error());
  }
  if (there && there->ino == source->ino && there->volume == source->volume) {
    const std::string why = "'" + from + "' and '" + to + "' are the same file";
    co_await tool_.fail(why);
    co_return false;
  }
  if (source->type == FileType::kDirectory) {
    if (!options_.recursive) {
      const std::string why = "omitting directory '" + from + "'";
      co_await tool_.fail(why);
      co_return false;
    }
    if (there && there->type != FileType::kDirectory) {
      const std::string why = "target '" + to + "' is not a directory";
      co_await tool_.fail(why);
      co_return false;
    }
    co_return co_await directory(from, to, *source);
  }
  if (there && !co_await may_overwrite(to, *source)) co_return true;
  bool copied = false;
  if (source->type == FileType::kRegular && options_.as == CopyAs::kContents) {
    copied = co_await contents(from, to, *source, there.ok());
  } else {
    copied = co_await special(from, to, *source, there.ok());
  }
  if (copied && options_.verbose) {
    const std::string line = "'" + from + "' -> '" + to + "'\n";
    (void)co_await tool_.out.put(line);
  }
  co_return copied;
}

Task<bool> Copier::directory(std::string from, std::string to, Attributes source) {
  Process& self = tool_.self;
  if (made_.contains({source.volume, source.ino})) {
    const std::string why = "recursion detected, omitting directory '" + from + "'";
    co_await tool_.fail(why);
    co_return false;
  }
  bool fresh = false;
  if (!self.stat(to)) {
    const Result<void> made = self.mkdir(to, source.mode | 0700U);
    if (!made) co_return co_await fail("can't create directory '" + to + "'", made.error());
    fresh = true;
  }
  const Result<Attributes> there = self.stat(to);
  if (there) made_.insert({there->volume, there->ino});
  const Result<Strings> names = co_await list_names(self, from);
  if (!names) co_return co_await fail("can't open '" + from + "'", names.error());
  bool all = true;
  for (const std::string& name : *names) {
    if (!co_await one(join_path(from, name), join_path(to, name), false)) all = false;
  }
  if (fresh && !options_.keep_attributes) {
    const unsigned umask = self.umask(0);
    (void)self.umask(umask);
    (void)self.chmod(to, source.mode & ~umask);
  }
  if (options_.keep_attributes) keep(to, source);
  co_return all;
}

Task<bool> Copier::clear_way(std::string to, bool exists) {
  if (!exists) co_return true;
  if (!options_.force && !options_.ask) {
    co_return co_await fail("can't create '" + to + "'", Errno::kExist);
  }
  const Result<void> gone = tool_.self.unlink(to);
  if (!gone) co_return co_await fail("can't remove '" + to + "'", gone.error());
  co_return true;
}

Task<bool> Copier::contents(std::string from, std::string to, Attributes source, bool exists) {
  Process& self = tool_.self;
  const Result<OwnedFd> input = co_await open_output(self, from, kToRead);
  if (!input) co_return co_await fail("can't open '" + from + "'", input.error());
  OpenOptions make = kToOverwrite;
  make.mode = source.mode & 0777U;
  Result<OwnedFd> output = co_await open_output(self, to, make);
  if (!output && exists && options_.force) {
    if (!co_await clear_way(to, true)) co_return false;
    output = co_await open_output(self, to, make);
  }
  if (!output) co_return co_await fail("can't create '" + to + "'", output.error());
  const CopyEnd end = co_await copy_bytes(self, input->get(), output->get());
  if (end.read != Errno::kOk) co_await tool_.fail("read error", end.read);
  if (end.write != Errno::kOk) co_await tool_.fail("write error", end.write);
  if (options_.keep_attributes) keep(to, source);
  co_return end.ok();
}

Task<bool> Copier::special(std::string from, std::string to, Attributes source, bool exists) {
  Process& self = tool_.self;
  if (!co_await clear_way(to, exists)) co_return false;
  if (options_.as != CopyAs::kContents) {
    const bool hard = options_.as == CopyAs::kHardLink;
    const Result<void> made = hard ? self.link(from, to) : self.symlink(from, to);
    if (!made) co_return co_await fail("can't create link '" + to + "'", made.error());
    co_return true;
  }
  Result<void> made = Errno::kPerm;
  if (source.type == FileType::kSymlink) {
    const Result<std::string> target = self.readlink(from);
    made = target ? self.symlink(*target, to) : Result<void>(target.error());
    if (!made) co_return co_await fail("can't create symlink '" + to + "'", made.error());
    if (options_.keep_attributes) {
      (void)self.chown(to, {.uid = source.uid, .gid = source.gid}, Follow::kNo);
    }
    co_return true;
  }
  // Devices are the embedder's to make.
  if (source.type == FileType::kFifo) made = self.mkfifo(to, source.mode);
  if (!made) co_return co_await fail("can't create '" + to + "'", made.error());
  if (options_.keep_attributes) keep(to, source);
  co_return true;
}

void Copier::keep(const std::string& to, const Attributes& source) {
  Process& self = tool_.self;
  (void)self.utimens(to, {.accessed = source.accessed, .modified = source.modified});
  unsigned mode = source.mode;
  // Who cannot give the owner on does not give the owner's powers on.
  const NewOwner owner = {.uid = source.uid, .gid = source.gid};
  if (!self.chown(to, owner)) mode &= ~(kSetUid | kSetGid);
  (void)self.chmod(to, mode);
}

}  // namespace sandproof::machine::programs
