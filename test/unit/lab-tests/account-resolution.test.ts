import { describe, expect, test } from "vitest";
import { availableAccounts, availableLab, resolveAccount } from "../../../lib/domain/lab-tests/account-resolution.ts";
import { type LabAccount, labAccountStatuses, platformAccounts } from "../../../lib/domain/lab-tests/lab-account.ts";
import { labAccount } from "../../support/lab-account.ts";

const org_id = "11111111-1111-4111-8111-111111111111";
let count = 0;
function account(lab: string, status: LabAccount["status"]): LabAccount {
  count += 1;
  const id = `22222222-2222-4222-8222-${String(count).padStart(12, "0")}`;
  return labAccount({ id, lab, status, org_id, team_id_allowlist: [] });
}
const platformAt = (lab: string) => platformAccounts.find((platform) => platform.lab === lab);
const resolve = (linked: LabAccount[], requested?: string, purpose: "order" | "import" = "order") =>
  resolveAccount({ lab: "quest", purpose, linked, requested });

describe("without an account being asked for", () => {
  test("a team with none of its own at the lab has the platform's", () => {
    expect(resolve([])).toEqual({ account: platformAt("quest") });
    expect(resolve([account("labcorp", "active"), account("labcorp", "active")])).toEqual({
      account: platformAt("quest"),
    });
  });

  test("a team with one active account has that, whatever others there are", () => {
    const active = account("quest", "active");
    expect(resolve([account("quest", "suspended"), active, account("quest", "pending")])).toEqual({ account: active });
  });

  test("several active accounts are refused, since none of them can be preferred", () => {
    expect(resolve([account("quest", "active"), account("quest", "active")])).toEqual({ refusal: "ambiguous" });
  });

  test.each(labAccountStatuses.filter((status) => status !== "active"))(
    "a team that only has one which is %s does not fall back to the platform's",
    (status) => {
      expect(resolve([account("quest", status)])).toEqual({ refusal: "not_active" });
    },
  );

  test("an import takes a pending one where none is active", () => {
    const pending = account("quest", "pending");
    const active = account("quest", "active");
    expect(resolve([pending], undefined, "import")).toEqual({ account: pending });
    expect(resolve([pending, active], undefined, "import")).toEqual({ account: active });
    expect(resolve([pending, account("quest", "pending")], undefined, "import")).toEqual({ refusal: "ambiguous" });
    expect(resolve([account("quest", "suspended")], undefined, "import")).toEqual({ refusal: "not_active" });
  });

  test("a lab that the platform has no account at is refused", () => {
    expect(resolveAccount({ lab: "nowhere", purpose: "order", linked: [] })).toEqual({ refusal: "none" });
  });
});

describe("an account that is asked for", () => {
  test("settles which of several active ones it is", () => {
    const [one, other] = [account("quest", "active"), account("quest", "active")];
    expect(resolve([one, other], other.id)).toEqual({ account: other });
  });

  test("has to be one of the team's", () => {
    expect(resolve([account("quest", "active")], org_id)).toEqual({ refusal: "unknown" });
  });

  test("has to be of the lab", () => {
    const elsewhere = account("labcorp", "active");
    expect(resolve([elsewhere], elsewhere.id)).toEqual({ refusal: "other_lab" });
  });

  test.each(labAccountStatuses)(
    "that is %s is taken for orders only if active, for imports if pending too",
    (status) => {
      const asked = account("quest", status);
      const taken = { account: asked };
      const refused = { refusal: "not_active" };
      expect(resolve([asked], asked.id)).toEqual(status === "active" ? taken : refused);
      const isImportable = status === "active" || status === "pending";
      expect(resolve([asked], asked.id, "import")).toEqual(isImportable ? taken : refused);
    },
  );

  test("may be the platform's where the team has none of its own, and else not", () => {
    const platform = platformAt("quest");
    expect(resolve([], platform?.id)).toEqual({ account: platform });
    expect(resolve([account("quest", "active")], platform?.id)).toEqual({ refusal: "unknown" });
  });
});

test("accounts that a team can use are its own, and the platform's elsewhere", () => {
  const own = [account("quest", "suspended"), account("quest", "active")];
  const available = availableAccounts(own);
  expect(available.filter(({ lab }) => lab === "quest")).toEqual(own);
  expect(available).toHaveLength(own.length + platformAccounts.length - 1);
});

test("a suspended account makes no lab available", () => {
  expect([availableLab(account("quest", "suspended")), availableLab(account("quest", "pending"))]).toEqual([
    undefined,
    "quest",
  ]);
});
