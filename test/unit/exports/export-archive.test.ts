import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openPromise } from "yauzl";
import { type ArchiveFile, writeArchive } from "../../../lib/services/exports/export-archive.ts";
import { unzip } from "../../support/unzip.ts";

const about = { export_id: "e", user_id: "u", created_at: "2026-05-01T08:00:00.000Z" };
const directory = mkdtempSync(join(tmpdir(), "archive-test-"));
const path = join(directory, "a.zip");
beforeEach(() => rmSync(path, { force: true, recursive: true }));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, parts: readonly string[], more: Partial<ArchiveFile> = {}): ArchiveFile {
  const content = async function* () {
    for (const part of parts) yield Buffer.from(part);
  };
  return { name, content: content(), isCompressed: false, ...more };
}

/** Paths of the open files of this process. */
function openFiles(): string[] {
  const links = readdirSync("/proc/self/fd").map((name) => join("/proc/self/fd", name));
  return links.filter((link) => existsSync(link)).map((link) => readlinkSync(link));
}

async function* each(...files: ArchiveFile[]) {
  yield* files;
}

test("an archive contains every file, and a manifest with their sizes, checksums and counts", async () => {
  let records = 0;
  const counting = async function* () {
    for (const part of ["aa", "bb"]) {
      yield Buffer.from(part);
      records++;
    }
  };
  const counted = file("b.parquet", [], { content: counting(), isCompressed: true, records: () => records });
  await writeArchive(path, about, each(file("a.json", ["[", "]\n"]), counted));
  const files = await unzip(readFileSync(path));
  expect([...files.keys()]).toEqual(["a.json", "b.parquet", "manifest.json"]);
  expect([files.get("a.json")?.toString(), files.get("b.parquet")?.toString()]).toEqual(["[]\n", "aabb"]);
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  expect(JSON.parse(String(files.get("manifest.json")))).toEqual({
    ...about,
    files: [
      { name: "a.json", bytes: 3, sha256: sha256("[]\n") },
      { name: "b.parquet", bytes: 4, sha256: sha256("aabb"), records: 2 },
    ],
  });
});

test("files have the request time of the export as their time", async () => {
  await writeArchive(path, about, each(file("a.json", ["[]"])));
  const entries = await Array.fromAsync((await openPromise(path)).eachEntry());
  const times = entries.map((entry) => entry.getLastModDate().toISOString());
  expect(times).toEqual([about.created_at, about.created_at]);
});

test("the same data gives the same bytes", async () => {
  await writeArchive(path, about, each(file("a.json", ["[1", "]"])));
  const first = readFileSync(path);
  await writeArchive(path, about, each(file("a.json", ["[1]"])));
  expect(readFileSync(path).equals(first)).toBe(true);
});

test("a failing content fails the archive and leaves no file open", async () => {
  const broken = async function* () {
    yield Buffer.from("a");
    throw new Error("the store is gone");
  };
  const files = each(file("a.json", [], { content: broken() }), file("never.json", []));
  await expect(writeArchive(path, about, files)).rejects.toThrow("the store is gone");
  expect(openFiles()).not.toContain(path);
});

test("a full disk fails the archive while a content still waits", async () => {
  let isClosed = false;
  const endless = async function* () {
    try {
      for (;;) yield Buffer.alloc(100_000);
    } finally {
      isClosed = true;
    }
  };
  await expect(
    writeArchive("/dev/full", about, each(file("a.bin", [], { content: endless(), isCompressed: true }))),
  ).rejects.toMatchObject({ code: "ENOSPC" });
  expect(isClosed).toBe(true);
});
