#!/usr/bin/env bash
# Stores the data folder of a version of the service: test/upgrade/keep-version.sh COMMIT writes test/upgrade/versions/COMMIT.json.gz.
set -euo pipefail
cd "$(dirname "$0")/../.."
commit=$(git rev-parse --short=7 "$1")
here=$PWD
there=$(mktemp -d -p "$here/..")
trap 'git worktree remove --force "$there"' EXIT
git worktree add --force --detach "$there" "$commit"
cp -al node_modules/. "$there/node_modules" # follows a link, so that the next line never reaches its target
rm -rf "$there/node_modules/.cache"
mkdir -p "$there/test/upgrade"
cp test/upgrade/*.ts "$there/test/upgrade/"
rm -f "$there"/test/upgrade/*.test.ts
cat > "$there/test/upgrade/keep.test.ts" <<TEST
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { TestService } from "../support/service.ts";
import { pack } from "./data-folder.ts";
import { storeData } from "./store-data.ts";

test("keeps the data folder", { timeout: 300_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "kept-"));
  const service = await TestService.start(directory);
  const stored = await storeData(service);
  await service.stop({ keep: true });
  pack(directory, stored, "$here/test/upgrade/versions/$commit.json.gz");
});
TEST
cd "$there"
npm test -- test/upgrade/keep.test.ts
