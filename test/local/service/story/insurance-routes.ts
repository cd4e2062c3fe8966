import type { TestService } from "../../../support/service.ts";

const address = { first_line: "1 Main Street", zip_code: "85004", state: "AZ", city: "Phoenix" };
export const exampleUserInfo = {
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@example.com",
  phone_number: "+16025550123",
  gender: "female",
  dob: "1985-03-14",
  address,
};

/**
 * Calls every route of user info, insurance and places for a user of the first team, and starts its deletion.
 * @param before runs before each request.
 */
export async function callInsuranceRoutes(service: TestService, before: () => Promise<unknown>): Promise<void> {
  const userId = await service.createUser("insured");
  const ask = async (method: string, path: string, body?: unknown) => {
    await before();
    const answer = await service.call(method, path, body === undefined ? {} : { body });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await ask("PATCH", `/v2/user/${userId}/info`, exampleUserInfo);
  await ask("GET", `/v2/user/${userId}/info/latest`);
  const { payor_code } = await ask("POST", "/v3/payor", { name: "Zenith Mutual", address });
  await ask("GET", "/v3/insurance/search/payor?insurance_name=zenith");
  await ask("POST", "/v3/insurance/search/payor", { insurance_name: "zenith" });
  await ask("GET", "/v3/insurance/search/diagnosis?diagnosis_query=E11.9");
  await ask("POST", "/v3/insurance/validate_icd_codes", { codes: ["E11.9"] });
  const insurance = { payor_code, member_id: "W1", relationship: "Self", insured: exampleUserInfo };
  await ask("POST", `/v2/user/${userId}/insurance`, insurance);
  await ask("GET", `/v2/user/${userId}/insurance/latest`);
  const account = (await ask("GET", "/v3/lab_test/lab_account")).data[0].id;
  await ask("GET", `/v3/order/psc/info?zip_code=85004&lab_id=4&lab_account_id=${account}`);
  await ask("GET", `/v3/order/area/info?zip_code=85004&lab_account_id=${account}`);
  await ask("DELETE", `/v2/user/${userId}`);
}
