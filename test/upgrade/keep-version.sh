#!/usr/bin/env bash
# Keeps a version of the service for the tests of upgrades: test/upgrade/keep-version.sh COMMIT writes to test/upgrade/versions
#   COMMIT.json.gz          its data folder, which later versions open
# and, as those of the version before the next release, in the place of earlier ones:
#   COMMIT.sources.br       the sources of its functions, which run beside the next version
#   COMMIT.formats.json.gz  its formats of messages, items and events
set -euo pipefail
cd "$(dirname "$0")/../.."
commit=$(git rev-parse --short=7 "$1")
here=$PWD
versions=$here/test/upgrade/versions
there=$(mktemp -d -p "$here/..")
trap 'git worktree remove --force "$there"' EXIT
git worktree add --force --detach "$there" "$commit"
cp -al node_modules/. "$there/node_modules" # follows a link, so that the next line never reaches its target
rm -rf "$there/node_modules/.cache"
mkdir -p "$there/test/upgrade"
cp -r test/upgrade/*.ts test/upgrade/formats "$there/test/upgrade/"
rm -f "$there"/test/upgrade/*.test.ts
cat > "$there/test/upgrade/keep.test.ts" <<TEST
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { TestService } from "../support/service.ts";
import { pack } from "./data-folder.ts";
import { recordFormats } from "./formats/record-formats.ts";
import { packSources } from "./source-archive.ts";
import { storeData } from "./store-data.ts";

test("keeps the data folder", { timeout: 300_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "kept-"));
  const service = await TestService.start(directory);
  const stored = await storeData(service);
  await service.stop({ keep: true });
  pack(directory, stored, "$versions/$commit.json.gz");
});

test("keeps the formats and the sources", { timeout: 1_500_000 }, async () => {
  await recordFormats("$there/formats.json.gz");
  packSources("$there", "$there/sources.br");
});
TEST
(cd "$there" && npm test -- test/upgrade/keep.test.ts)
rm -f "$versions"/*.sources.br "$versions"/*.formats.json.gz
cp "$there/sources.br" "$versions/$commit.sources.br"
cp "$there/formats.json.gz" "$versions/$commit.formats.json.gz"
