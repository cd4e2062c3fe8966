#!/usr/bin/env bash
# Calls each method of public clients in Python and Node against the running service, once, beside the TypeScript client
# of test/contract, calls tools with the inspector of the Model Context Protocol, exchanges messages with a laboratory of another HL7 library, reads the lake with pyiceberg, and reads
# FHIR with SMART's client and its exporter. Needs Python from 3.11 on and, the first time, a network.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=(vital==2.1.569 junction-api-sdk==2.0.0 hl7apy==1.3.5 "pyiceberg[pyarrow]==0.12.0" fhirclient==4.4.0 smart-fetch==1.0.3)
node=(@tryvital/vital-node@3.1.551 @modelcontextprotocol/inspector@2.12.0)

cache=node_modules/.cache/public-clients
installed="${python[*]} ${node[*]}"
if [ "$(cat "$cache/installed" 2>/dev/null)" != "$installed" ]; then
  rm -rf "$cache"
  python3 -m venv "$cache/python"
  "$cache/python/bin/pip" install --quiet --disable-pip-version-check "${python[@]}"
  npm install --prefix "$cache" --no-audit --no-fund --silent "${node[@]}"
  echo "$installed" >"$cache/installed"
fi
node_modules/.bin/node node_modules/vitest/vitest.mjs run --config test/vitest.config.ts test/clients
