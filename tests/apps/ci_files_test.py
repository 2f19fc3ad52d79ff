#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files that docs/ci.md offers are what they say: parsed as YAML, and their commands run as a cluster or a
runner would, with the area META alone. Usage: ci_files_test.py SANDPROOF ROOT."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

PROGRAM, ROOT = (pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
# Ten times what the longest takes on a busy machine.
COMMAND_TIMEOUT_S = 60


def run_shell(command, directory, **variables):
    """Like the shell of a container: the program on the PATH, the volume at its place, a part of the suite."""
    command = command.replace("sandproof run ", "sandproof run --area META ")
    command = command.replace("/results", str(directory))
    environment = dict(os.environ, PATH=f"{PROGRAM.parent}:{os.environ['PATH']}", **variables)
    return subprocess.run(["sh", "-c", command], cwd=directory, env=environment, text=True,
                          capture_output=True, timeout=COMMAND_TIMEOUT_S)


def environment_of(container):
    return {row["name"]: row["value"] for row in container.get("env", [])}


class IndexedJob(unittest.TestCase):
    def setUp(self):
        documents = list(yaml.safe_load_all((ROOT / "docs/indexed-job.yaml").read_text()))
        self.by_name = {document["metadata"]["name"]: document for document in documents}
        self.shards = self.by_name["sandproof-shards"]["spec"]
        self.merge = self.by_name["sandproof-merge"]["spec"]
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.directory = pathlib.Path(holder.name)

    def container(self, job):
        (container,) = job["template"]["spec"]["containers"]
        self.assertEqual(container["command"], ["sh", "-c"])
        return container

    def run_shard(self, index):
        container = self.container(self.shards)
        return run_shell(container["args"][0], self.directory, JOB_COMPLETION_INDEX=str(index),
                         **environment_of(container))

    def run_merge(self):
        container = self.container(self.merge)
        return run_shell(container["args"][0], self.directory, **environment_of(container))

    def test_is_an_indexed_job_with_as_many_shards_as_pods(self):
        self.assertEqual(self.shards["completionMode"], "Indexed")
        self.assertEqual(self.shards["completions"], self.shards["parallelism"])
        variables = environment_of(self.container(self.shards))
        self.assertEqual(int(variables["SANDPROOF_SHARDS"]), self.shards["completions"])
        self.assertEqual(variables["SEED"], environment_of(self.container(self.merge))["SEED"])
        self.assertEqual(self.merge["backoffLimit"], 0)

    def test_labels_select_the_two_steps(self):
        steps = {name: document["metadata"]["labels"]["step"] for name, document in self.by_name.items()}
        self.assertEqual(steps, {"sandproof-results": "shards", "sandproof-shards": "shards",
                                 "sandproof-merge": "merge"})

    def test_both_jobs_have_the_volume(self):
        claim = self.by_name["sandproof-results"]
        self.assertEqual(claim["spec"]["accessModes"], ["ReadWriteMany"])
        for job in (self.shards, self.merge):
            (volume,) = job["template"]["spec"]["volumes"]
            self.assertEqual(volume["persistentVolumeClaim"]["claimName"], "sandproof-results")
            (mount,) = self.container(job)["volumeMounts"]
            self.assertEqual((mount["name"], mount["mountPath"]), (volume["name"], "/results"))

    def test_its_commands_run_the_shards_and_merge_them(self):
        for index in range(self.shards["completions"]):
            shard = self.run_shard(index)
            self.assertEqual(shard.returncode, 0, shard.stderr)
            self.assertIn(f"shard {index + 1} of 4 (JOB_COMPLETION_INDEX={index}", shard.stdout)
        merged = self.run_merge()
        self.assertEqual(merged.returncode, 0, merged.stderr)
        (report,) = self.directory.glob("*/conformance.json")
        self.assertEqual(json.loads(report.read_text())["verdict"], "conformant")

    def test_a_pod_that_is_missing_makes_it_incomplete(self):
        for index in (0, 1, 3):
            self.assertEqual(self.run_shard(index).returncode, 0)
        merged = self.run_merge()
        self.assertEqual(merged.returncode, 6, merged.stderr)
        self.assertIn("shard 3 of 4 of local is missing", " ".join(merged.stdout.split()))

    def test_a_pod_without_an_index_fails(self):
        container = self.container(self.shards)
        shard = run_shell(container["args"][0], self.directory, **environment_of(container))
        self.assertEqual(shard.returncode, 2)
        self.assertIn("JOB_COMPLETION_INDEX", shard.stderr)


class Workflow(unittest.TestCase):
    def test_its_commands_run_the_shards_and_merge_them(self):
        workflow = yaml.safe_load((ROOT / "docs/sharded-workflow.yml").read_text())
        shard, merge = workflow["jobs"]["shard"], workflow["jobs"]["merge"]
        self.assertEqual(merge["needs"], "shard")
        self.assertEqual(merge["if"], "always()")
        with tempfile.TemporaryDirectory() as holder:
            directory = pathlib.Path(holder)
            for index in shard["strategy"]["matrix"]["shard"]:
                (command,) = [step["run"] for step in shard["steps"] if "run" in step]
                command = command.replace("${{ matrix.shard }}", str(index))
                command = command.replace("${{ github.run_number }}", "17")
                self.assertIsNone(re.search(r"\$\{\{", command))
                self.assertEqual(run_shell(command, directory).returncode, 0, command)
            (command,) = [step["run"] for step in merge["steps"] if "run" in step]
            merged = run_shell(command, directory)
            self.assertEqual(merged.returncode, 0, merged.stderr)
            report = json.loads((directory / "conformance.json").read_text())
            self.assertEqual([part["state"] for part in report["run"]["parts"]], ["finished"] * 3)


if __name__ == "__main__":
    for name in ("GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", "JOB_COMPLETION_INDEX", "SANDPROOF_SHARDS"):
        os.environ.pop(name, None)
    unittest.main(argv=sys.argv[:1])
