"""A fuzzer reads the OpenAPI document and asks what it promises, and what it does not: no answer is a fault of the server, and every
answer is as the document has it."""

import os
import subprocess

CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "allow_header_conformance",
]


def test_nothing_that_is_asked_is_answered_otherwise_than_promised(server, tmp_path):
    seconds = os.environ.get("SERVER_FUZZ_SECONDS", "60")
    command = ["schemathesis", "run", f"{server}/openapi.json", "--max-time", seconds, "--checks", ",".join(CHECKS)]
    ran = subprocess.run([*command, "--warnings", "off"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    print(ran.stdout.splitlines()[-1])
