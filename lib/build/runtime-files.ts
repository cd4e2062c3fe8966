import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createOpenApiDocument } from "../openapi/document.ts";
import { linkPage, linkPageFiles } from "../services/connections/link/link-page.ts";
import { reviewFiles } from "../services/lab-reports/review-page.ts";
import { webhookPortalFiles } from "../services/webhooks/portal-files.ts";
import { bundleReportReader, reportReaderFiles } from "./report-reader.ts";

/** The files that functions read while they run. */
export const runtimeFiles: Readonly<Record<string, readonly string[]>> = {
  getOpenApi: ["openapi.json"],
  getPortalFile: webhookPortalFiles,
  getLinkPage: [linkPage],
  getLinkFile: linkPageFiles,
  getReviewFile: reviewFiles,
  parseLabReport: reportReaderFiles,
};

/** Writes the files that functions read while they run. */
export async function writeRuntimeFiles(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "openapi.json"), JSON.stringify(createOpenApiDocument()));
  const pages = new Set([...webhookPortalFiles, linkPage, ...linkPageFiles, ...reviewFiles]);
  for (const file of pages) await copyFile(join("web", file), join(directory, file));
  await bundleReportReader(directory);
}

/** Links files from the directory beside it into that of a function. A deployment follows the links. */
export async function linkFiles(functionDirectory: string, beside: string, files: readonly string[]): Promise<void> {
  await mkdir(functionDirectory, { recursive: true });
  for (const file of files) await symlink(join("..", beside, file), join(functionDirectory, file));
}
