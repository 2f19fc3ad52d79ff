// SPDX-License-Identifier: Apache-2.0
// What every program that is built with a sanitizer asks of it, however it is started. The
// sanitizers call these functions by name, before main and before their own start: nothing may
// be done in them. ASAN_OPTIONS, UBSAN_OPTIONS and TSAN_OPTIONS of the environment win.

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the names are theirs.
extern "C" {

const char* __asan_default_options();
const char* __ubsan_default_options();
const char* __tsan_default_options();

const char* __asan_default_options() {
  return "detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order=1";
}

const char* __ubsan_default_options() { return "print_stacktrace=1:halt_on_error=1"; }

const char* __tsan_default_options() { return "halt_on_error=1:second_deadlock_stack=1"; }
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
