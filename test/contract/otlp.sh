#!/usr/bin/env bash
# Parses an exported OTLP request by the official protobuf messages in Python. Needs Python 3 and, the first time, a network.
set -euo pipefail
cd "$(dirname "$0")/../.."

venv=node_modules/.cache/otlp/python
if [ ! -f "$venv/done" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check opentelemetry-proto==1.43.0
  touch "$venv/done"
fi
node_modules/.bin/node test/contract/write-otlp.ts | "$venv/bin/python" test/contract/parse_otlp.py
