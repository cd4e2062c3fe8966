import { formats } from "../../../lib/connectors/imports/formats.ts";

const HEADING = "## Files\n";
const TABLE = /(?<=\n\n)\| Format [\s\S]*?\n\n(?=\S)/;

/** Names of timeseries and summaries, each once, in the order of the kinds. */
const names = (resources: readonly string[]): string => [...new Set(resources)].map((name) => `\`${name}\``).join(" ");

/** The table of formats, files and resources, and where the facts of each format come from. */
function importsTable(): string {
  const rows = formats.flatMap(({ title, kinds }) =>
    kinds.map(({ name, resources }) => [title, `\`${name}\``, names(resources)]),
  );
  const facts = formats.map(({ title, facts }) => `- ${title}: ${facts.join("; ")}`);
  const table = [["Format", "File", "Becomes"], ["---", "---", "---"], ...rows].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
  return `${table.join("\n")}\n\nThe facts about the formats come from these:\n\n${facts.join("\n")}\n`;
}

/** docs/imports.md with the generated part of its section of files. */
export function importsPage(page: string): string {
  const start = page.indexOf(HEADING);
  const end = page.indexOf("\n## ", start + HEADING.length);
  const words = page.slice(start, end).split(TABLE)[0] ?? "";
  return `${page.slice(0, start)}${words.trimEnd()}\n\n${importsTable()}${page.slice(end)}`;
}
