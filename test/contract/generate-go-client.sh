#!/usr/bin/env bash
# Generates a Go client from the OpenAPI document, and compiles it with its story. Needs Go, Java and Maven.
# Usage: generate-go-client.sh OPENAPI.json DIRECTORY; the program is DIRECTORY/play-story.
set -euo pipefail
document=$(realpath "$1")
work=$(realpath -m "$2")
here=$(cd "$(dirname "$0")" && pwd)
version=7.17.0

cache=$here/../../node_modules/.cache/openapi-tools
jar=$cache/openapi-generator-cli-$version.jar
[ -f "$jar" ] || mvn --quiet --batch-mode dependency:copy \
  -Dartifact=org.openapitools:openapi-generator-cli:$version -DoutputDirectory="$cache"

mkdir -p "$work"
python3 "$here/simplify_for_go.py" <"$document" >"$work/openapi.json"
java -jar "$jar" generate --input-spec "$work/openapi.json" --generator-name go --output "$work/client" \
  --skip-validate-spec --git-host example.com --git-user-id tributary --git-repo-id client \
  --global-property apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false \
  --additional-properties=packageName=tributary,withGoMod=true,enumClassPrefix=true \
  >"$work/generator.log" 2>&1 || { tail -n 20 "$work/generator.log"; exit 1; }

mkdir -p "$work/client/story"
cp "$here/generated_client.go" "$work/client/story/main.go"
cd "$work/client"
GOFLAGS=-mod=mod go build -o "$work/play-story" ./story
