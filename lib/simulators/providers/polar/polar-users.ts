import { authorizedRoute, parseJsonObject, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { polarUserId } from "./polar-expected-records.ts";

/** Key of the registration time of an account. */
const registrationKey = (account: string) => `registered ${account}`;

/** Registration time of an account, epoch ms; undefined if it is not registered. */
export function registeredAt(provider: SimulatedProvider, account: string): number | undefined {
  return provider.timestamps.get(registrationKey(account));
}

/** Routes that register, return and delete a user. Polar provides data of registered users only. */
export function polarUserRoutes(provider: SimulatedProvider): Route[] {
  const user = "www.polaraccesslink.com/v3/users/{id}";
  const noContent: SimulatedReply = { status: 204 };
  return [
    authorizedRoute("POST", "www.polaraccesslink.com/v3/users", [], (call) => {
      const { account } = call.grant;
      const memberId = parseJsonObject(call)["member-id"];
      if (typeof memberId !== "string" || memberId === "")
        return { status: 400, body: { error: "member-id is missing" } };
      if (registeredAt(provider, account) !== undefined) return { status: 409, body: { error: "already registered" } };
      provider.timestamps.set(registrationKey(account), provider.now());
      return { status: 200, body: toWireUser(provider, account, memberId) };
    }),
    authorizedRoute("GET", user, [], ({ grant: { account }, params }) => {
      const isTheirs = params.id === String(polarUserId(account)) && registeredAt(provider, account) !== undefined;
      return isTheirs ? { status: 200, body: toWireUser(provider, account, account) } : noContent;
    }),
    authorizedRoute("DELETE", user, [], ({ grant: { account }, params }) => {
      if (params.id !== String(polarUserId(account))) return { status: 403, body: { error: "another user" } };
      provider.timestamps.delete(registrationKey(account));
      provider.tokens.revoke(account);
      return noContent;
    }),
  ];
}

function toWireUser(provider: SimulatedProvider, account: string, memberId: string) {
  const person = provider.person(account);
  const { weightG } = person.day(person.zone.dayAt(provider.now()));
  return {
    "polar-user-id": polarUserId(account),
    "member-id": memberId,
    "registration-date": new Date(registeredAt(provider, account) ?? provider.now()).toISOString().slice(0, -1),
    "first-name": account,
    "last-name": "Person",
    birthdate: `${person.birthYear}-06-15`,
    gender: person.sex.toUpperCase(),
    weight: weightG / 1000,
    height: person.heightCm,
  };
}
