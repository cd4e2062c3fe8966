import {
  BAD_DATE,
  BAD_VALUE,
  type MappingOutcome,
  type OutgoingRecord,
  type RecordSource,
  UNKNOWN_UNIT,
} from "../mapping-outcome.ts";
import { parseNumber } from "../reading/parse-number.ts";
import type { Element } from "./element.ts";
import { readInterval } from "./export-date.ts";
import { convertUnit } from "./unit-conversion.ts";

const CHARACTERISTIC = "HKCharacteristicTypeIdentifier";
const sexes: Readonly<Record<string, string>> = {
  HKBiologicalSexFemale: "female",
  HKBiologicalSexMale: "male",
  HKBiologicalSexOther: "other",
};
/** A profile is of the person, not of a device. */
const phone: RecordSource = { type: "phone", deviceId: null, appId: null };
const PART_OF_PROFILE = { leftOut: "part of the profile" } as const;

/** Builds the profile summary from `<Me>` and the latest height. */
export class ProfileBuilder {
  #me: Readonly<Record<string, string>> = {};
  #height: { cm: number; ms: number } | undefined;

  addMe(me: Element): MappingOutcome {
    this.#me = me.attributes;
    return PART_OF_PROFILE;
  }

  addHeight(record: Element): MappingOutcome {
    const span = readInterval(record);
    if (!span) return BAD_DATE;
    const value = parseNumber(record.attributes.value);
    if (value === undefined) return BAD_VALUE;
    const cm = convertUnit(value, record.attributes.unit ?? "", "cm");
    if (cm === undefined) return UNKNOWN_UNIT;
    if (!this.#height || span.start.ms >= this.#height.ms) this.#height = { cm, ms: span.start.ms };
    return PART_OF_PROFILE;
  }

  /** Yields the profile summary; nothing if the export has no profile data. */
  *profile(): Generator<OutgoingRecord> {
    const content = {
      height: this.#height ? Math.round(this.#height.cm) : null,
      birth_date: this.#me[`${CHARACTERISTIC}DateOfBirth`] || null,
      sex: sexes[this.#me[`${CHARACTERISTIC}BiologicalSex`] ?? ""] ?? null,
    };
    if (Object.values(content).every((value) => value === null)) return;
    yield { resource: "profile", source: phone, key: "profile", content };
  }
}
