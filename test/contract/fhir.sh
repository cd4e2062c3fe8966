#!/usr/bin/env bash
# Validates every FHIR resource of a user with all kinds of data by the official validator: the structures of R4, the
# vital signs profiles, required codes and UCUM. Needs a JDK from 17 on, Maven and, the first time, a network.
set -euo pipefail
cd "$(dirname "$0")/../.."

cache=node_modules/.cache/fhir-validator
if [ ! -f "$cache/done" ]; then
  mvn --quiet --batch-mode --file test/contract/fhir/pom.xml dependency:copy-dependencies -DoutputDirectory="$PWD/$cache"
  touch "$cache/done"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
node_modules/.bin/node test/contract/fhir/write-resources.ts "$work" >"$work/service.log" 2>&1 || { cat "$work/service.log"; exit 1; }
java -cp "$cache/*" test/contract/fhir/Validate.java "$work"/*.ndjson 2>"$work/java.log" || { tail -50 "$work/java.log"; exit 1; }
