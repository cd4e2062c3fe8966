import * as z from "zod";
import { openEnum, typedOpenEnum } from "../../contract/open-enum.ts";

/** Known collection methods. */
export const collectionMethods = ["testkit", "walk_in_test", "at_home_phlebotomy", "on_site_collection"] as const;
export type CollectionMethod = (typeof collectionMethods)[number];

const collectionMethod = openEnum(collectionMethods);
const sampleType = openEnum(["dried_blood_spot", "arm_collector", "serum", "saliva", "urine", "stool"]);
const days = z.int().nullable();

/** Laboratory, as returned. */
export const wireLab = z
  .object({
    id: z.int(),
    slug: z.string(),
    name: z.string(),
    first_line_address: z.string(),
    city: z.string(),
    zipcode: z.string(),
    collection_methods: z.array(collectionMethod),
    sample_types: z.array(sampleType),
    logo_url: z.string().nullable(),
  })
  .meta({ id: "Lab" });

/** Question at order entry (AOE). */
const question = z.object({
  id: z.int(),
  required: z.boolean(),
  code: z.string(),
  value: z.string().describe("Text of the question"),
  type: openEnum(["choice", "text", "numeric", "multi_choice"]),
  sequence: z.int(),
  answers: z.array(z.object({ id: z.int(), code: z.string(), value: z.string() })),
  constraint: z
    .string()
    .nullable()
    .describe("Range of a number (0..100) or form of a text (YYYY-MM-DD, YYYY-MM-DD HH:MM), enforced; else a hint"),
  default: z.string().nullable(),
});

/** Marker, as a lab test lists it. */
export const wireMarker = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    lab_id: z.int().nullable(),
    provider_id: z.string().nullable().describe("The laboratory's own test code"),
    type: openEnum(["biomarker", "panel"]).nullable(),
    unit: z.string().nullable(),
    price: z.string().nullable(),
    aoe: z.object({ questions: z.array(question) }).nullable(),
    a_la_carte_enabled: z.boolean(),
    common_tat_days: days.describe("Usual number of days until the result"),
    worst_case_tat_days: days.describe("Maximum number of days until the result"),
    is_orderable: z.boolean().nullable(),
  })
  .meta({ id: "Marker" });

/** Lab test, as returned. */
export const wireLabTest = z
  .object({
    id: z.guid(),
    slug: z.string(),
    name: z.string(),
    sample_type: sampleType,
    method: typedOpenEnum(collectionMethods),
    price: z.number(),
    is_active: z.boolean(),
    status: openEnum(["active", "pending_approval", "inactive"]),
    fasting: z.boolean(),
    lab: wireLab.nullable(),
    markers: z.array(wireMarker).nullable(),
    is_delegated: z.boolean(),
    auto_generated: z.boolean(),
    has_collection_instructions: z.boolean().nullable(),
    common_tat_days: days,
    worst_case_tat_days: days,
  })
  .meta({ id: "LabTest" });
