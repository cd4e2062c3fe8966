import { promisify } from "node:util";
import { gzip } from "node:zlib";
import {
  type BulkExport,
  type ExportFile,
  type ExportPart,
  exportPartKey,
  MAX_FILE_PARTS,
} from "../../../domain/fhir/bulk/bulk-export.ts";
import type { FhirResource } from "../../../domain/fhir/resources.ts";
import type { PatientType } from "../../../domain/fhir/search-query.ts";
import type { Bucket } from "../../../runtime/aws/bucket.ts";
import { answerBytes, MAX_PAGE_BYTES } from "../../../runtime/http/answer-size.ts";

/** A file that is being filled. */
interface OpenFile {
  readonly parts: ExportPart[];
  /** Lines of the current user that are not stored yet. */
  lines: string[];
  count: number;
  bytes: number;
}

/**
 * Writes the resources of one step as files of one type each. A part of a file holds lines of one user and is an object
 * of its own, so that the erasure of a user removes all of it. Memory is bounded by one file for each type.
 */
export class ExportWriter {
  readonly #bucket: Pick<Bucket, "put">;
  readonly #job: BulkExport;
  readonly #open = new Map<PatientType, OpenFile>();
  /** The finished files. */
  readonly files: ExportFile[] = [];
  /** Number and bytes of the written resources. */
  resources = 0;
  bytes = 0;
  #parts = 0;

  constructor(bucket: Pick<Bucket, "put">, job: BulkExport) {
    this.#bucket = bucket;
    this.#job = job;
  }

  /** Adds a resource of a user. Call {@link endUser} before that of another one. */
  async add(userId: string, resource: FhirResource): Promise<void> {
    const type = resource.resourceType as PatientType;
    const line = `${JSON.stringify(resource)}\n`;
    const bytes = answerBytes(line);
    const known = this.#open.get(type);
    if (known && known.bytes + bytes > MAX_PAGE_BYTES) await this.#close(type, userId, known);
    const file = this.#open.get(type) ?? { parts: [], lines: [], count: 0, bytes: 0 };
    this.#open.set(type, file);
    file.lines.push(line);
    file.count++;
    file.bytes += bytes;
    this.resources++;
    this.bytes += bytes;
  }

  /** Stores what is left of a user. */
  async endUser(userId: string): Promise<void> {
    for (const [type, file] of this.#open) {
      await this.#storePart(userId, file);
      if (file.parts.length >= MAX_FILE_PARTS) await this.#close(type, userId, file);
    }
  }

  /** Ends all files, after the last user. */
  end(): readonly ExportFile[] {
    for (const [type, { parts, count }] of this.#open) this.files.push({ type, parts, count });
    this.#open.clear();
    return this.files;
  }

  async #close(type: PatientType, userId: string, file: OpenFile): Promise<void> {
    await this.#storePart(userId, file);
    this.files.push({ type, parts: file.parts, count: file.count });
    this.#open.delete(type);
  }

  async #storePart(userId: string, file: OpenFile): Promise<void> {
    if (file.lines.length === 0) return;
    // Names contain the claim, so that a step that runs again overwrites nothing that another one has stored.
    const part = { user_id: userId, name: `${this.#job.attempts}-${this.#parts++}` };
    await this.#bucket.put(exportPartKey(this.#job, part), await promisify(gzip)(file.lines.join("")));
    file.parts.push(part);
    file.lines = [];
  }
}
