import { furtherStatements } from "./further-statements.ts";
import { browserProvenIds, type SpecRow, specRows, unprovenIds } from "./spec-rows.ts";

const INTRODUCTION = `# Specification

This page lists the statements that the service fulfils. Read it to find what a test proves, or before you change a response.

- Each statement has an id. A test that proves it has the id in its title, for example \`[users-01]\`.
- \`npm test\` compares both: a statement without a passed test is an error.
- Browser tests (\`npm run test:browser\`) prove the statements that have "browser" behind their id.
- No test proves the statements that have "not proven" behind their id.

\`npm test -- test/conventions/spec/specification-page.test.ts -u\` writes this page from \`test/conventions/spec/\`.
`;

const FURTHER = `## Further statements the code relies on

These statements have no ids, so \`npm test\` does not compare them with tests.
`;

/** Routes, event types, and names of fields and values in a statement. */
const CODE = /(?:GET|POST|PATCH|DELETE) \/[\w/{}]+|[a-z_]+(?:\.(?:[a-z_]+|<[a-z]+>))+|[a-z]+(?:_[a-z]+)+(?:=\w+)?/g;

/** A note behind an id. */
function noteOn(id: string): string {
  if (browserProvenIds.includes(id)) return " (browser)";
  return unprovenIds.includes(id) ? " (not proven)" : "";
}

/** The page docs/specification.md, generated from all statements. */
export function specificationPage(): string {
  const lineOf = ({ id, statement }: SpecRow) =>
    `- <a id="${id}"></a>**${id}**${noteOn(id)}: ${statement.replaceAll(CODE, "`$&`")}`;
  const sections = [...Map.groupBy(specRows, ({ section }) => section)].map(
    ([section, rows]) => `## ${section}\n\n${rows.map(lineOf).join("\n")}\n`,
  );
  const topics = Object.entries(furtherStatements).map(
    ([topic, statements]) => `### ${topic}\n\n${statements.map((statement) => `- ${statement}`).join("\n")}\n`,
  );
  return [INTRODUCTION, ...sections, FURTHER, ...topics].join("\n");
}
