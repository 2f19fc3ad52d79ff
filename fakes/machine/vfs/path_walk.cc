// SPDX-License-Identifier: Apache-2.0
// The walk, one component at a time; see path_walk.h.
#include "fakes/machine/vfs/path_walk.h"

#include <algorithm>
#include <utility>

#include "fakes/machine/vfs/permissions.h"

namespace sandproof::machine {
namespace {

class PathWalk {
 public:
  PathWalk(const MountTable& mounts, LastLink last, const Caller& caller)
      : mounts_(mounts), last_(last), caller_(caller) {}

  Result<Walked> go(Spot from, std::string path) {
    at_ = std::move(from);
    rest_ = std::move(path);
    if (rest_.front() == '/') at_ = mounts_.covered(mounts_.root_spot());
    while (next_component()) {
      const Errno error = step();
      if (error != Errno::kOk) return error;
      if (done_) return std::move(walked_);
    }
    walked_.spot = at_;
    return std::move(walked_);
  }

 private:
  // Takes the next component off the rest; the slashes before it are gone, those behind it stay.
  bool next_component() {
    const std::size_t begin = rest_.find_first_not_of('/', at_char_);
    if (begin == std::string::npos) return false;
    const std::size_t end = rest_.find('/', begin);
    name_ = rest_.substr(begin, end == std::string::npos ? end : end - begin);
    at_char_ = end == std::string::npos ? rest_.size() : end;
    is_last_ = rest_.find_first_not_of('/', at_char_) == std::string::npos;
    walked_.slash_follows = is_last_ && at_char_ < rest_.size();
    return true;
  }

  Errno step() {
    const Result<Attributes> here = at_.stat();
    if (!here) return here.error();
    if (here->type != FileType::kDirectory) return Errno::kNotdir;
    if (!may(caller_, *here, {.execute = true})) return Errno::kAcces;
    if (name_ == ".") {
      walked_.kind = Walked::Kind::kDot;
      return Errno::kOk;
    }
    if (name_ == "..") {
      walked_.kind = Walked::Kind::kDotDot;
      return go_up();
    }
    walked_.kind = Walked::Kind::kName;
    if (last_ == LastLink::kCreate && is_last_ && walked_.slash_follows) return Errno::kIsdir;
    // A directory that was removed is not searched at all.
    if (here->links == 0) return no_last(Errno::kNoent);
    if (name_.size() > kNameMax) return no_last(Errno::kNametoolong);
    const Result<Ino> found = at_.volume().find({at_.ino, name_}, caller_);
    if (!found) {
      if (found.error() != Errno::kNoent || !is_last_) return found.error();
      return finish(std::nullopt);
    }
    return enter(mounts_.covered({at_.mount, *found}));
  }

  Errno no_last(Errno error) {
    if (!is_last_ || last_ != LastLink::kEntry) return error;
    walked_.last_error = error;
    return finish(std::nullopt);
  }

  Errno enter(Spot spot) {
    const Result<Attributes> file = spot.stat();
    if (!file) return file.error();
    const bool follow = !is_last_ || last_ == LastLink::kFollow || last_ == LastLink::kCreate ||
                        (last_ == LastLink::kKeep && walked_.slash_follows);
    if (file->type == FileType::kSymlink && follow) return follow_link(spot);
    if (is_last_) return finish(std::move(spot));
    at_ = std::move(spot);
    return Errno::kOk;
  }

  Errno follow_link(const Spot& link) {
    if (++followed_ > kMaxFollowedLinks) return Errno::kLoop;
    const Result<std::optional<Jump>> jump = link.volume().jump(link.ino, caller_);
    if (!jump) return jump.error();
    if (*jump) {
      walked_.held = (*jump)->held;
      Spot there = walked_.held ? walked_.held->spot() : Spot{link.mount, (*jump)->ino};
      if (is_last_) return finish(std::move(there));
      at_ = std::move(there);
      return Errno::kOk;
    }
    Result<std::string> target = link.volume().target(link.ino, caller_);
    if (!target) return target.error();
    if (target->empty()) return Errno::kNoent;
    // At most kMaxFollowedLinks targets of kPathMax are ever put together.
    rest_ = std::move(*target) + rest_.substr(at_char_);
    at_char_ = 0;
    walked_.kind = Walked::Kind::kRoot;
    if (rest_.front() == '/') at_ = mounts_.covered(mounts_.root_spot());
    return Errno::kOk;
  }

  Errno go_up() {
    while (at_.is_mount_root() && at_.mount->above) at_ = {at_.mount->above, at_.mount->point};
    if (at_ == mounts_.root_spot()) return Errno::kOk;
    const Result<Ino> parent = at_.volume().parent(at_.ino);
    if (!parent) return parent.error();
    at_ = mounts_.covered({at_.mount, *parent});
    return Errno::kOk;
  }

  Errno finish(std::optional<Spot> spot) {
    walked_.parent = at_;
    walked_.name = name_;
    walked_.spot = std::move(spot);
    done_ = true;
    return Errno::kOk;
  }

  const MountTable& mounts_;
  const LastLink last_;
  const Caller& caller_;
  Spot at_;
  std::string rest_;
  std::size_t at_char_ = 0;
  std::string name_;
  bool is_last_ = false;
  bool done_ = false;
  int followed_ = 0;
  Walked walked_;
};

}  // namespace

NodePtr Walked::node() const {
  if (held && held->spot() == *spot) return held;
  Found found;
  if (kind == Kind::kName) found = {parent, name};
  return std::make_shared<const Node>(*spot, std::move(found));
}

Spot MountTable::covered(Spot spot) const {
  const auto on_it = [&spot](const MountPtr& mount) {
    return mount->above == spot.mount && mount->point == spot.ino;
  };
  // Something may be mounted on the root of a mount again.
  for (;;) {
    const auto found = std::find_if(mounted.rbegin(), mounted.rend(), on_it);
    if (found == mounted.rend()) return spot;
    spot = {*found, (*found)->root};
  }
}

Result<Walked> walk(const MountTable& mounts, PathAt path, LastLink last, const Caller& caller) {
  if (path.path.empty()) return Errno::kNoent;
  if (path.path.size() >= kPathMax) return Errno::kNametoolong;
  if (path.path.find('\0') != std::string_view::npos) return Errno::kInval;
  return PathWalk(mounts, last, caller).go(path.at->spot(), std::string(path.path));
}

}  // namespace sandproof::machine
