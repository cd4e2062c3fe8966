import { createHmac } from "node:crypto";
import * as z from "zod";

/** Name of the file that describes an archive. An export writes it last, so an archive without it is not complete. */
export const MANIFEST_FILE = "manifest.json";

/** What a part contains: records of a table or of a bucket, from the first part on. */
const partName = z.string().regex(/^(tables|buckets)\/[A-Za-z]+-\d{6}\.part$/);

const part = z.object({
  name: partName,
  records: z.int(),
  bytes: z.int(),
  sha256: z.string(),
});
export type ArchivePart = z.output<typeof part>;

/** What an archive contains: everything, or the list of erasures alone. */
const archiveScope = z.enum(["deployment", "erasures"]);
export type ArchiveScope = z.output<typeof archiveScope>;

const content = z.object({
  format: z.literal(1),
  deployment: z.string().describe("Name of the deployment"),
  scope: archiveScope,
  exported_at: z.iso.datetime(),
  at: z.iso.datetime().nullable().describe("The instant of the tables; null if they were read as they were"),
  key: z.string().describe("The key of the archive for its recipient: JWE, compact (RFC 7516)"),
  parts: z.array(part),
});
type ManifestContent = z.output<typeof content>;

/** The description of an archive, with a code that only its key can make. */
export const archiveManifest = content.extend({ mac: z.string() });
export type ArchiveManifest = z.output<typeof archiveManifest>;

/** Signs a manifest, so that nobody can leave out a part. @param key derived from the archive's key. */
export const signManifest = (manifest: ManifestContent, key: Uint8Array): ArchiveManifest => ({
  ...manifest,
  mac: macOf(manifest, key),
});

/** Whether a manifest is the one that was signed. */
export const isSigned = ({ mac, ...manifest }: ArchiveManifest, key: Uint8Array): boolean =>
  mac === macOf(manifest, key);

const macOf = (manifest: ManifestContent, key: Uint8Array) =>
  createHmac("sha256", key)
    .update(JSON.stringify(content.parse(manifest)))
    .digest("hex");
