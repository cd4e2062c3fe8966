import { afterEach, expect, test, vi } from "vitest";
import { labAccountStatuses, toWireLabAccount } from "../../../lib/domain/lab-tests/lab-account.ts";
import { labAccountDraft, newLabAccount } from "../../../lib/domain/lab-tests/lab-account-draft.ts";
import type { KeyRecord } from "../../../lib/domain/management/records.ts";
import { Forbidden } from "../../../lib/runtime/errors.ts";
import { checkLabAccountInput } from "../../../lib/services/lab-tests/check-lab-account-input.ts";
import type { TeamStore } from "../../../lib/store/management/teams.ts";

afterEach(() => vi.unstubAllEnvs());

const owned = { id: "11111111-1111-4111-8111-111111111111", org_id: "22222222-2222-4222-8222-222222222222" };
const draft = labAccountDraft.parse({ lab: "quest", provider_account_id: "7" });

test("a new account is pending in production and active in a sandbox unless its status is set", () => {
  expect(newLabAccount(owned, draft, "production").status).toBe("pending");
  expect(newLabAccount(owned, draft, "sandbox").status).toBe("active");
  expect(newLabAccount(owned, { ...draft, status: "suspended" }, "sandbox").status).toBe("suspended");
});

test("an account is returned with its billing types in one order, and without places that are no states", () => {
  const stored = newLabAccount(owned, draft, "sandbox");
  const allowed_billing = { patient_bill: ["AZ", "PR"], client_bill: ["DC", "AZ"] };
  const text = JSON.stringify(toWireLabAccount({ ...stored, allowed_billing }).allowed_billing);
  expect(text).toBe('{"client_bill":["AZ"],"patient_bill":["AZ"]}');
  expect(stored.allowed_billing.client_bill, "where orders stay possible").toContain("DC");
});

test.each([
  ["sandbox", labAccountStatuses],
  ["production", ["pending", "suspended"]],
])("an organisation in %s may set the account statuses %j", async (environment, own) => {
  vi.stubEnv("SERVICE_ENVIRONMENT", environment);
  vi.stubEnv("SERVICE_REGION", "us");
  const allowed: string[] = [];
  for (const status of labAccountStatuses) {
    const asked = checkLabAccountInput({} as TeamStore, {} as KeyRecord, owned.org_id, { status });
    await asked.then(
      () => allowed.push(status),
      (error) => expect(error).toBeInstanceOf(Forbidden),
    );
  }
  expect(allowed).toEqual(own);
});
