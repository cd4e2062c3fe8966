import { describe, expect, test } from "vitest";
import { findRole, nameOfPerson } from "../../../lib/domain/console/person-claims.ts";

const roles = [
  { value: "ops-admins", role: "admin" },
  { value: "ops", role: "support" },
] as const;
const roleOf = (claims: object, role_claim = "groups") => findRole({ ...claims }, { role_claim, roles: [...roles] });

describe("the role of a person", () => {
  test.each<[object, string, string | undefined]>([
    [{ groups: "ops" }, "groups", "support"],
    [{ groups: ["staff", "ops"] }, "groups", "support"],
    [{ groups: ["ops", "ops-admins"] }, "groups", "admin"],
    [{ groups: ["OPS", "ops ", "ops-"] }, "groups", undefined],
    [{ groups: "ops,ops-admins" }, "groups", undefined],
    [{ groups: [["ops"], { ops: true }, 7, null] }, "groups", undefined],
    [{ groups: { 0: "ops" } }, "groups", undefined],
    [{}, "groups", undefined],
    [{ realm_access: { roles: ["ops"] } }, "realm_access.roles", "support"],
    [{ "https://example.com/roles": ["ops"] }, "https://example.com/roles", "support"],
    [{ a: { b: { c: "ops" } } }, "a.b.c", "support"],
    [{ a: "ops" }, "a.b", undefined],
    [{ a: null }, "a.b", undefined],
    [{ "a.b": "nothing", a: { b: "ops" } }, "a.b", undefined],
  ])("of the claims %j and the claim %s is %s", (claims, claim, role) => {
    expect(roleOf(claims, claim)).toBe(role);
  });

  test("never comes from what every object has", () => {
    for (const claim of ["constructor", "constructor.name", "__proto__", "toString", "groups.length"])
      expect(findRole({ groups: "ops" }, { role_claim: claim, roles: [{ value: "Object", role: "admin" }] })).toBe(
        undefined,
      );
  });

  test("comes from the first thousand values of a list", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `group-${index}`);
    expect(roleOf({ groups: [...many.slice(1), "ops"] })).toBe("support");
    expect(roleOf({ groups: [...many, "ops"] })).toBe(undefined);
  });
});

describe("the name of a person", () => {
  test.each<[object, string]>([
    [{ sub: "42" }, "42"],
    [{ sub: "42", name: "Sup Port", email: "sup@example.com" }, "Sup Port (42)"],
    [{ sub: "42", preferred_username: "sup" }, "sup (42)"],
    [{ sub: "42", name: " ", email: "sup@example.com" }, "sup@example.com (42)"],
    [{ sub: "42", name: { given: "Sup" } }, "42"],
    [{ sub: "42", name: "two\nlines\u202Etxt\u2028" }, "twolinestxt (42)"],
    [{ sub: "42", name: "n".repeat(200) }, `${"n".repeat(80)} (42)`],
  ])("of %j always has the subject: %s", (claims, name) => {
    expect(nameOfPerson(claims as { sub: string })).toBe(name);
  });
});
