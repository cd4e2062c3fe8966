import * as z from "zod";
import { AwsError, type AwsResponse } from "../aws-proxy/aws-error.ts";
import { type AwsRequest, CALLER_HEADER } from "../aws-proxy/aws-request.ts";
import { parseAuthorization, requireSignature } from "../aws-proxy/signature.ts";
import type { VirtualClock } from "../clock.ts";
import type { ResolvedAssembly } from "../template/read-assembly.ts";
import { ofType } from "../template/resources-of-type.ts";
import { type AssumableRole, readAssumableRoles } from "./assumable-roles.ts";
import { type RoleSession, RoleSessions } from "./role-sessions.ts";
import { parseAssumeRole, toAssumeRoleResponse } from "./sts-protocol.ts";

const functionRole = z.object({ Role: z.string() });

/** AWS STS of the local cloud: functions assume the roles of the templates that trust them. */
export class SecurityTokenService {
  readonly #secretAccessKey: string;
  readonly #roles: ReadonlyMap<string, AssumableRole>;
  readonly #roleOf: ReadonlyMap<string, string>;
  readonly #sessions: RoleSessions;

  /** The secret access key is the one with which functions sign requests with the credentials of their own role. */
  constructor(
    assembly: ResolvedAssembly,
    { secretAccessKey }: { readonly secretAccessKey: string },
    clock: Pick<VirtualClock, "now">,
  ) {
    this.#secretAccessKey = secretAccessKey;
    this.#roles = readAssumableRoles(assembly);
    const functions = ofType(assembly, "AWS::Lambda::Function", functionRole);
    this.#roleOf = new Map(functions.map(({ name, read }) => [name, read.Role]));
    this.#sessions = new RoleSessions(() => clock.now());
  }

  /** Answers AssumeRole. @throws AwsError for a wrong signature, or a role that does not trust the caller. */
  answer(request: AwsRequest): AwsResponse {
    if (request.operation !== "AssumeRole")
      throw new AwsError(400, "InvalidAction", `the local STS does not support ${request.operation}`);
    requireSignature(request, this.#secretAccessKey);
    const { RoleArn, Tags: tags, DurationSeconds: durationS } = parseAssumeRole(request.body);
    const caller = String(request.headers[CALLER_HEADER]);
    const callerRole = this.#roleOf.get(caller) ?? "";
    const role = this.#roles.get(RoleArn);
    const needed = Object.keys(tags).length > 0 ? ["sts:AssumeRole", "sts:TagSession"] : ["sts:AssumeRole"];
    const refused = needed.find((action) => !role?.trusts(action, callerRole, tags));
    if (!role || refused)
      throw new AwsError(
        403,
        "AccessDenied",
        `User: ${caller} is not authorized to perform: ${refused} on: ${RoleArn}`,
      );
    return toAssumeRoleResponse(this.#sessions.begin({ role, caller, tags, durationS }));
  }

  /**
   * Finds the session of an assumed role whose credentials signed a request; undefined for a request with the function's
   * own credentials. @throws AwsError for credentials that are unknown or expired, or a wrong signature.
   */
  findSession(request: AwsRequest, caller: string): RoleSession | undefined {
    const { accessKeyId } = parseAuthorization(request) ?? {};
    if (!accessKeyId?.startsWith("ASIA")) return undefined;
    const session = this.#sessions.require(accessKeyId, request.headers["x-amz-security-token"]?.toString(), caller);
    requireSignature(request, session.secretAccessKey);
    return session;
  }
}
