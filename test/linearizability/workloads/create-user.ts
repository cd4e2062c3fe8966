import * as createUserRoute from "../../../functions/users/create-user.ts";
import type { ServiceFixture } from "../service-fixture.ts";

/** Creates the user of a history. @returns its id. */
export async function createUser(service: ServiceFixture): Promise<string> {
  const answer = await service.call(createUserRoute, { body: { client_user_id: "user" } });
  if (answer?.status !== 200) throw new Error(`no user: ${JSON.stringify(answer)} ${service.log.at(-1)}`);
  return answer.body.user_id;
}
