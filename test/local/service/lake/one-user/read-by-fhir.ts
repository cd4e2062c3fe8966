import type { Answer } from "../../../../support/service.ts";
import { FIRST_DAY, LAST_DAY } from "./fill-user.ts";
import { type Sheet, SheetBuilder, type SheetRow, WHOLE } from "./sheet.ts";

type Body = Answer["body"];

/** Measures of a day by own code. */
const dailyRows: Readonly<Record<string, SheetRow>> = {
  "activity.steps": "steps",
  "activity.hr_resting": "resting",
  sleep: "sleep",
  "body.weight": "weight",
};

const ownCode = ({ code }: Body): string | undefined =>
  code.coding.find(({ system }: Body) => system === "urn:tributary:measure")?.code;
const isOfPhone = ({ meta }: Body): boolean => meta.tag.some(({ code }: Body) => code === "phone");
/** A session belongs to the day on which it ends. */
const dayOf = ({ effectiveDateTime, effectivePeriod }: Body): string =>
  (effectiveDateTime ?? effectivePeriod.end).slice(0, 10);
const isInWeek = (one: Body): boolean => dayOf(one) >= FIRST_DAY && dayOf(one) <= LAST_DAY;
const pointOf = ({ effectiveDateTime, valueQuantity }: Body) => ({ at: effectiveDateTime, value: valueQuantity.value });

/** Reads the sheet from FHIR resources, however they were fetched. */
export function readFhirResources(resources: readonly Body[]): Sheet {
  const sheet = new SheetBuilder();
  const ofType = (type: string) => resources.filter(({ resourceType }) => resourceType === type);
  const observations = ofType("Observation");
  const ofCode = (wanted: string) => observations.filter((one) => ownCode(one) === wanted && isInWeek(one));
  for (const [code, row] of Object.entries(dailyRows)) {
    const found = ofCode(code).filter((one) => code.startsWith("body") || !isOfPhone(one));
    for (const one of found) sheet.add(row, dayOf(one), one.valueQuantity.value);
  }
  sheet.addHeartRates(ofCode("heartrate").map(pointOf));
  sheet.addSamples("glucoseCount", "glucoseMean", ofCode("glucose").map(pointOf));
  for (const { basedOn, valueQuantity } of observations) {
    if (basedOn) sheet.add("labGlucose", WHOLE, valueQuantity.value);
  }
  const requests = ofType("ServiceRequest");
  const completed = requests.filter(({ status }) => status === "completed");
  sheet.add("completed", WHOLE, completed.length);
  sheet.add("open", WHOLE, requests.length - completed.length);
  return sheet.build();
}
