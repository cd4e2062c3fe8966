import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start(undefined, { teamCredentials: true });
});
afterAll(() => service.stop());

test("a user is created and read", async () => {
  const userId = await service.createUser("guarded");
  const answer = await service.call("GET", `/v2/user/${userId}`);
  expect(answer.body).toEqual({});
});
