# SPDX-License-Identifier: Apache-2.0
"""find_package() and pkg-config: components, versions, and a program by hand."""
import shlex

from consumer import PACKAGE, TestCase, fails, fresh, main, run

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(components LANGUAGES CXX)
{find}
foreach(name IN ITEMS framework flavors conformance)
  if(TARGET sandproof::${{name}})
    message(STATUS "has ${{name}}")
  endif()
endforeach()
if(TARGET GTest::gtest)
  message(STATUS "has GoogleTest")
endif()
if(TARGET yaml-cpp)
  message(STATUS "has yaml-cpp")
endif()
"""

PROGRAM = """#include <cstdio>
#include "sandproof/flavors/local.h"
int main() {
  const auto sandbox = sandproof::make_sandbox(sandproof::local::local_flavor());
  const auto session = sandbox->create_session();
  const sandproof::Output output = session->exec({"echo", "by hand"})->collect();
  session->close();
  std::fputs(output.out.c_str(), stdout);
}
"""


SUITE = """#include "sandproof/conformance/program.h"
int main(int argc, char** argv) {
  return sandproof::conformance::run_program(argc, argv, {});
}
"""


class Package(TestCase):
    def configure(self, find, status=0):
        directory = fresh('components')
        (directory / 'CMakeLists.txt').write_text(PROJECT.format(find=find))
        words = ('cmake', '-G', 'Ninja', '-S', directory, '-B', directory / 'build',
                 f'-DCMAKE_PREFIX_PATH={PACKAGE}')
        return run(*words) if status == 0 else fails(*words, status=status)

    def test_a_component_brings_what_it_needs_and_no_more(self):
        text = self.configure('find_package(sandproof REQUIRED COMPONENTS framework)')
        self.assertIn('has framework', text)
        self.assertNotIn('has flavors', text)
        self.assertNotIn('has GoogleTest', text)
        self.assertNotIn('has yaml-cpp', text)
        text = self.configure('find_package(sandproof REQUIRED COMPONENTS conformance)')
        self.assertLines(text, 'has framework', 'has conformance', 'has GoogleTest', 'has yaml-cpp')
        self.assertNotIn('has flavors', text)

    def test_without_components_all_are_there(self):
        text = self.configure('find_package(sandproof 0.1 REQUIRED)')
        self.assertLines(text, 'has framework', 'has flavors', 'has conformance')

    def test_an_unknown_component_is_named(self):
        text = self.configure('find_package(sandproof REQUIRED COMPONENTS framework engine)', status=1)
        # CMake breaks lines where it likes.
        self.assertIn("sandproof has no component 'engine'; it has framework, flavors, conformance",
                      ' '.join(text.split()))

    def test_an_optional_unknown_component_is_absent(self):
        text = self.configure('find_package(sandproof REQUIRED COMPONENTS framework '
                              'OPTIONAL_COMPONENTS engine)\n'
                              'if(NOT sandproof_engine_FOUND)\n  message(STATUS "no engine")\nendif()')
        self.assertLines(text, 'has framework', 'no engine')

    def test_another_version_is_refused(self):
        self.configure('find_package(sandproof 0.2 REQUIRED)', status=1)

    def built_by_hand(self, source, component):
        directory = fresh('by-hand')
        (directory / 'main.cc').write_text(source)
        env = {'PKG_CONFIG_PATH': str(next(PACKAGE.rglob('pkgconfig')))}
        flags = shlex.split(run('pkg-config', '--cflags', '--libs', component, env=env))
        run('c++', '-std=c++20', 'main.cc', '-o', 'by-hand', *flags, cwd=directory)
        return directory / 'by-hand'

    def test_pkg_config_builds_a_program(self):
        self.assertEqual(run(self.built_by_hand(PROGRAM, 'sandproof-flavors')), 'by hand\n')

    def test_pkg_config_links_what_the_suite_is_built_on(self):
        program = self.built_by_hand(SUITE, 'sandproof-conformance')
        self.assertIn('has no binding', fails(program, 'run', status=2))


if __name__ == '__main__':
    main()
