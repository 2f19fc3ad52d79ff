// SPDX-License-Identifier: Apache-2.0
// What every program that is built with a sanitizer asks of it, however it is started. The
// sanitizers call these functions by name, before main and before their own start: nothing may
// be done in them. ASAN_OPTIONS, UBSAN_OPTIONS and TSAN_OPTIONS of the environment win.

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the names are theirs.
extern "C" {

const char* __asan_default_options();
const char* __ubsan_default_options();
const char* __tsan_default_options();
const char* __tsan_default_suppressions();

const char* __asan_default_options() {
  return "detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order=1";
}

const char* __ubsan_default_options() { return "print_stacktrace=1:halt_on_error=1"; }

const char* __tsan_default_options() { return "halt_on_error=1:second_deadlock_stack=1"; }

// An exception that went through a future is destroyed by whoever lets go of it last. What orders
// that behind the reads of the others is the count in libstdc++, which is not instrumented: the
// sanitizer takes the destruction for a race. Nothing else is destroyed under this function.
const char* __tsan_default_suppressions() {
  return "race:std::__exception_ptr::exception_ptr::_M_release\n";
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
