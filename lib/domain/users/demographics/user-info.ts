import * as z from "zod";
import { openEnum } from "../../../contract/open-enum.ts";
import { ethnicities, genderIdentities, races, sexualOrientations } from "./demographic-values.ts";
import { guarantor, person, wireGuarantor, wirePerson } from "./person.ts";

/** A value from an open list; optional, and null clears it. */
const background = (known: readonly string[]) =>
  z.string().trim().min(1).max(100).nullish().meta({ phi: true, "x-known-values": known });

/** Demographics of a user that a team sends for laboratories. */
export const userInfoDraft = person.extend({
  medical_proxy: guarantor.nullish(),
  race: background(races),
  ethnicity: background(ethnicities),
  sexual_orientation: background(sexualOrientations),
  gender_identity: background(genderIdentities),
});
export type UserInfoDraft = z.output<typeof userInfoDraft>;

const wireBackground = (known: readonly string[]) => openEnum(known).nullable().default(null).meta({ phi: true });

/** Demographics of a user as stored and returned. */
export const wireUserInfo = wirePerson
  .extend({
    medical_proxy: wireGuarantor.nullable().default(null),
    race: wireBackground(races),
    ethnicity: wireBackground(ethnicities),
    sexual_orientation: wireBackground(sexualOrientations),
    gender_identity: wireBackground(genderIdentities),
  })
  .meta({ id: "UserInfo" });
export type UserInfo = z.output<typeof wireUserInfo>;

/** The attributes that a request changes: omitted attributes stay, null clears. */
export function userInfoChanges(draft: UserInfoDraft): Partial<UserInfo> {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}
