import { createHash } from "node:crypto";
import {
  parseJsonObject,
  publicRoute,
  type Route,
  type SimulatedReply,
  type SimulatedRequest,
} from "../base/simulated-http.ts";
import type { SimulatorClock } from "../base/simulator-clock.ts";
import { readingRoutes } from "./readings.ts";
import { createSessionToken } from "./session-token.ts";

/**
 * Host of providers without a public API. They use a small protocol of this project: sign-in by user name and password,
 * or by e-mail only, with an optional MFA code.
 */
const HOST = "password.simulator";
const MFA_CODE = "123456";
const MFA_USERNAME = "mfa@example.com";
const WRONG_PASSWORD = "wrong";

/** The provider with e-mail sign-in. */
const EMAIL_PROVIDER = "freestyle_libre";

/**
 * The sign-in routes. `POST /{provider}/login` takes `{username, password}`, `POST /{provider}/email` takes
 * `{email, region}`. Both return `{state: "success", session, user_id}`. The login may also return
 * `{state: "pending_provider_mfa", challenge, mfa_method, hint}`; `POST /{provider}/mfa` completes it with
 * `{challenge, mfa_code}`. Wrong credentials get 401, missing fields 400. See {@link readingRoutes} for the data.
 */
export function passwordRoutes(clock: SimulatorClock): Route[] {
  return [
    publicRoute("POST", `${HOST}/{provider}/login`, (call) => loginReply(call.params.provider ?? "", call)),
    publicRoute("POST", `${HOST}/{provider}/email`, (call) => emailSignInReply(call.params.provider ?? "", call)),
    publicRoute("POST", `${HOST}/{provider}/mfa`, (call) => mfaReply(call.params.provider ?? "", call)),
    ...readingRoutes(`${HOST}/${EMAIL_PROVIDER}`, EMAIL_PROVIDER, clock),
  ];
}

function loginReply(provider: string, request: SimulatedRequest): SimulatedReply {
  const { username, password } = parseJsonObject(request);
  if (!isText(username) || !isText(password)) return errorReply(400, "username and password are needed");
  if (password === WRONG_PASSWORD) return errorReply(401, "wrong name or password");
  if (username !== MFA_USERNAME) return signedInReply(provider, username);
  const body = {
    state: "pending_provider_mfa",
    challenge: mfaChallenge(provider, username),
    mfa_method: "email",
    hint: "m…@example.com",
  };
  return { status: 200, body };
}

function emailSignInReply(provider: string, request: SimulatedRequest): SimulatedReply {
  const { email } = parseJsonObject(request);
  if (provider !== EMAIL_PROVIDER) return errorReply(404, "this provider wants a password");
  if (!isText(email) || !email.includes("@")) return errorReply(400, "email is needed");
  return signedInReply(provider, email);
}

function mfaReply(provider: string, request: SimulatedRequest): SimulatedReply {
  const { challenge, mfa_code } = parseJsonObject(request);
  if (challenge !== mfaChallenge(provider, MFA_USERNAME)) return errorReply(400, "nobody was asked for this code");
  return mfa_code === MFA_CODE ? signedInReply(provider, MFA_USERNAME) : errorReply(401, "wrong code");
}

function signedInReply(provider: string, name: string): SimulatedReply {
  const user_id = sha256Hex(`${provider} user ${name}`).slice(0, 16);
  return { status: 200, body: { state: "success", session: createSessionToken(provider, name), user_id } };
}

function mfaChallenge(provider: string, name: string): string {
  return sha256Hex(`${provider} challenge ${name}`).slice(0, 24);
}

function errorReply(status: number, error: string): SimulatedReply {
  return { status, body: { state: "error", error } };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
