import { writeFileSync } from "node:fs";
import { importRulesText, RULES_FILE } from "../test/conventions/import-rules.ts";

// The linter reads JSON only, so its import rules are generated from the table in test/conventions/import-table.ts.
writeFileSync(RULES_FILE, importRulesText());
console.log(`${RULES_FILE} written`);
