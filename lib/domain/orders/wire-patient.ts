import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { ethnicities, genderIdentities, races, sexualOrientations } from "../users/demographics/demographic-values.ts";

const text = z.string().nullable();
const phi = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ phi: true });

const guarantorAddress = z.object({
  first_line: phi(z.string()),
  second_line: phi(text),
  city: phi(z.string()),
  state: z.string(),
  zip: phi(z.string()),
  country: z.string(),
  access_notes: phi(text),
});

const guarantor = z.object({
  first_name: phi(z.string()),
  last_name: phi(z.string()),
  address: guarantorAddress,
  phone_number: phi(z.string()),
  email: phi(text),
  household_income: phi(z.int().nullable()),
  household_size: phi(z.int().nullable()),
});

/** Patient of an order, as of its placement. */
export const wirePatient = z
  .object({
    first_name: phi(text),
    last_name: phi(text),
    dob: phi(z.iso.datetime({ offset: true })),
    gender: phi(z.string()),
    phone_number: phi(text),
    email: phi(text),
    medical_proxy: guarantor.nullable(),
    race: phi(openEnum(races).nullable()),
    ethnicity: phi(openEnum(ethnicities).nullable()),
    sexual_orientation: phi(openEnum(sexualOrientations).nullable()),
    gender_identity: phi(openEnum(genderIdentities).nullable()),
  })
  .meta({ id: "OrderPatient" });

const delivery = {
  receiver_name: phi(z.string()),
  first_line: phi(z.string()),
  second_line: phi(text),
  city: phi(z.string()),
  state: z.string(),
  zip: phi(z.string()),
  country: z.string(),
};

/** Address of the patient. */
export const wirePatientAddress = z
  .object({ ...delivery, access_notes: phi(text), phone_number: phi(text) })
  .meta({ id: "OrderPatientAddress" });

/** Shipping address of a test kit. */
export const wireShippingAddress = z
  .object({ ...delivery, phone_number: phi(z.string()) })
  .meta({ id: "OrderShippingAddress" });
