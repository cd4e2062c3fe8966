import type { ColumnType } from "./columns.ts";

type Fields = Readonly<Record<string, ColumnType>>;

const datedEntry = (name?: string, type: ColumnType = "text"): Fields =>
  name === undefined ? { date: "date" } : { date: "date", [name]: type };

/** Fields of the objects in each list column. Lists of a timeseries hold strings, read as `element`. */
const fieldsByColumn: Readonly<Record<string, Fields>> = {
  menstrual_flow: datedEntry("flow"),
  cervical_mucus: datedEntry("quality"),
  intermenstrual_bleeding: datedEntry(),
  contraceptive: datedEntry("type"),
  detected_deviations: datedEntry("deviation"),
  ovulation_test: datedEntry("test_result"),
  home_pregnancy_test: datedEntry("test_result"),
  home_progesterone_test: datedEntry("test_result"),
  sexual_activity: datedEntry("protection_used", "boolean"),
  basal_body_temperature: datedEntry("value", "number"),
};

/** The name by which conditions and functions read list elements that are strings. */
export const ELEMENT_NAME = "element";

/** The readable fields of the elements of a list column, with their types. */
export const listElementFields = (column: string): Fields => fieldsByColumn[column] ?? { [ELEMENT_NAME]: "text" };
