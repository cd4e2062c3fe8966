import { createHash } from "node:crypto";
import type { SimulatorClock } from "../frame/clock.ts";
import { jsonOf, open, type Route, type SimulatedReply, type SimulatedRequest } from "../frame/simulated-http.ts";
import { readingRoutes } from "./readings.ts";
import { sealSession } from "./session.ts";

/**
 * Providers without a public interface, in a small protocol of this project's own: people sign in with a name and a
 * password, or by e-mail alone, and may be asked for a code.
 */
const HOST = "password.simulator";
const CODE = "123456";
const ASKED_FOR_A_CODE = "mfa@example.com";
const WRONG_PASSWORD = "wrong";

/** The provider that asks for no password. */
const BY_EMAIL = "freestyle_libre";

/**
 * `POST /{provider}/login` takes `{username, password}` and `POST /{provider}/email` takes `{email, region}`; both answer
 * `{state: "success", session, user_id}`, the first also `{state: "pending_provider_mfa", challenge, mfa_method, hint}`,
 * which `POST /{provider}/mfa` completes with `{challenge, mfa_code}`. What is wrong is 401, what is missing 400. What a
 * session opens is said in readings.ts.
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
