// SPDX-License-Identifier: Apache-2.0
// Redirections: their targets are expanded first, then each is opened in its place.
#include <algorithm>
#include <charconv>

#include "fakes/machine/shell/run/expansion.h"

namespace sandproof::machine::shell {
namespace {

// Where a shell keeps what it replaced: out of the way of a script's descriptors.
constexpr int kFirstSavedFd = 10;
// What fits into any pipe of the usual size without a reader.
constexpr std::size_t kMaxUnreadHere = 4096;

bool is_duplicate(const Redirection& redirection) {
  return redirection.op == RedirectionOperator::kDuplicateIn ||
         redirection.op == RedirectionOperator::kDuplicateOut;
}

bool names_fd(const std::string& target) {
  return target == "-" || (target.size() == 1 && target[0] >= '0' && target[0] <= '9');
}

OpenOptions options_of(RedirectionOperator op) {
  OpenOptions options;
  options.flags.read = op == RedirectionOperator::kRead || op == RedirectionOperator::kReadWrite;
  options.flags.write = op != RedirectionOperator::kRead;
  options.flags.create = options.flags.write;
  options.append = op == RedirectionOperator::kAppend;
  options.flags.truncate = op == RedirectionOperator::kWrite || op == RedirectionOperator::kClobber;
  return options;
}

Task<int> write_here(Shell& shell, int fd, std::shared_ptr<const std::string> text) {
  (void)co_await shell.process.write(fd, *text);
  co_return 0;
}

}  // namespace

// Gives the descriptor to read, or -1, told.
Task<int> Shell::open_here(std::string text) {
  const Result<PipeFds> made = process.pipe();
  if (!made) {
    co_await warn("Pipe call failed");
    co_return -1;
  }
  const PipeFds pipe = *made;
  const auto left = std::make_shared<std::string>(std::move(text));
  if (left->size() <= kMaxUnreadHere) {
    (void)process.set_nonblocking(pipe.write, true);
    const Result<std::size_t> written = co_await process.write(pipe.write, *left);
    (void)process.set_nonblocking(pipe.write, false);
    if (written) left->erase(0, *written);
  }
  if (!left->empty()) {
    SubshellBody body = [pipe, left](Shell& child) {
      (void)child.process.close(pipe.read);
      return write_here(child, pipe.write, left);
    };
    if (!fork_subshell(std::move(body), false)) {
      (void)process.close(pipe.read);
      (void)process.close(pipe.write);
      co_await warn("Cannot fork");
      co_return -1;
    }
  }
  (void)process.close(pipe.write);
  co_return pipe.read;
}

// Under `set -C` a file that is there is not written; one that is no regular file is opened.
Task<Result<int>> Shell::open_target(const Redirection& redirection, const std::string& target) {
  OpenOptions options = options_of(redirection.op);
  if (redirection.op == RedirectionOperator::kWrite && has(ShellOption::kNoclobber)) {
    const Result<Attributes> there = process.stat(target);
    if (there && there->type == FileType::kRegular) co_return Errno::kExist;
    options.flags.exclusive = !there;
    options.flags.truncate = false;
  }
  co_return co_await process.open(target, options);
}

Task<int> Shell::redirect_one(const Redirection& redirection, std::string target, SavedFds* saved) {
  int from = -1;
  bool opened = true;
  if (redirection.op == RedirectionOperator::kHereDocument) {
    from = co_await open_here(std::move(target));
    if (from < 0) co_return kStatusUsage;
  } else if (is_duplicate(redirection)) {
    opened = false;
    if (target != "-") {
      from = target[0] - '0';
      if (!process.file(from)) {
        co_await warn(target + ": " + std::string(text_of(Errno::kBadf)));
        co_return kStatusUsage;
      }
      if (from == redirection.fd) co_return 0;
    }
  } else {
    const Result<int> fd = co_await open_target(redirection, target);
    if (!fd) {
      const bool creates = redirection.op != RedirectionOperator::kRead;
      co_await warn(open_error(target, fd.error(), creates));
      co_return kStatusUsage;
    }
    from = *fd;
  }
  if (saved != nullptr && from != redirection.fd) {
    const Result<int> copy = process.dup(redirection.fd, kFirstSavedFd, true);
    saved->fds.emplace_back(redirection.fd, copy ? *copy : -1);
  } else if (saved != nullptr) {
    saved->fds.emplace_back(redirection.fd, -1);
  }
  if (from < 0) {
    (void)process.close(redirection.fd);
  } else if (from != redirection.fd) {
    const Result<int> put = process.dup2(from, redirection.fd);
    if (opened) (void)process.close(from);
    if (!put) {
      co_await warn(std::to_string(redirection.fd) + ": " + std::string(text_of(put.error())));
      co_return kStatusUsage;
    }
  }
  co_return 0;
}

Task<int> Shell::redirect(const std::vector<Redirection>& redirections, SavedFds* saved) {
  Strings targets(redirections.size());
  for (std::size_t at = 0; at < redirections.size(); ++at) {
    if (redirections[at].op == RedirectionOperator::kHereDocument) continue;
    targets[at] = co_await expand_text(redirections[at].target);
    if (is_duplicate(redirections[at]) && !names_fd(targets[at])) {
      co_await fail("Syntax error: Bad fd number");
    }
  }
  for (std::size_t at = 0; at < redirections.size(); ++at) {
    int failed = 0;
    try {
      if (redirections[at].op == RedirectionOperator::kHereDocument) {
        Expansion body(*this, false);
        co_await body.add(redirections[at].here->body, true);
        targets[at] = text_of(body.pieces());
      }
      failed = co_await redirect_one(redirections[at], std::move(targets[at]), saved);
    } catch (const ShellError& error) {
      // An error in a here-document is one of the redirection, unlike one in a file's name.
      failed = error.status;
    }
    if (failed != 0) co_return failed;
  }
  co_return 0;
}

void Shell::undo(SavedFds& saved) {
  while (!saved.fds.empty()) {
    const auto [fd, copy] = saved.fds.back();
    saved.fds.pop_back();
    if (copy < 0) {
      (void)process.close(fd);
    } else {
      (void)process.dup2(copy, fd);
      (void)process.close(copy);
    }
  }
}

void Shell::keep(SavedFds& saved) {
  for (const auto& [fd, copy] : saved.fds) {
    if (copy >= 0) (void)process.close(copy);
  }
  saved.fds.clear();
}

}  // namespace sandproof::machine::shell
