import type { Element } from "./element.ts";
import { spanOf } from "./export-date.ts";
import { BAD_DATE, BAD_VALUE, type Outcome, type Outgoing, UNKNOWN_UNIT } from "./outcome.ts";
import { parseNumber, toUnit } from "./unit-conversion.ts";

const CHARACTERISTIC = "HKCharacteristicTypeIdentifier";
const sexes: Readonly<Record<string, string>> = {
  HKBiologicalSexFemale: "female",
  HKBiologicalSexMale: "male",
  HKBiologicalSexOther: "other",
};
const IN_PROFILE = { leftOut: "part of the profile" } as const;

/** Builds the profile summary from `<Me>` and the latest height. */
export class Person {
  #me: Readonly<Record<string, string>> = {};
  #height: { cm: number; ms: number } | undefined;

  addMe(me: Element): Outcome {
    this.#me = me.attributes;
    return IN_PROFILE;
  }

  addHeight(record: Element): Outcome {
    const span = spanOf(record);
    if (!span) return BAD_DATE;
    const value = parseNumber(record.attributes.value);
    if (value === undefined) return BAD_VALUE;
    const cm = toUnit(value, record.attributes.unit ?? "", "cm");
    if (cm === undefined) return UNKNOWN_UNIT;
    if (!this.#height || span.start.ms >= this.#height.ms) this.#height = { cm, ms: span.start.ms };
    return IN_PROFILE;
  }

  /** Yields the profile summary; nothing if the export has no profile data. */
  *profile(): Generator<Outgoing> {
    const content = {
      height: this.#height ? Math.round(this.#height.cm) : null,
      birth_date: this.#me[`${CHARACTERISTIC}DateOfBirth`] || null,
      sex: sexes[this.#me[`${CHARACTERISTIC}BiologicalSex`] ?? ""] ?? null,
    };
    if (Object.values(content).every((value) => value === null)) return;
    yield { resource: "profile", sourceType: "phone", key: "profile", content };
  }
}
