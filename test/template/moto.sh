#!/usr/bin/env bash
# Creates all stacks in cdk.out/ (npm run synth) in moto, a server with AWS's interfaces, and compares the result with the expected types.
# Needs Python 3 and, the first time, a network. With --write it stores the result as the expected one.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=5.2.5
venv=node_modules/.cache/moto-$version
if [ ! -x "$venv/bin/moto_server" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "moto[server]==$version"
fi

"$venv/bin/python" test/template/deploy-to-moto.py cdk.out test/template/moto-expected.txt "$@"
