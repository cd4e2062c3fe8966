import { expect } from "vitest";
import type { Answer, TestService } from "../../../support/service.ts";

type Body = Answer["body"];
interface Options {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Starts an export with the headers that it needs. */
export const startExport = (service: TestService, path: string, options: Options = {}): Promise<Answer> =>
  service.call(options.body === undefined ? "GET" : "POST", `/fhir${path}`, {
    ...options,
    headers: { prefer: "respond-async", accept: "application/fhir+json", ...options.headers },
  });

/** Reads an absolute URL of the service. */
export const readUrl = (service: TestService, url: string, options: Options = {}): Promise<Answer> =>
  service.call("GET", url.slice(service.baseUrl.length), options);

/** Starts an export, waits for its end and reads its manifest. */
export async function exportManifest(
  service: TestService,
  path: string,
  options: Options = {},
): Promise<{ url: string; manifest: Body }> {
  const { status, headers, body } = await startExport(service, path, options);
  expect([status, body]).toEqual([202, ""]);
  const url = headers.get("content-location") ?? "";
  await service.settle();
  const ended = await readUrl(service, url, options.key === undefined ? {} : { key: options.key });
  expect([ended.status, ended.headers.get("content-type")]).toEqual([200, "application/json"]);
  return { url, manifest: ended.body };
}

/** Reads all resources of the files of a manifest, and checks type and count of each file. */
export async function readFiles(service: TestService, { output }: Body, key?: string): Promise<Body[]> {
  const found: Body[] = [];
  for (const { type, url, count } of output) {
    const answer = await fetch(url, { headers: { "x-service-api-key": key ?? service.identity.api_key } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/fhir+ndjson"]);
    const resources = readLines(await answer.text());
    expect(new Set(resources.map(({ resourceType }) => resourceType))).toEqual(new Set([type]));
    expect(resources).toHaveLength(count);
    found.push(...resources);
  }
  return found;
}

/** The resources of NDJSON. */
export const readLines = (text: string): Body[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
