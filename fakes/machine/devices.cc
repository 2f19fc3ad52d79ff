// SPDX-License-Identifier: Apache-2.0
// The simple devices, and buffers.
#include "fakes/machine/devices.h"

#include <algorithm>
#include <cstring>

namespace sandproof::machine {
namespace {

/// What the devices have in common: everything is taken, and who may not read or write is told so.
class Device : public OpenFile {
 public:
  Device(Access access, const char* name) : OpenFile(access), name_(name) {}

  Result<std::size_t> try_read(std::span<std::byte> into) final {
    if (!may_read()) return Errno::kBadf;
    return fill(into);
  }
  Result<std::size_t> try_write(std::span<const std::byte> from) final {
    if (!may_write()) return Errno::kBadf;
    return take(from);
  }
  Result<std::uint64_t> seek(std::int64_t /*by*/, Whence /*whence*/) final {
    return std::uint64_t{0};
  }
  std::string describe() const final { return name_; }
  Attributes attributes() const final {
    Attributes attributes = OpenFile::attributes();
    attributes.device = kind();
    return attributes;
  }

 protected:
  virtual DeviceKind kind() const = 0;
  virtual std::size_t fill(std::span<std::byte> into) = 0;
  virtual Result<std::size_t> take(std::span<const std::byte> from) { return from.size(); }

 private:
  const char* name_;
};

class Null final : public Device {
 public:
  explicit Null(Access access) : Device(access, "/dev/null") {}
  Result<FilePtr> reopen(Access access) override { return open_null(access); }

 private:
  DeviceKind kind() const override { return DeviceKind::kNull; }
  std::size_t fill(std::span<std::byte> /*into*/) override { return 0; }
};

class Zero final : public Device {
 public:
  Zero(Access access, bool full) : Device(access, full ? "/dev/full" : "/dev/zero"), full_(full) {}
  Result<FilePtr> reopen(Access access) override {
    return full_ ? open_full(access) : open_zero(access);
  }

 private:
  DeviceKind kind() const override { return full_ ? DeviceKind::kFull : DeviceKind::kZero; }
  std::size_t fill(std::span<std::byte> into) override {
    std::ranges::fill(into, std::byte{0});
    return into.size();
  }
  Result<std::size_t> take(std::span<const std::byte> from) override {
    if (full_ && !from.empty()) return Errno::kNospc;
    return from.size();
  }
  bool full_;
};

class RandomDevice final : public Device {
 public:
  RandomDevice(Random& random, Access access) : Device(access, "/dev/urandom"), random_(random) {}
  Result<FilePtr> reopen(Access access) override { return open_random(random_, access); }

 private:
  DeviceKind kind() const override { return DeviceKind::kUrandom; }
  std::size_t fill(std::span<std::byte> into) override {
    for (std::size_t at = 0; at < into.size(); at += sizeof(std::uint64_t)) {
      const std::uint64_t number = random_();
      std::memcpy(into.data() + at, &number, std::min(sizeof number, into.size() - at));
    }
    return into.size();
  }
  Random& random_;
};

class Text final : public OpenFile {
 public:
  explicit Text(std::string text) : OpenFile(Access::kRead), text_(std::move(text)) {}

  Result<std::size_t> try_read(std::span<std::byte> into) override {
    if (at_ >= text_.size()) return std::size_t{0};
    const std::size_t count = std::min(into.size(), text_.size() - at_);
    std::memcpy(into.data(), text_.data() + at_, count);
    at_ += count;
    return count;
  }
  Result<std::uint64_t> seek(std::int64_t by, Whence whence) override {
    std::size_t base = 0;
    if (whence == Whence::kCurrent) base = at_;
    if (whence == Whence::kEnd) base = text_.size();
    const std::int64_t to = static_cast<std::int64_t>(base) + by;
    if (to < 0) return Errno::kInval;
    at_ = static_cast<std::size_t>(to);
    return static_cast<std::uint64_t>(to);
  }
  std::string describe() const override { return "text"; }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

FilePtr open_null(Access access) { return std::make_shared<Null>(access); }
FilePtr open_zero(Access access) { return std::make_shared<Zero>(access, false); }
FilePtr open_full(Access access) { return std::make_shared<Zero>(access, true); }
FilePtr open_random(Random& random, Access access) {
  return std::make_shared<RandomDevice>(random, access);
}
FilePtr open_text(std::string text) { return std::make_shared<Text>(std::move(text)); }

Result<FilePtr> Capture::reopen(Access access) {
  if (access != Access::kWrite) return Errno::kAcces;
  return FilePtr(shared_from_this());
}

Result<std::size_t> Capture::try_write(std::span<const std::byte> from) {
  if (from.empty()) return std::size_t{0};
  const std::size_t count = std::min(from.size(), limit_ - text_.size());
  if (count == 0) return Errno::kNospc;
  text_.append(reinterpret_cast<const char*>(from.data()), count);
  return count;
}

}  // namespace sandproof::machine
