#!/usr/bin/env bash
# Creates all stacks in cdk.out/ (npm run synth) in moto, a server that speaks like AWS, and compares with what is expected.
# Needs Python 3 and, the first time, a network. With --write it accepts what came of it.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=5.2.5
venv=node_modules/.cache/moto-$version
if [ ! -x "$venv/bin/moto_server" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "moto[server]==$version"
fi

"$venv/bin/python" test/template/deploy-to-moto.py cdk.out test/template/moto-expected.txt "$@"
