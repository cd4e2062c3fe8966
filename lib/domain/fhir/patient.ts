import type { UserInfo } from "../users/demographics/user-info.ts";
import type { UserRecord } from "../users/user.ts";
import { systems } from "./systems.ts";

const genders: readonly string[] = ["male", "female", "other", "unknown"];

/** Converts a user and the user info that the team stored, if any, to a Patient. */
export function toPatient(user: UserRecord, info: UserInfo | undefined) {
  const birthDate = info?.dob ?? user.fallback_birth_date?.value;
  return {
    resourceType: "Patient" as const,
    id: user.user_id,
    identifier: [{ system: systems.clientUserId, value: user.client_user_id }],
    active: true,
    ...(info ? toDemographics(info) : {}),
    ...(birthDate === undefined ? {} : { birthDate }),
  };
}

function toDemographics({ first_name, last_name, email, phone_number, gender, address }: UserInfo) {
  return {
    name: [{ family: last_name, given: [first_name] }],
    telecom: [
      { system: "phone", value: phone_number },
      { system: "email", value: email },
    ],
    gender: genders.includes(gender) ? gender : "unknown",
    address: [
      {
        line: [address.first_line, address.second_line].filter((line) => line),
        city: address.city,
        state: address.state,
        postalCode: address.zip_code,
        country: address.country,
      },
    ],
  };
}
