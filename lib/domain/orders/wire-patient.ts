import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";

const text = z.string().nullable();
const phi = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ phi: true });

/** The four lists that laboratories are told of a person, as known today. */
const races = [
  "african_american_or_black",
  "asian",
  "indigenous_native_american_alaska_native",
  "other",
  "pacific_islander_or_hawaiian",
  "white_caucasian",
];
const ethnicities = ["hispanic", "non_hispanic", "ashkenazi_jewish", "other"];
const sexualOrientations = ["lesbian_gay_or_homosexual", "heterosexual_or_straight", "bisexual", "dont_know", "other"];
const genderIdentities = [
  "male",
  "female",
  "female_to_male_ftm_transgender_male_trans_man",
  "male_to_female_mtf_transgender_female_trans_woman",
  "genderqueer",
  "other",
];

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

/** The person an order is for, as the order was placed. */
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

/** Where that person lives. */
export const wirePatientAddress = z
  .object({ ...delivery, access_notes: phi(text), phone_number: phi(text) })
  .meta({ id: "OrderPatientAddress" });

/** Where a kit is sent. */
export const wireShippingAddress = z
  .object({ ...delivery, phone_number: phi(z.string()) })
  .meta({ id: "OrderShippingAddress" });
