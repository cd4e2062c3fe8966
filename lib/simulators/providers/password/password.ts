import { createHash } from "node:crypto";
import type { SimulatorClock } from "../frame/clock.ts";
import { jsonOf, open, type Route, type SimulatedReply, type SimulatedRequest } from "../frame/simulated-http.ts";
import { readingRoutes } from "./readings.ts";
import { sealSession } from "./session.ts";

/**
 * Host of providers without a public API. They use a small protocol of this project: sign-in by user name and password,
 * or by e-mail only, with an optional MFA code.
 */
const HOST = "password.simulator";
const CODE = "123456";
const ASKED_FOR_A_CODE = "mfa@example.com";
const WRONG_PASSWORD = "wrong";

/** The provider with e-mail sign-in. */
const BY_EMAIL = "freestyle_libre";

/**
 * The sign-in routes. `POST /{provider}/login` takes `{username, password}`, `POST /{provider}/email` takes
 * `{email, region}`. Both return `{state: "success", session, user_id}`. The login may also return
 * `{state: "pending_provider_mfa", challenge, mfa_method, hint}`; `POST /{provider}/mfa` completes it with
 * `{challenge, mfa_code}`. Wrong credentials get 401, missing fields 400. See {@link readingRoutes} for the data.
 */
export function passwordRoutes(clock: SimulatorClock): Route[] {
  return [
    open("POST", `${HOST}/{provider}/login`, (call) => login(call.params.provider ?? "", call)),
    open("POST", `${HOST}/{provider}/email`, (call) => byEmail(call.params.provider ?? "", call)),
    open("POST", `${HOST}/{provider}/mfa`, (call) => complete(call.params.provider ?? "", call)),
    ...readingRoutes(`${HOST}/${BY_EMAIL}`, BY_EMAIL, clock),
  ];
}

function login(provider: string, request: SimulatedRequest): SimulatedReply {
  const { username, password } = jsonOf(request);
  if (!isText(username) || !isText(password)) return refused(400, "username and password are needed");
  if (password === WRONG_PASSWORD) return refused(401, "wrong name or password");
  if (username !== ASKED_FOR_A_CODE) return signedIn(provider, username);
  const body = {
    state: "pending_provider_mfa",
    challenge: challengeOf(provider, username),
    mfa_method: "email",
    hint: "m…@example.com",
  };
  return { status: 200, body };
}

function byEmail(provider: string, request: SimulatedRequest): SimulatedReply {
  const { email } = jsonOf(request);
  if (provider !== BY_EMAIL) return refused(404, "this provider wants a password");
  if (!isText(email) || !email.includes("@")) return refused(400, "email is needed");
  return signedIn(provider, email);
}

function complete(provider: string, request: SimulatedRequest): SimulatedReply {
  const { challenge, mfa_code } = jsonOf(request);
  if (challenge !== challengeOf(provider, ASKED_FOR_A_CODE)) return refused(400, "nobody was asked for this code");
  return mfa_code === CODE ? signedIn(provider, ASKED_FOR_A_CODE) : refused(401, "wrong code");
}

function signedIn(provider: string, name: string): SimulatedReply {
  const user_id = hash(`${provider} user ${name}`).slice(0, 16);
  return { status: 200, body: { state: "success", session: sealSession(provider, name), user_id } };
}

function challengeOf(provider: string, name: string): string {
  return hash(`${provider} challenge ${name}`).slice(0, 24);
}

function refused(status: number, error: string): SimulatedReply {
  return { status, body: { state: "error", error } };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
