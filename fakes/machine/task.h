// SPDX-License-Identifier: Apache-2.0
// A lazy coroutine: it begins when it is awaited, and resumes its awaiter when it ends. A task owns
// its frame; the frame owns what it awaits: destroying the outermost task of a process destroys all
// of it, innermost first, which is how the machine kills. One thread per machine.
#pragma once

#include <coroutine>
#include <cstdlib>
#include <exception>
#include <optional>
#include <utility>

namespace sandproof::machine {

template <typename T>
class Task;

namespace task_detail {

class PromiseBase {
 public:
  std::suspend_always initial_suspend() noexcept { return {}; }

  struct Final {
    bool await_ready() noexcept { return false; }
    // The awaiter may destroy the frame that this object lies in: nothing of it is used afterwards.
    template <typename Promise>
    void await_suspend(std::coroutine_handle<Promise> ended) noexcept {
      const std::coroutine_handle<> awaiter = ended.promise().awaiter_;
      if (awaiter) awaiter.resume();
    }
    void await_resume() noexcept {}
  };
  Final final_suspend() noexcept { return {}; }

  void unhandled_exception() noexcept { thrown_ = std::current_exception(); }
  void set_awaiter(std::coroutine_handle<> awaiter) { awaiter_ = awaiter; }

 protected:
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  std::coroutine_handle<> awaiter_;
  std::exception_ptr thrown_;
};

template <typename T>
class Promise : public PromiseBase {
 public:
  Task<T> get_return_object();
  void return_value(T value) { value_.emplace(std::move(value)); }
  T take() {
    rethrow();
    return std::move(*value_);
  }

 private:
  std::optional<T> value_;
};

template <>
class Promise<void> : public PromiseBase {
 public:
  Task<void> get_return_object();
  void return_void() {}
  void take() { rethrow(); }
};

}  // namespace task_detail

template <typename T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = task_detail::Promise<T>;

  Task() = default;
  explicit Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      destroy();
      frame_ = std::exchange(other.frame_, {});
    }
    return *this;
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() { destroy(); }

  bool valid() const { return static_cast<bool>(frame_); }
  /// Whether it has run to its end. Only where valid().
  bool done() const { return frame_.done(); }
  /// For the scheduler, which starts the outermost task of a process and resumes inner ones.
  std::coroutine_handle<> handle() const { return frame_; }
  /// What it gave, or throws what it threw. Only where done().
  T take() { return frame_.promise().take(); }

  // Awaiting begins it at once; one that ends without having waited does not suspend its awaiter.
  // No symmetric transfer: without optimisation, and with sanitizers, it costs a frame of the stack
  // for each task that ends; like this the stack is as deep as the tasks are nested, always.
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> awaiter) {
    frame_.resume();
    if (frame_.done()) return false;
    frame_.promise().set_awaiter(awaiter);
    return true;
  }
  T await_resume() { return frame_.promise().take(); }

 private:
  void destroy() {
    if (frame_) std::exchange(frame_, {}).destroy();
  }

  std::coroutine_handle<promise_type> frame_;
};

namespace task_detail {

template <typename T>
Task<T> Promise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}

inline Task<void> Promise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

}  // namespace task_detail

}  // namespace sandproof::machine
