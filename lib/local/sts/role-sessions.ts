import { randomBytes } from "node:crypto";
import { AwsError } from "../aws-proxy/aws-error.ts";
import type { Statement } from "../aws-proxy/policy.ts";
import type { AssumableRole, Tags } from "./assumable-roles.ts";

/** A session of an assumed role, with its temporary credentials. */
export interface RoleSession {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  /** Physical name of the function that assumed the role. Only it may use the credentials. */
  readonly caller: string;
  readonly statements: readonly Statement[];
  readonly expiresAtMs: number;
}

/** What a session is made of. */
interface NewSession {
  readonly role: AssumableRole;
  readonly caller: string;
  readonly tags: Tags;
  readonly durationS: number;
}

/** Sessions of assumed roles, until they expire on the local cloud's clock. A restart ends all. */
export class RoleSessions {
  readonly #now: () => number;
  readonly #sessions = new Map<string, RoleSession>();

  constructor(now: () => number) {
    this.#now = now;
  }

  begin({ role, caller, tags, durationS }: NewSession): RoleSession {
    const session = {
      accessKeyId: `ASIA${randomBytes(8).toString("hex").toUpperCase()}`,
      secretAccessKey: randomBytes(30).toString("base64"),
      sessionToken: randomBytes(96).toString("base64"),
      caller,
      statements: role.statementsFor(tags),
      expiresAtMs: this.#now() + durationS * 1_000,
    };
    this.#sessions.set(session.accessKeyId, session);
    return session;
  }

  /**
   * Finds the session with an access key.
   * @throws AwsError for an unknown key, another token or caller, or an expired session, as DynamoDB reports them.
   */
  require(accessKeyId: string, token: string | undefined, caller: string): RoleSession {
    const session = this.#sessions.get(accessKeyId);
    if (!session || session.sessionToken !== token || session.caller !== caller)
      throw new AwsError(400, "UnrecognizedClientException", "The security token included in the request is invalid.");
    if (this.#now() < session.expiresAtMs) return session;
    this.#sessions.delete(accessKeyId);
    throw new AwsError(400, "ExpiredTokenException", "The security token included in the request is expired");
  }
}
