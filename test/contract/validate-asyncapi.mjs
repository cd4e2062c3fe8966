/** Validates an AsyncAPI document with the parser of its project. Arguments: the folder of the parser, the document. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [directory, file] = process.argv.slice(2);
const { Parser } = createRequire(`${resolve(directory)}/`)("@asyncapi/parser");
const { document, diagnostics } = await new Parser().parse(readFileSync(file, "utf8"));
for (const { severity, code, path, message } of diagnostics) console.log(severity, code, path.join("."), message);
if (!document || diagnostics.length > 0) process.exit(1);
console.log(`the AsyncAPI document is valid: ${document.allMessages().length} messages`);
