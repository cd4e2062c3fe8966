#!/usr/bin/env bash
# Deploys all stacks to an independent emulator of AWS on this machine and plays a story through the API addresses.
# The last line is "N passed, N failed". Needs Python 3.11 or newer, openssl and, the first time, a network.
# With --restore it restores the deployment into another one instead.
# With --keep it only deploys, prints the addresses with a key, and runs until Ctrl-C.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
export PATH="$root/node_modules/.bin:$PATH"

venv=node_modules/.cache/emulator-$(sha256sum test/emulator/requirements.txt | cut -c1-12)
if [ ! -f "$venv/complete" ]; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r test/emulator/requirements.txt
  touch "$venv/complete"
fi

if [ ! -f cdk.out/Tributary-Data.template.json ] ||
  [ -n "$(find bin lib functions data web cdk.json package-lock.json -newer cdk.out/manifest.json -print -quit)" ]; then
  npm run --silent synth
fi

work=$(mktemp -d)
emulator=
# The functions are children of the emulator: signals go to its process group.
stop() {
  if [ -n "$emulator" ]; then
    kill -- "-$emulator" 2>/dev/null || true
    for _ in $(seq 1 50); do kill -0 -- "-$emulator" 2>/dev/null || break; sleep 0.1; done
    kill -KILL -- "-$emulator" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM

openssl req -x509 -newkey rsa:2048 -nodes -keyout "$work/key.pem" -out "$work/cert.pem" -days 2 -subj /CN=emulator \
  -addext basicConstraints=critical,CA:FALSE -addext extendedKeyUsage=serverAuth \
  -addext "subjectAltName=DNS:localhost,DNS:*.execute-api.localhost,IP:127.0.0.1" 2>/dev/null
port=$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')

# Functions inherit this environment, so it contains nothing of the shell. The wait of seven days takes 18 seconds.
mkdir "$work/tmp"
# The emulator writes CommonJS modules there, whatever a package.json of a directory above says.
echo '{ "type": "commonjs" }' >"$work/package.json"
set -m
env -i PATH="$PATH" HOME="$work" TMPDIR="$work/tmp" LANG=C.UTF-8 \
  AUTH=true USE_SSL=1 MINISTACK_SSL_CERT="$work/cert.pem" MINISTACK_SSL_KEY="$work/key.pem" \
  BIND_HOST=127.0.0.1 GATEWAY_PORT="$port" MINISTACK_ACCOUNT_ID=111122223333 MINISTACK_REGION=us-east-1 \
  AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test \
  LAMBDA_EXECUTOR=local LAMBDA_WARM_TTL_SECONDS=60 SFN_WAIT_SCALE=0.00003 ALLOW_LOOPBACK_WEBHOOKS=1 \
  "$venv/bin/python" test/emulator/start_emulator.py >"$work/emulator.log" 2>&1 &
emulator=$!
set +m

unset AWS_PROFILE AWS_SESSION_TOKEN
export AWS_ENDPOINT_URL="https://127.0.0.1:$port" AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test
export AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
export AWS_CA_BUNDLE="$work/cert.pem" NODE_EXTRA_CA_CERTS="$work/cert.pem"
export EMULATOR_DIRECTORY="$work" EMULATOR_PYTHON="$root/$venv/bin/python"

for _ in $(seq 1 120); do
  node -e 'fetch(process.env.AWS_ENDPOINT_URL + "/_ministack/health").then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))' && break
  kill -0 "$emulator" 2>/dev/null || { cat "$work/emulator.log"; exit 1; }
  sleep 0.25
done

if [ "${1:-}" = "--keep" ]; then
  node test/emulator/keep.ts
  wait "$emulator"
elif [ "${1:-}" = "--restore" ]; then
  node test/emulator/restore.ts || { grep -aE "ERROR|Traceback" -A 20 "$work/emulator.log" | tail -n 60; exit 1; }
else
  node test/emulator/story.ts || { grep -aE "ERROR|Traceback" -A 20 "$work/emulator.log" | tail -n 60; exit 1; }
fi
