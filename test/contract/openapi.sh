#!/usr/bin/env bash
# Checks the OpenAPI and AsyncAPI documents with tools of others: validators, a strict linter, and generated clients in
# three languages. Those in Python and Go play a short story against the running service. Needs Python 3 and, the first time,
# a network. Go, Java and Maven generate the client in Go; without them there is none.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD

cache=node_modules/.cache/openapi-tools
venv=$cache/python
if [ ! -x "$venv/bin/openapi-python-client" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check openapi-spec-validator==0.9.0 openapi-python-client==0.29.1
fi
if [ ! -d "$cache/node_modules/@asyncapi/parser" ]; then
  npm install --prefix "$cache" --no-audit --no-fund --silent @redocly/cli@2.77.0 openapi-typescript@7.13.0 @asyncapi/parser@3.6.6
fi

work=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill "$service" 2>/dev/null; rm -rf "$work"' EXIT
npm run --silent openapi -- "$work/openapi.json"
npm run --silent openapi -- --events "$work/asyncapi.json"

cd "$work"

"$root/$venv/bin/openapi-spec-validator" openapi.json
"$root/$cache/node_modules/.bin/redocly" lint --config "$root/test/contract/redocly.yaml" openapi.json

"$root/node_modules/.bin/node" "$root/test/contract/validate-asyncapi.mjs" "$root/$cache" asyncapi.json

"$root/$cache/node_modules/.bin/openapi-typescript" openapi.json --output types.ts
cp "$root/test/contract/generated-types.txt" use.ts
"$root/node_modules/.bin/tsc" --noEmit --strict --skipLibCheck --allowImportingTsExtensions --module nodenext use.ts
echo "the types of a generated TypeScript client compile"

echo "literal_enums: true" >python.yaml
"$root/$venv/bin/openapi-python-client" generate --path openapi.json --config python.yaml --meta none \
  --output-path tributary_client >python.log 2>&1 || { cat python.log; exit 1; }
port=$("$root/node_modules/.bin/node" -e 'const s = require("node:net").createServer().listen(0, () => { console.log(s.address().port); s.close(); })')
(cd "$root" && exec env DATA_DIR="$work/data" PORT="$port" node_modules/.bin/node bin/tributary.ts start >"$work/start.log" 2>&1) &
service=$!
for _ in $(seq 1 240); do [ -f data/local.json ] && break; sleep 0.5; done
[ -f data/local.json ] || { cat start.log; exit 1; }
"$root/$venv/bin/python" "$root/test/contract/generated_client.py" data/local.json

if command -v go >/dev/null && command -v java >/dev/null && command -v mvn >/dev/null; then
  bash "$root/test/contract/generate-go-client.sh" openapi.json go
  go/play-story data/local.json
else
  echo "no client in Go: it needs go, java and mvn"
fi
