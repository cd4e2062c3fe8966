import * as z from "zod";
import { openEnum } from "../../../contract/open-enum.ts";
import { address, wireAddress } from "./address.ts";
import { genders } from "./demographic-values.ts";
import { patientName } from "./patient-name.ts";
import { phoneNumber } from "./phone-number.ts";

const email = z.email().max(254).meta({ phi: true });

/** Dates before 1900 are mistakes. */
const BEFORE_1900 = /^(?:0\d|1[0-8])\d\d-/;

/** Maximum offset ahead of UTC on Earth, where a new day starts first. */
const MAX_UTC_OFFSET_MS = 14 * 60 * 60 * 1000;

/** Whether a date of birth is not in the future anywhere on Earth. @param nowMs epoch milliseconds. */
export function isPossibleBirthDate(date: string, nowMs: number): boolean {
  return date <= new Date(nowMs + MAX_UTC_OFFSET_MS).toISOString().slice(0, 10);
}

const dob = z.iso
  .date()
  .refine((date) => !BEFORE_1900.test(date), "Expected a date from 1900 on")
  .meta({ phi: true });

/** The seven required fields of a person, as in requests. */
export const person = z.object({
  first_name: patientName,
  last_name: patientName,
  email,
  phone_number: phoneNumber,
  gender: z.string().trim().min(1).max(50).meta({ phi: true, "x-known-values": genders }),
  dob,
  address,
});

/** A person as stored and returned; the email may be any string. */
export const wirePerson = z.object({
  first_name: z.string().meta({ phi: true }),
  last_name: z.string().meta({ phi: true }),
  email: z.string().meta({ phi: true }),
  phone_number: z.string().meta({ phi: true }),
  gender: openEnum(genders).meta({ phi: true }),
  dob: z.iso.date().meta({ phi: true }),
  address: wireAddress,
});

const household = z
  .int()
  .min(0)
  .max(1_000_000_000)
  .nullish()
  .transform((value) => value ?? null)
  .meta({ phi: true });

/** A responsible person: the guarantor of an insurance, or a medical proxy. */
export const guarantor = z.object({
  first_name: patientName,
  last_name: patientName,
  address,
  phone_number: phoneNumber,
  email: email.nullish().transform((value) => value ?? null),
  household_income: household,
  household_size: household,
});

export const wireGuarantor = z
  .object({
    first_name: z.string().meta({ phi: true }),
    last_name: z.string().meta({ phi: true }),
    address: wireAddress,
    phone_number: z.string().meta({ phi: true }),
    email: z.string().nullable().meta({ phi: true }),
    household_income: z.int().nullable().meta({ phi: true }),
    household_size: z.int().nullable().meta({ phi: true }),
  })
  .meta({ id: "Guarantor" });
