import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { wireAddress } from "../users/demographics/address.ts";
import { guarantor, person, wireGuarantor, wirePerson } from "../users/demographics/person.ts";

/** Known relationships of the user to the insured person. */
const relationships = ["Self", "Spouse", "Other"];
const memberId = z.string().trim().min(1).max(100).meta({ phi: true });

/** Request to create an insurance. A guarantor is required unless the user is the insured person. */
export const insuranceDraft = z
  .object({
    payor_code: z.string().trim().min(1).max(100),
    member_id: memberId,
    group_id: memberId.nullish().transform((value) => value ?? null),
    relationship: z.string().trim().min(1).max(50).meta({ "x-known-values": relationships }),
    insured: person,
    guarantor: guarantor.nullish().transform((value) => value ?? null),
    is_primary: z.boolean().default(true),
  })
  .refine(({ relationship, guarantor }) => relationship === "Self" || guarantor !== null, {
    path: ["guarantor"],
    message: "Required unless relationship is Self",
  });

const company = z.object({ name: z.string(), address: wireAddress });

/** Insurance, in the shape that is both stored and returned. */
export const wireInsurance = z
  .object({
    id: z.guid(),
    created_at: z.string(),
    member_id: z.string().meta({ phi: true }),
    payor_code: z.string(),
    relationship: openEnum(relationships),
    insured: wirePerson,
    company,
    group_id: z.string().nullable().meta({ phi: true }),
    guarantor: wireGuarantor.nullable(),
    is_primary: z.boolean(),
  })
  .meta({ id: "Insurance" });
export type Insurance = z.output<typeof wireInsurance>;
