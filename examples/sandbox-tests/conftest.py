"""A sandbox for the tests of a Python project. Node runs it; Python needs no package of ours."""

import json
import os
import subprocess

import pytest

# Where npm has installed it, in a folder of your project.
PROGRAM = os.environ.get("SVC_SANDBOX", "node_modules/.bin/svc-sandbox")


@pytest.fixture(scope="session")
def sandbox():
    process = subprocess.Popen(
        [PROGRAM, "--json", "--memory", "--port=0", "--no-demo", "--stop-with-stdin"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    line = process.stdout.readline()
    assert line, "The sandbox did not start: its message is above."
    yield json.loads(line)
    # It also stops when this process dies, because its standard input ends then.
    process.stdin.close()
    assert process.wait(timeout=30) == 0
