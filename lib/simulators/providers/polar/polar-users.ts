import type { ProviderDesk } from "../frame/provider-desk.ts";
import { granted, jsonOf, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { polarUserId } from "./polar-truth.ts";

/** Key of the registration time of an account. */
const registered = (account: string) => `registered ${account}`;

/** Registration time of an account, epoch ms; undefined if it is not registered. */
export function registeredAt(desk: ProviderDesk, account: string): number | undefined {
  return desk.instants.get(registered(account));
}

/** Routes that register, return and delete a user. Polar provides data of registered users only. */
export function polarUserRoutes(desk: ProviderDesk): Route[] {
  const user = "www.polaraccesslink.com/v3/users/{id}";
  const noContent: SimulatedReply = { status: 204 };
  return [
    granted("POST", "www.polaraccesslink.com/v3/users", [], (call) => {
      const { account } = call.grant;
      const memberId = jsonOf(call)["member-id"];
      if (typeof memberId !== "string" || memberId === "")
        return { status: 400, body: { error: "member-id is missing" } };
      if (registeredAt(desk, account) !== undefined) return { status: 409, body: { error: "already registered" } };
      desk.instants.set(registered(account), desk.now());
      return { status: 200, body: personOf(desk, account, memberId) };
    }),
    granted("GET", user, [], ({ grant: { account }, params }) => {
      const isTheirs = params.id === String(polarUserId(account)) && registeredAt(desk, account) !== undefined;
      return isTheirs ? { status: 200, body: personOf(desk, account, account) } : noContent;
    }),
    granted("DELETE", user, [], ({ grant: { account }, params }) => {
      if (params.id !== String(polarUserId(account))) return { status: 403, body: { error: "another user" } };
      desk.instants.delete(registered(account));
      desk.tokens.revoke(account);
      return noContent;
    }),
  ];
}

function personOf(desk: ProviderDesk, account: string, memberId: string) {
  const plan = desk.plan(account);
  const { weightG } = plan.day(plan.zone.dayOf(desk.now()));
  return {
    "polar-user-id": polarUserId(account),
    "member-id": memberId,
    "registration-date": new Date(registeredAt(desk, account) ?? desk.now()).toISOString().slice(0, -1),
    "first-name": account,
    "last-name": "Person",
    birthdate: `${plan.birthYear}-06-15`,
    gender: plan.sex.toUpperCase(),
    weight: weightG / 1000,
    height: plan.heightCm,
  };
}
