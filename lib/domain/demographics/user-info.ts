import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { ethnicities, genderIdentities, races, sexualOrientations } from "./backgrounds.ts";
import { guarantor, person, wireGuarantor, wirePerson } from "./person.ts";

/** One of a list that stays open, which may be left out or taken back by null. */
const background = (known: readonly string[]) =>
  z.string().trim().min(1).max(100).nullish().meta({ phi: true, "x-known-values": known });

/** What a team tells of a user for laboratories (spec, User info). */
export const userInfoDraft = person.extend({
  medical_proxy: guarantor.nullish(),
  race: background(races),
  ethnicity: background(ethnicities),
  sexual_orientation: background(sexualOrientations),
  gender_identity: background(genderIdentities),
});
export type UserInfoDraft = z.output<typeof userInfoDraft>;

const wireBackground = (known: readonly string[]) => openEnum(known).nullable().default(null).meta({ phi: true });

/** The demographics of a user as kept and answered. */
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

/** The attributes that a request sets: what it leaves out stays as it is, null takes back. */
export function changesOf(draft: UserInfoDraft): Partial<UserInfo> {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}
