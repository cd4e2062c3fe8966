import { localDate } from "../../../domain/summaries/session.ts";
import { BAD_DATE, BAD_VALUE, type MappingOutcome, type OutgoingRecord } from "../mapping-outcome.ts";
import { type Element, metadataValue } from "./element.ts";
import { readInterval } from "./export-date.ts";
import { mergedSource } from "./record-source.ts";

/** How a HealthKit category becomes an entry of a menstrual cycle. */
interface CycleRule {
  /** List of the cycle. */
  readonly list: string;
  /** Field of the entry, and its value by the value of the category without its prefix. */
  readonly field?: string;
  readonly values?: Readonly<Record<string, string>>;
  /** Value of the field, if the category has none. */
  readonly constant?: string;
}

const flows = { Unspecified: "unspecified", Light: "light", Medium: "medium", Heavy: "heavy", None: "none" };
const results = { Negative: "negative", Positive: "positive", Indeterminate: "indeterminate" };
const deviation = (constant: string): CycleRule => ({ list: "detected_deviations", field: "deviation", constant });

/** Mappings by HKCategoryTypeIdentifier without its prefix. */
const rules: Readonly<Record<string, CycleRule>> = {
  MenstrualFlow: { list: "menstrual_flow", field: "flow", values: flows },
  CervicalMucusQuality: {
    list: "cervical_mucus",
    field: "quality",
    values: { Dry: "dry", Sticky: "sticky", Creamy: "creamy", Watery: "watery", EggWhite: "egg_white" },
  },
  IntermenstrualBleeding: { list: "intermenstrual_bleeding" },
  Contraceptive: {
    list: "contraceptive",
    field: "type",
    values: {
      Unspecified: "unspecified",
      Implant: "implant",
      Injection: "injection",
      IntrauterineDevice: "iud",
      IntravaginalRing: "intravaginal_ring",
      Oral: "oral",
      Patch: "patch",
    },
  },
  OvulationTestResult: {
    list: "ovulation_test",
    field: "test_result",
    values: {
      ...results,
      LuteinizingHormoneSurge: "luteinizing_hormone_surge",
      EstrogenSurge: "estrogen_surge",
    },
  },
  PregnancyTestResult: { list: "home_pregnancy_test", field: "test_result", values: results },
  ProgesteroneTestResult: { list: "home_progesterone_test", field: "test_result", values: results },
  SexualActivity: { list: "sexual_activity" },
  PersistentIntermenstrualBleeding: deviation("persistent_intermenstrual_bleeding"),
  ProlongedMenstrualPeriods: deviation("prolonged_menstrual_periods"),
  IrregularMenstrualCycles: deviation("irregular_menstrual_cycles"),
  InfrequentMenstrualCycles: deviation("infrequent_menstrual_cycles"),
};

const CATEGORY = "HKCategoryTypeIdentifier";
const DAY_MS = 86_400_000;

const ruleOf = ({ attributes: { type = "" } }: Element) =>
  type.startsWith(CATEGORY) ? rules[type.slice(CATEGORY.length)] : undefined;

/** Whether a record is part of a menstrual cycle. */
export const isCycleRecord = (record: Element): boolean => ruleOf(record) !== undefined;

interface Entry {
  readonly list: string;
  readonly content: Readonly<Record<string, unknown>> & { readonly date: string };
}

/**
 * Collects the records of menstrual cycles of all sources, which one person owns. A cycle starts with the record of a
 * flow that says so (`HKMenstrualCycleStart`); records before the first start are in no cycle.
 */
export class MenstrualCycles {
  readonly #starts = new Set<string>();
  readonly #entries: Entry[] = [];

  /** Adds a record, see {@link isCycleRecord}. */
  add(record: Element): MappingOutcome {
    const rule = ruleOf(record);
    const span = readInterval(record);
    if (!rule) return BAD_VALUE;
    if (!span) return BAD_DATE;
    const date = localDate(span.start.ms, span.offsetS);
    const value = readValue(record, rule);
    if (rule.field !== undefined && value === undefined) return BAD_VALUE;
    if (metadataValue(record, "HKMenstrualCycleStart") === "1") this.#starts.add(date);
    const used = metadataValue(record, "HKSexualActivityProtectionUsed");
    const more = rule.list === "sexual_activity" && used !== undefined ? { protection_used: used === "1" } : {};
    const content = { date, ...(rule.field === undefined ? {} : { [rule.field]: value }), ...more };
    this.#entries.push({ list: rule.list, content });
    return { leftOut: "part of a menstrual cycle" };
  }

  /** A summary of each cycle. */
  *summaries(): Generator<OutgoingRecord> {
    const starts = [...this.#starts].sort();
    for (const [index, period_start] of starts.entries()) {
      const next = starts[index + 1];
      const own = this.#entries.filter(
        ({ content: { date } }) => date >= period_start && (next === undefined || date < next),
      );
      const lists = Map.groupBy(own, ({ list }) => list);
      const bleeding = (lists.get("menstrual_flow") ?? []).filter(({ content }) => content.flow !== "none");
      const content = {
        period_start,
        period_end:
          bleeding
            .map(({ content: { date } }) => date)
            .sort()
            .at(-1) ?? null,
        cycle_end: next === undefined ? null : dayBefore(next),
        ...Object.fromEntries([...lists].map(([list, entries]) => [list, entries.map(({ content }) => content)])),
      };
      yield { resource: "menstrual_cycle", source: mergedSource, key: period_start, content };
    }
  }
}

const dayBefore = (date: string): string => new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10);

/** The values of a category start with `HKCategoryValue` and end with the name of the value. */
function readValue(record: Element, { values, constant }: CycleRule): string | undefined {
  const text = record.attributes.value ?? "";
  const name = Object.keys(values ?? {}).find((one) => text.endsWith(one));
  return constant ?? (name === undefined ? undefined : values?.[name]);
}
