import * as z from "zod";
import { billingTypes } from "../../lab-tests/lab-account.ts";
import { orderSet } from "../../lab-tests/order-set.ts";
import { collectionMethods } from "../../lab-tests/wire-lab-test.ts";
import { calendarDate } from "../../users/user.ts";
import { icdCode } from "./icd-code.ts";
import { isNpi } from "./npi.ts";
import { importedAddressDraft, patientAddressDraft, patientDraft, shippingDraft } from "./patient-draft.ts";

/** Maximum number of characters of the clinical notes on a requisition. */
const MAX_CLINICAL_NOTES_LENGTH = 1_000;

const id = z.guid().toLowerCase();
const phi = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ phi: true });
const shortText = z.string().trim().min(1).max(120);

/** Image in base64, at most 2,000,000 characters because it is part of a JSON body. */
const image = z.object({ content: phi(z.base64().max(2_000_000)), content_type: z.enum(["image/jpeg", "image/png"]) });

/** Ordering physician. */
const physicianDraft = z.object({
  first_name: shortText,
  last_name: shortText,
  npi: z.string().trim().refine(isNpi, "Not a National Provider Identifier: ten digits with a valid check digit"),
  email: z.email().nullish(),
  licensed_states: z.array(z.string().max(60)).max(60).default([]),
  signature_image: image.nullish(),
});

/** Consent of the patient. The wire format spells these keys in camel case. */
const consent = z.object({
  consentType: z.enum([
    "terms-of-use",
    "telehealth-informed-consent",
    "mobile-terms-and-conditions",
    "notice-of-privacy-practices",
    "privacy-policy",
    "hipaa-authorization",
  ]),
  version: z.string().max(40).default("1.0"),
  timeOfConsent: z.iso.datetime({ offset: true }).nullish(),
});

const aoeAnswer = z.object({ marker_id: z.int(), question_id: z.int(), answer: phi(z.string().max(1_000)) });
export type AoeAnswer = z.output<typeof aoeAnswer>;

const insuranceDraft = z.object({
  front_image: image.nullish(),
  back_image: image.nullish(),
  patient_signature_image: image.nullish(),
  subjective: phi(z.string().max(4_000).nullish()),
  assessment_plan: phi(z.string().max(4_000).nullish()),
  payor_code: z.string().max(40).nullish(),
  insurance_id: phi(z.string().max(80).nullish()),
  responsible_relationship: z.enum(["Self", "Spouse", "Other"]).nullish(),
  responsible_details: phi(z.record(z.string(), z.unknown()).nullish()),
  diagnosis_codes: z.array(icdCode).max(12).nullish(),
});

const billing = z.enum(billingTypes);
const labAccountId = id
  .nullish()
  .describe("Required if the team has several usable accounts at the lab; default: its only one, or the platform's");
const passthrough = z
  .string()
  .max(1_000)
  .nullish()
  .describe("Text of your own, which the order and its events return unchanged");

/** Request to place an order. `lab_test_id` is the older form of an order set with one lab test. */
export const orderDraft = z.object({
  user_id: id,
  patient_details: patientDraft,
  patient_address: patientAddressDraft,
  lab_test_id: id.nullish().describe("Older form of an order_set with one lab test; give either of them"),
  order_set: orderSet.nullish(),
  collection_method: z
    .enum(collectionMethods)
    .nullish()
    .describe("Must equal the method of the lab test; a set of markers alone needs it"),
  physician: physicianDraft.nullish(),
  health_insurance: insuranceDraft
    .nullish()
    .describe(
      "Without its insurance_id, commercial_insurance bills the user's newest primary insurance, " +
        "which must be of its payor_code if it has one",
    ),
  priority: z.boolean().default(false),
  billing_type: billing
    .default("client_bill")
    .describe("The lab account must allow it in the state of the patient's address"),
  icd_codes: z.array(icdCode).max(12).nullish(),
  consents: z.array(consent).max(20).default([]),
  activate_by: calendarDate.nullish().describe("Day from whose midnight UTC the service submits the order"),
  aoe_answers: z.array(aoeAnswer).max(500).nullish(),
  passthrough,
  clinical_notes: phi(z.string().max(MAX_CLINICAL_NOTES_LENGTH).nullish()),
  lab_account_id: labAccountId,
  creator_member_id: id.nullish(),
});
export type OrderDraft = z.output<typeof orderDraft>;

/** Request to import an order that was placed elsewhere, with its sample id. */
export const importDraft = z.object({
  user_id: id,
  billing_type: billing,
  order_set: orderSet,
  collection_method: z.enum(collectionMethods),
  physician: physicianDraft.nullish(),
  patient_details: patientDraft,
  patient_address: importedAddressDraft,
  sample_id: z.string().trim().min(1).max(80).describe("Sample number, unique among the orders of the team"),
  lab_account_id: labAccountId,
});
export type ImportDraft = z.output<typeof importDraft>;

/** Request for a registrable test kit, which ships before its patient is known. */
export const registrableKitDraft = z.object({
  user_id: id,
  lab_test_id: id,
  shipping_details: shippingDraft,
  passthrough,
  lab_account_id: labAccountId,
});
export type RegistrableKitDraft = z.output<typeof registrableKitDraft>;

/** Request to register the patient of a test kit. */
export const kitRegistration = z.object({
  user_id: id.nullish().describe("User to whom the order moves; default: the user who ordered the kit"),
  sample_id: z.string().trim().min(1).max(80).describe("Sample number printed on the kit"),
  patient_details: patientDraft,
  patient_address: patientAddressDraft,
  physician: physicianDraft.omit({ signature_image: true }).nullish(),
  health_insurance: insuranceDraft.nullish(),
  consents: z.array(consent).max(20).default([]),
});
export type KitRegistration = z.output<typeof kitRegistration>;

/** Request to change the dispatch date of an order; null dispatches the order at once. */
export const orderPatch = z.object({
  activate_by: calendarDate.nullable().describe("Day from whose midnight UTC the order is submitted; null: at once"),
});

/** Request to place an order again at another laboratory. Without an order set, the lab test stays the same. */
export const recreationDraft = z.object({
  update_reason: z.enum(["INCORRECT_LAB"]),
  order_set: orderSet.nullish(),
  aoe_answers: z
    .array(aoeAnswer)
    .max(500)
    .nullish()
    .describe("Answers to questions of the lab test; the other answers come from the former order"),
  lab_account_id: labAccountId,
});
export type RecreationDraft = z.output<typeof recreationDraft>;
