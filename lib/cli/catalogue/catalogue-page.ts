import { labs } from "../../domain/lab-tests/labs.ts";
import type { PackedCatalogue, PackedTest } from "../../domain/lab-tests/packed-catalogue.ts";

/** Formats the catalogue as a Markdown page. */
export function formatCataloguePage(packed: PackedCatalogue): string {
  const offered = Object.values(packed.offers).reduce((total, offers) => total + offers.length, 0);
  const sections = [...Map.groupBy(packed.tests, ({ section }) => section)];
  return `${[
    "# The lab catalogue",
    "",
    "This page lists the lab tests that you can order, for developers who create lab tests.",
    "The command `npm run catalogue` generates it from the lists in `data/lab-catalogue`. Change the lists, not this page; see `data/README.md`.",
    "",
    `The catalogue has ${packed.tests.length} tests with ${packed.results.length} results, and ${offered} markers. A marker is a test at one lab.`,
    "",
    "## Labs",
    "",
    "| Id | Slug | Name | Collection | Samples | Markers |",
    "|-:|-|-|-|-|-:|",
    ...labs.map(
      ({ id, slug, name, collection_methods, sample_types }) =>
        `| ${id} | ${slug} | ${name} | ${collection_methods.join(", ")} | ${sample_types.join(", ")} | ${packed.offers[slug]?.length ?? 0} |`,
    ),
    "",
    ...sections.flatMap(([section, tests]) => sectionLines(packed, section, tests)),
  ].join("\n")}`;
}

function sectionLines(packed: PackedCatalogue, section: string, tests: readonly PackedTest[]): string[] {
  return [
    `## ${section.charAt(0).toUpperCase()}${section.slice(1)}`,
    "",
    "| Test | Description | Results (LOINC, unit) | Price (USD) | Days | Questions | Labs |",
    "|-|-|-|-:|-|-|-:|",
    ...tests.map((test) => testLine(packed, test)),
    "",
  ];
}

function testLine(packed: PackedCatalogue, test: PackedTest): string {
  const place = packed.tests.indexOf(test);
  const offers = Object.values(packed.offers).flatMap((list) => list.filter((offer) => offer.test === place));
  const results = test.results.map((at) => {
    const { name = "", loinc = "", unit = null } = packed.results[at] ?? {};
    return `${test.is_panel ? `${name} ` : ""}${loinc}${unit === null ? "" : ` ${unit}`}`;
  });
  const price = range(offers.map(({ price_cents }) => price_cents)).map((cents) => (cents / 100).toFixed(2));
  const days = range(offers.flatMap((offer) => [offer.common_tat_days, offer.worst_case_tat_days]));
  const about = [test.name, test.description, results.join("; ")];
  const cells = [...about, price.join(" to "), days.join(" to "), test.questions, offers.length];
  return `| ${cells.join(" | ")} |`;
}

/** The minimum and the maximum, or one value when they are equal. */
const range = (values: readonly number[]): number[] => [...new Set([Math.min(...values), Math.max(...values)])];
