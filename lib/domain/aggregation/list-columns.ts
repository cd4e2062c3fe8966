import type { ColumnType } from "./columns.ts";

type Fields = Readonly<Record<string, ColumnType>>;

const noted = (name?: string, type: ColumnType = "text"): Fields =>
  name === undefined ? { date: "date" } : { date: "date", [name]: type };

/** Fields of the objects in each list column. Lists of a timeseries hold strings, read as `element`. */
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

/** The name by which conditions and functions read list elements that are strings. */
export const ELEMENT = "element";

/** The readable fields of the elements of a list column, with their types. */
export const elementFields = (column: string): Fields => fieldsByColumn[column] ?? { [ELEMENT]: "text" };
