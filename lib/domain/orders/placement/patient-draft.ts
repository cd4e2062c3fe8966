import * as z from "zod";
import { usStates } from "../../places/us-states.ts";
import {
  ethnicities,
  genderIdentities,
  races,
  sexualOrientations,
} from "../../users/demographics/demographic-values.ts";
import { patientName } from "../../users/demographics/patient-name.ts";
import { guarantor } from "../../users/demographics/person.ts";
import { phoneNumber } from "../../users/demographics/phone-number.ts";
import { calendarDate } from "../../users/user.ts";

const phi = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ phi: true });
const line = phi(z.string().trim().min(1).max(120));
const optionalLine = phi(z.string().trim().max(120).nullish());
const receiver = phi(z.string().trim().max(120));
const accessNotes = phi(z.string().max(1_000).nullish());
const zip = phi(z.string().regex(/^\d{5}(-\d{4})?$/, "Five digits, or nine with a hyphen"));
const state = z
  .string()
  .trim()
  .toUpperCase()
  .refine((code) => code in usStates, "Not the two-letter code of a US state");
const country = z.string().trim().min(2).max(60);

const background = (known: readonly string[]) =>
  z.string().trim().min(1).max(100).nullish().meta({ phi: true, "x-known-values": known });
const household = phi(z.int().min(0).max(1_000_000_000).nullish());

/** Patient of a request. */
export const patientDraft = z.object({
  first_name: patientName,
  last_name: patientName,
  dob: phi(calendarDate),
  gender: phi(z.enum(["female", "male", "other", "unknown"])),
  phone_number: phoneNumber,
  email: phi(z.email().max(254)),
  medical_proxy: guarantor.nullish(),
  race: background(races),
  ethnicity: background(ethnicities),
  sexual_orientation: background(sexualOrientations),
  gender_identity: background(genderIdentities),
  household_income: household,
  household_size: household,
});
export type PatientDraft = z.output<typeof patientDraft>;

/** Address of the patient. */
export const patientAddressDraft = z.object({
  first_line: line,
  second_line: optionalLine,
  city: line,
  state,
  zip,
  country,
  receiver_name: receiver.default(""),
  access_notes: accessNotes,
  phone_number: phoneNumber.nullish(),
});
export type PatientAddressDraft = z.output<typeof patientAddressDraft>;

/** Address of an imported order, which is accepted as written elsewhere. */
export const importedAddressDraft = patientAddressDraft.extend({
  state: z.string().trim().min(1).max(60),
  zip: phi(z.string().trim().min(1).max(20)),
  phone_number: phi(z.string().max(40).nullish()),
});

/** Shipping address of a test kit. */
export const shippingDraft = z.object({
  receiver_name: receiver.min(1),
  first_line: line,
  second_line: optionalLine,
  city: line,
  state,
  zip,
  country,
  phone_number: phoneNumber,
});
export type ShippingDraft = z.output<typeof shippingDraft>;

/** Complete years between two dates, YYYY-MM-DD. */
export function yearsBetween(birth: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
}
