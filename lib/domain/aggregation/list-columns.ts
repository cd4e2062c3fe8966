import type { ColumnType } from "./columns.ts";

type Fields = Readonly<Record<string, ColumnType>>;

const noted = (name?: string, type: ColumnType = "text"): Fields =>
  name === undefined ? { date: "date" } : { date: "date", [name]: type };

/** What the objects in list columns have, by column; the lists of a timeseries have plain texts, called `element`. */
const fieldsByColumn: Readonly<Record<string, Fields>> = {
  menstrual_flow: noted("flow"),
  cervical_mucus: noted("quality"),
  intermenstrual_bleeding: noted(),
  contraceptive: noted("type"),
  detected_deviations: noted("deviation"),
  ovulation_test: noted("test_result"),
  home_pregnancy_test: noted("test_result"),
  home_progesterone_test: noted("test_result"),
  sexual_activity: noted("protection_used", "boolean"),
  basal_body_temperature: noted("value", "number"),
};

/** By which name a condition or a function reads the elements of a list that are no objects. */
export const ELEMENT = "element";

/** What can be read of the elements of a list column. */
export const elementFields = (column: string): Fields => fieldsByColumn[column] ?? { [ELEMENT]: "text" };
