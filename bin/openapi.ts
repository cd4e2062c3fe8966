import { writeFileSync } from "node:fs";
import { createOpenApiDocument } from "../lib/openapi/document.ts";

/** Writes the OpenAPI document to a path, else to the standard output. */
const [path] = process.argv.slice(2);
const text = `${JSON.stringify(createOpenApiDocument(), undefined, 2)}\n`;
if (path === undefined) process.stdout.write(text);
else writeFileSync(path, text);
