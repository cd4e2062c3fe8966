import { parseInstant } from "../../../domain/shared/instant.ts";
import { formatUtc } from "../../format-utc.ts";
import type { MappingOutcome, OutgoingRecord, RecordSource } from "../mapping-outcome.ts";
import { DamagedFile } from "../reading/input-error.ts";

/** Classifications in English exports. An export in another language names none that this import knows. */
const classifications: Readonly<Record<string, readonly [classification: string, cause?: string]>> = {
  "Sinus Rhythm": ["sinus_rhythm"],
  "Atrial Fibrillation": ["atrial_fibrillation"],
  Inconclusive: ["inconclusive"],
  "High Heart Rate": ["inconclusive", "high_heart_rate"],
  "Low Heart Rate": ["inconclusive", "low_heart_rate"],
  "Poor Recording": ["inconclusive", "poor_reading"],
};

const LEAD = "lead_1";
const RECORDED = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d):?(\d\d)/;
/** The sample rate has a number and a word; a model such as `Watch6,1` starts with a letter. */
const SAMPLE_RATE = /^(\d{2,4}(?:[.,]\d+)?) ?\p{L}+$/u;
const DEVICE = /^Watch\d+,\d+$/;

/**
 * Maps an electrocardiogram of the Health app: lines of a name and a value, then one voltage a line. The names depend on
 * the language, so the lines are found by their values.
 * Public readers of exports and their tests show such files in several languages.
 * @throws DamagedFile without a time, a sample rate or voltages.
 */
export function mapElectrocardiogram(text: string): MappingOutcome[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const values = lines.map((line) => line.slice(line.indexOf(",") + 1).replaceAll(/^"|"$/g, ""));
  const recorded = values.map((value) => RECORDED.exec(value)).find((match) => match !== null);
  const start = recorded && parseInstant(`${recorded[1]}T${recorded[2]}${recorded[3]}:${recorded[4]}`);
  const hertz = toNumber(values.map((value) => SAMPLE_RATE.exec(value)?.[1]).find((rate) => rate !== undefined));
  const voltages = lines.filter((line) => /^"?-?\d+(?:[.,]\d+)?"?$/.test(line)).map((line) => toNumber(line));
  if (!start || !hertz || voltages.length === 0) throw new DamagedFile("The electrocardiogram is incomplete.");
  const perMillivolt = values.includes("mV") ? 1 : 1_000;
  const device = values.find((value) => DEVICE.test(value)) ?? null;
  const source: RecordSource = { type: "watch", deviceId: device, appId: "com.apple.health" };
  const msOf = (index: number) => Math.round(start.ms + (1_000 * index) / hertz);
  const [classification = null, cause = null] =
    values.map((value) => classifications[value]).find((found) => found !== undefined) ?? [];
  const summary: OutgoingRecord["content"] = {
    session_start: formatUtc(start.ms),
    session_end: formatUtc(msOf(voltages.length)),
    voltage_sample_count: voltages.length,
    sampling_frequency_hz: hertz,
    classification,
    inconclusive_cause: cause,
    source_device_model: device,
  };
  return [
    { send: { resource: "electrocardiogram", source, key: start.ms, content: summary } },
    ...voltages.map((value, index) => {
      const [ms, timezone_offset] = [msOf(index), start.offsetS];
      const content = { timestamp: formatUtc(ms), timezone_offset, type: LEAD, value: value / perMillivolt };
      return { send: { resource: "electrocardiogram_voltage", source, key: ms, content } };
    }),
  ];
}

const toNumber = (text: string | undefined): number => Number((text ?? "").replaceAll('"', "").replace(",", "."));
