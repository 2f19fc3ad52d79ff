// SPDX-License-Identifier: Apache-2.0
// Wait records (sandproof/wait_board.h). The pointer to the installed board is the one piece of
// state; slots are claimed and released lock-free by any thread.
//
// A slot is a sequence lock whose sequence also says who may write. The writer makes it odd-like
// ("being written") by a compare-exchange, stores the fields with release order, and opens it with
// release order. A reader loads the state, the fields with acquire order, and the state again: a
// field of a later claim cannot be seen without the state of that claim.
#include "sandproof/wait_board.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "utf8.h"

namespace sandproof {
namespace {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
                  std::atomic<std::int64_t>::is_always_lock_free &&
                  std::atomic<std::uint32_t>::is_always_lock_free,
              "an atomic with a lock cannot be shared between processes");

constexpr std::uint32_t kStateMask = 3;
constexpr std::uint32_t kFree = 0;
constexpr std::uint32_t kWriting = 1;
constexpr std::uint32_t kOpen = 2;
constexpr std::uint32_t kNextClaim = 4;

// A reader tries a slot that changes under it this often. A writer that is always faster is not
// stuck.
constexpr int kReadAttempts = 3;

std::atomic<WaitBoard*> installed_board{nullptr};

// Where a thread starts to look for a slot: its last one, which is most likely free and in its
// cache; new threads are spread.
std::atomic<std::uint32_t> next_hint{0};
thread_local std::uint32_t slot_hint = next_hint.fetch_add(1, std::memory_order_relaxed);

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The claimed slot, being written; null when all are in use.
template <typename Slot, std::size_t kCount>
Slot* claim(Slot (&slots)[kCount]) noexcept {
  const std::uint32_t start = slot_hint;
  for (std::uint32_t offset = 0; offset < kCount; ++offset) {
    Slot& slot = slots[(start + offset) % kCount];
    std::uint32_t state = slot.state.load(std::memory_order_relaxed);
    if ((state & kStateMask) != kFree) continue;
    const std::uint32_t claimed = (state + kNextClaim) | kWriting;
    if (slot.state.compare_exchange_strong(state, claimed, std::memory_order_acquire,
                                           std::memory_order_relaxed)) {
      slot_hint = start + offset;
      return &slot;
    }
  }
  return nullptr;
}

template <typename Slot>
void mark(Slot& slot, std::uint32_t as) noexcept {
  const std::uint32_t state = slot.state.load(std::memory_order_relaxed);
  slot.state.store((state & ~kStateMask) | as, std::memory_order_release);
}

// Calls `read` on an open slot; false when it is not open or kept changing.
template <typename Slot, typename Read>
bool read_open(const Slot& slot, const Read& read) {
  for (int attempt = 0; attempt < kReadAttempts; ++attempt) {
    const std::uint32_t before = slot.state.load(std::memory_order_acquire);
    if ((before & kStateMask) != kOpen) return false;
    read();
    if (slot.state.load(std::memory_order_acquire) == before) return true;
  }
  return false;
}

// Valid UTF-8 without ASCII's control characters: what came out of a command may hold anything, and
// a report must not ring the bell or clear the screen.
std::string printable(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (const char c : sanitize(bytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (c == '\r') {
      text += "\\r";
    } else if (byte < 0x20 || byte == 0x7F) {
      text += {'\\', 'x', kHex[byte >> 4], kHex[byte & 0xF]};
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

template <std::size_t N>
void BoardText<N>::set(std::string_view text) noexcept {
  const std::size_t size = std::min(text.size(), N);
  for (std::size_t at = 0; at < N; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    if (at < size) std::memcpy(&word, text.data() + at, std::min(size - at, sizeof(word)));
    words_[at / sizeof(word)].store(word, std::memory_order_release);
    if (at + sizeof(word) > size) break;  // The word that holds the terminator.
  }
}

template <std::size_t N>
std::string BoardText<N>::get() const {
  char bytes[N];
  for (std::size_t at = 0; at < N; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = words_[at / sizeof(word)].load(std::memory_order_acquire);
    std::memcpy(bytes + at, &word, sizeof(word));
  }
  return std::string(bytes, ::strnlen(bytes, N));
}

template class BoardText<24>;
template class BoardText<80>;
template class BoardText<120>;
template class BoardText<kLastBytes>;

void install_wait_board(WaitBoard* board) {
  installed_board.store(board, std::memory_order_release);
}

WaitScope::WaitScope(std::string_view verb, std::string_view object, const Where& where) noexcept {
  WaitBoard* const board = installed_board.load(std::memory_order_acquire);
  if (board == nullptr) return;
  board->progress.fetch_add(1, std::memory_order_relaxed);
  slot_ = claim(board->waits);
  if (slot_ == nullptr) return;
  slot_->thread.store(static_cast<std::uint32_t>(::syscall(SYS_gettid)), std::memory_order_release);
  slot_->since_ns.store(now_ns(), std::memory_order_release);
  slot_->line.store(where.line(), std::memory_order_release);
  slot_->verb.set(verb);
  slot_->object.set(object);
  std::string_view file = where.file_name();
  constexpr std::size_t kFileBytes = sizeof(slot_->file);
  if (file.size() > kFileBytes) file.remove_prefix(file.size() - kFileBytes);
  slot_->file.set(file);
  mark(*slot_, kOpen);
}

WaitScope::~WaitScope() {
  if (slot_ != nullptr) mark(*slot_, kFree);
}

WaitObject::WaitObject(std::string_view object) noexcept
    : board_(installed_board.load(std::memory_order_acquire)) {
  if (board_ == nullptr) return;
  slot_ = claim(board_->objects);
  if (slot_ == nullptr) return;
  slot_->progress_ns.store(0, std::memory_order_release);
  slot_->object.set(object);
  slot_->last_bytes.set({});
  mark(*slot_, kOpen);
}

WaitObject::~WaitObject() {
  if (slot_ != nullptr) mark(*slot_, kFree);
}

void WaitObject::saw(std::span<const std::byte> bytes) noexcept {
  if (board_ == nullptr || bytes.empty()) return;
  board_->progress.fetch_add(bytes.size(), std::memory_order_relaxed);
  if (slot_ == nullptr) return;
  const std::span<const std::byte> last = bytes.last(std::min(bytes.size(), kLastBytes));
  const std::size_t kept = std::min(tail_size_, kLastBytes - last.size());
  std::memmove(tail_.data(), tail_.data() + (tail_size_ - kept), kept);
  tail_size_ = kept;
  for (const std::byte byte : last) {
    if (byte != std::byte{0}) tail_[tail_size_++] = static_cast<char>(byte);
  }
  slot_->last_bytes.set({tail_.data(), tail_size_});
  slot_->progress_ns.store(now_ns(), std::memory_order_release);
}

std::vector<WaitRecord> read_wait_board(const WaitBoard& board) {
  std::vector<WaitRecord> records;
  for (const WaitSlot& slot : board.waits) {
    WaitRecord record;
    const bool whole = read_open(slot, [&] {
      record.verb = printable(slot.verb.get());
      record.object = printable(slot.object.get());
      record.file = printable(slot.file.get());
      record.line = slot.line.load(std::memory_order_acquire);
      record.thread = slot.thread.load(std::memory_order_acquire);
      record.since_ns = slot.since_ns.load(std::memory_order_acquire);
    });
    if (whole) records.push_back(std::move(record));
  }
  for (const ObjectSlot& slot : board.objects) {
    std::string name;
    std::string last_bytes;
    std::int64_t progress_ns = 0;
    const bool whole = read_open(slot, [&] {
      name = printable(slot.object.get());
      last_bytes = printable(slot.last_bytes.get());
      progress_ns = slot.progress_ns.load(std::memory_order_acquire);
    });
    if (!whole) continue;
    for (WaitRecord& record : records) {
      if (record.object != name) continue;
      record.last_bytes = last_bytes;
      record.progress_ns = progress_ns;
    }
  }
  std::stable_sort(records.begin(), records.end(), [](const WaitRecord& a, const WaitRecord& b) {
    return a.since_ns < b.since_ns;
  });
  return records;
}

}  // namespace sandproof
