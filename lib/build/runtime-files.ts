import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAgentCatalogue } from "../openapi/agent-catalogue.ts";
import { createAsyncApiDocument } from "../openapi/asyncapi-document.ts";
import { createOpenApiDocument } from "../openapi/document.ts";
import { consoleFiles } from "../runtime/http/console-page.ts";
import { referenceFiles } from "../runtime/http/reference-page.ts";
import { linkPage, linkPageFiles } from "../services/connections/link/link-page.ts";
import { reviewFiles } from "../services/lab-reports/review-page.ts";
import { webhookPortalFiles } from "../services/webhooks/portal-files.ts";
import { writeConsole } from "./console-files.ts";
import { writeReference } from "./reference.ts";
import { bundleReportReader, reportReaderFiles } from "./report-reader.ts";

/** The OpenAPI document among the files that functions read. */
export const OPENAPI_FILE = "openapi.json";
/** The AsyncAPI document among the files that functions read. */
const ASYNCAPI_FILE = "asyncapi.json";
/** The tools of agents among the files that functions read. */
const AGENT_CATALOGUE_FILE = "agent-catalogue.json";

/** The files that functions read while they run. */
export const runtimeFiles: Readonly<Record<string, readonly string[]>> = {
  getOpenApi: [OPENAPI_FILE],
  getAsyncApi: [ASYNCAPI_FILE],
  answerAgentMessage: [AGENT_CATALOGUE_FILE],
  getApiReference: referenceFiles,
  getConsolePage: consoleFiles,
  getPortalFile: webhookPortalFiles,
  getLinkPage: [linkPage],
  getLinkFile: linkPageFiles,
  getReviewFile: reviewFiles,
  parseLabReport: reportReaderFiles,
};

/** Writes the files that functions read while they run. */
export async function writeRuntimeFiles(directory: string): Promise<void> {
  await Promise.all([writePages(directory), bundleReportReader(directory)]);
}

/** Writes the documents of the API and its events, the reference and the pages that functions return. */
export async function writePages(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const pages = new Set([...webhookPortalFiles, linkPage, ...linkPageFiles, ...reviewFiles]);
  for (const file of pages) await copyFile(join("web", file), join(directory, file));
  await writeReference(directory);
  await writeConsole(directory);
  await writeFile(join(directory, OPENAPI_FILE), JSON.stringify(createOpenApiDocument()));
  await writeFile(join(directory, ASYNCAPI_FILE), JSON.stringify(createAsyncApiDocument()));
  await writeFile(join(directory, AGENT_CATALOGUE_FILE), JSON.stringify(createAgentCatalogue()));
}

/** Links files from the directory beside it into that of a function. A deployment follows the links. */
export async function linkFiles(functionDirectory: string, beside: string, files: readonly string[]): Promise<void> {
  await mkdir(functionDirectory, { recursive: true });
  for (const file of files) await symlink(join("..", beside, file), join(functionDirectory, file));
}
