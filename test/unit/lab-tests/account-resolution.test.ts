import { describe, expect, test } from "vitest";
import {
  availableLab,
  availableLabAccounts,
  resolveLabAccount,
} from "../../../lib/domain/lab-tests/account-resolution.ts";
import { type LabAccount, labAccountStatuses, platformLabAccounts } from "../../../lib/domain/lab-tests/lab-account.ts";
import { createLabAccount } from "../../support/lab-account.ts";

const org_id = "11111111-1111-4111-8111-111111111111";
let count = 0;
function account(lab: string, status: LabAccount["status"]): LabAccount {
  count += 1;
  const id = `22222222-2222-4222-8222-${String(count).padStart(12, "0")}`;
  return createLabAccount({ id, lab, status, org_id, team_id_allowlist: [] });
}
const platformAt = (lab: string) => platformLabAccounts.find((platform) => platform.lab === lab);
const resolve = (linked: LabAccount[], requested?: string, purpose: "order" | "import" = "order") =>
  resolveLabAccount({ lab: "quest", purpose, linked, requested });

describe("without a requested account", () => {
  test("a team without its own account at the lab uses the platform account", () => {
    expect(resolve([])).toEqual({ account: platformAt("quest") });
    expect(resolve([account("labcorp", "active"), account("labcorp", "active")])).toEqual({
      account: platformAt("quest"),
    });
  });

  test("a team with one active account uses it, regardless of its other accounts", () => {
    const active = account("quest", "active");
    expect(resolve([account("quest", "suspended"), active, account("quest", "pending")])).toEqual({ account: active });
  });

  test("several active accounts are rejected, because none has precedence", () => {
    expect(resolve([account("quest", "active"), account("quest", "active")])).toEqual({ refusal: "ambiguous" });
  });

  test.each(labAccountStatuses.filter((status) => status !== "active"))(
    "a team with only an account that is %s does not fall back to the platform account",
    (status) => {
      expect(resolve([account("quest", status)])).toEqual({ refusal: "not_active" });
    },
  );

  test("an import uses a pending account when none is active", () => {
    const pending = account("quest", "pending");
    const active = account("quest", "active");
    expect(resolve([pending], undefined, "import")).toEqual({ account: pending });
    expect(resolve([pending, active], undefined, "import")).toEqual({ account: active });
    expect(resolve([pending, account("quest", "pending")], undefined, "import")).toEqual({ refusal: "ambiguous" });
    expect(resolve([account("quest", "suspended")], undefined, "import")).toEqual({ refusal: "not_active" });
  });

  test("a lab without a platform account is rejected", () => {
    expect(resolveLabAccount({ lab: "nowhere", purpose: "order", linked: [] })).toEqual({ refusal: "none" });
  });
});

describe("a requested account", () => {
  test("selects one of several active accounts", () => {
    const [one, other] = [account("quest", "active"), account("quest", "active")];
    expect(resolve([one, other], other.id)).toEqual({ account: other });
  });

  test("must belong to the team", () => {
    expect(resolve([account("quest", "active")], org_id)).toEqual({ refusal: "unknown" });
  });

  test("must belong to the lab", () => {
    const elsewhere = account("labcorp", "active");
    expect(resolve([elsewhere], elsewhere.id)).toEqual({ refusal: "other_lab" });
  });

  test.each(labAccountStatuses)(
    "that is %s is accepted for orders only if active, and for imports also if pending",
    (status) => {
      const asked = account("quest", status);
      const taken = { account: asked };
      const refused = { refusal: "not_active" };
      expect(resolve([asked], asked.id)).toEqual(status === "active" ? taken : refused);
      const isImportable = status === "active" || status === "pending";
      expect(resolve([asked], asked.id, "import")).toEqual(isImportable ? taken : refused);
    },
  );

  test("may be the platform account only when the team has none of its own", () => {
    const platform = platformAt("quest");
    expect(resolve([], platform?.id)).toEqual({ account: platform });
    expect(resolve([account("quest", "active")], platform?.id)).toEqual({ refusal: "unknown" });
  });
});

test("a team can use its own accounts, and the platform accounts at other labs", () => {
  const own = [account("quest", "suspended"), account("quest", "active")];
  const available = availableLabAccounts(own);
  expect(available.filter(({ lab }) => lab === "quest")).toEqual(own);
  expect(available).toHaveLength(own.length + platformLabAccounts.length - 1);
});

test("a suspended account makes its lab unavailable", () => {
  expect([availableLab(account("quest", "suspended")), availableLab(account("quest", "pending"))]).toEqual([
    undefined,
    "quest",
  ]);
});
