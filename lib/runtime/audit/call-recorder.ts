import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { putItem } from "../../contract/access.ts";
import { accessLogMode } from "../../contract/access-log-mode.ts";
import { consoleReasonHeader } from "../../contract/compatibility.ts";
import type { EndpointContract } from "../../contract/endpoint.ts";
import { accessLog } from "../../contract/resources.ts";
import type { AccessEntry } from "../../domain/audit/access-entry.ts";
import { parseReason } from "../../domain/console/console-reason.ts";
import type { ConsoleSession } from "../../domain/console/console-session.ts";
import { userDigest } from "../../domain/erasure/erasure-certificate.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { resolveDependencies } from "../dependencies.ts";
import type { Log } from "../log.ts";
import { serviceBusy } from "../outages.ts";
import { findUserId, loggedParameters } from "./named-ids.ts";

/** Status of a call that accepts work for later. */
const ACCEPTED = 202;

/** An admitted request, as the access log records it. */
export interface RecordedCall {
  readonly contract: EndpointContract;
  readonly event: APIGatewayProxyEventV2;
  readonly requestId: string;
  /** Arrival of the request, ISO 8601. */
  readonly at: string;
  readonly log: Log;
  readonly caller?: object;
  readonly input?: object;
}

/** The known parts of a caller. All callers except `none` have one team. */
interface Caller {
  readonly scope?: TeamScope;
  readonly keyId?: string;
  readonly consoleSession?: ConsoleSession;
  readonly session?: { readonly user_id: string };
  readonly token?: { readonly user_id: string };
}

/** The first version of an entry, and the promise of its write. */
interface WrittenEntry {
  readonly scope: TeamScope;
  readonly entry: AccessEntry;
  readonly written: Promise<void>;
}

/** Creates the recorder of a call; undefined if its contract has no access to data of users. */
export function createCallRecorder(call: RecordedCall): CallRecorder | undefined {
  const way = accessLogMode(call.contract);
  return way && new CallRecorder(call, way);
}

/**
 * Records one call in the access log. A write is recorded before it takes effect, and updated with its status. A read
 * is recorded concurrently, with its success status, as soon as its user is known. The answer waits for the entry. A
 * read is recorded a second time only if it ends with another status. A call that cannot be recorded is answered 503.
 */
export class CallRecorder {
  readonly #call: RecordedCall;
  readonly #way: "before" | "beside";
  readonly #caller: Caller;
  readonly #rows: WrittenEntry[] = [];
  #subject: string | undefined;
  /** Ids and words of a fixed list that a call adds to those of its path. */
  #added: Readonly<Record<string, string>> = {};

  constructor(call: RecordedCall, way: "before" | "beside") {
    this.#call = call;
    this.#way = way;
    this.#caller = call.caller ?? {};
    const { scope } = this.#caller;
    const userId = scope && findUserId(call, this.#caller.session ?? this.#caller.token);
    this.#subject = scope && userId && userDigest(scope.teamId, userId);
  }

  /** Await before the operation. @throws Unavailable */
  async start(): Promise<void> {
    const { scope } = this.#caller;
    if (scope && (this.#way === "before" || this.#subject)) this.#write(scope, this.#subject);
    if (this.#way === "before") await this.#written();
  }

  /**
   * Adds to the entry of a call whose path does not say what it reads. Call it before the entry is written.
   * @param target ids, and words of a fixed list.
   */
  describe(target: Readonly<Record<string, string>>, userId: string | undefined): void {
    const { scope } = this.#caller;
    this.#added = target;
    if (scope && userId !== undefined) this.#subject ??= userDigest(scope.teamId, userId);
  }

  /** Records that the call reads a user. Await before returning the user's record. @throws Unavailable */
  async recordUser(scope: TeamScope, userId: string): Promise<void> {
    const subject = userDigest(scope.teamId, userId);
    if (this.#caller.scope) {
      this.#subject ??= subject;
      if (this.#rows.length === 0) this.#write(scope, this.#subject);
      return;
    }
    // Without a credential the team and user become known only here.
    if (!this.#rows.some(({ entry }) => entry.subject === subject)) this.#write(scope, subject);
    if (this.#way === "before") await this.#written();
  }

  /** Await after the operation and before the answer is sent. @throws Unavailable */
  async settle(): Promise<void> {
    const { scope } = this.#caller;
    if (scope && this.#rows.length === 0) this.#write(scope, this.#subject);
    await this.#written();
  }

  /** Updates the entries with the final status if they do not have it yet. */
  async end(status: number): Promise<void> {
    const { scope } = this.#caller;
    if (scope && this.#rows.length === 0) this.#write(scope, this.#subject, status);
    await Promise.all(
      this.#rows.map(async ({ scope: of, entry, written }) => {
        const ended = { ...entry, subject: entry.subject ?? this.#subject ?? null, status };
        await written.catch(() => undefined);
        if (ended.status === entry.status && ended.subject === entry.subject) return written;
        return writeEntry(of, ended);
      }),
    ).catch((error) => this.#call.log.error("the outcome could not be recorded in the access log", error));
  }

  #write(scope: TeamScope, subject: string | undefined, status = this.#firstStatus()): void {
    const { contract, event, requestId, at } = this.#call;
    const entry = {
      // A provider's push can concern several users.
      id: this.#rows.length === 0 ? requestId : `${requestId}/${this.#rows.length}`,
      at,
      ...namedCaller(this.#call, this.#caller),
      operation: contract.operationId,
      subject: subject ?? null,
      target: { ...loggedParameters(contract, event.pathParameters ?? {}), ...this.#added },
      status,
    };
    const written = writeEntry(scope, entry);
    // The promise is awaited before the answer is sent; until then its rejection must not count as unhandled.
    written.catch(() => undefined);
    this.#rows.push({ scope, entry, written });
  }

  #firstStatus(): number | null {
    const { status } = this.#call.contract;
    // A call that only accepts work (202) has its outcome before its effect.
    return this.#way === "before" && status !== ACCEPTED ? null : status;
  }

  async #written(): Promise<void> {
    try {
      await Promise.all(this.#rows.map(({ written }) => written));
    } catch (cause) {
      this.#call.log.error("the call could not be recorded in the access log", cause);
      throw serviceBusy(cause);
    }
  }
}

/** Who called: the kind of caller, its key, and the person of a console session. */
const namedCaller = ({ contract, event }: RecordedCall, { keyId, consoleSession }: Caller) => ({
  caller: consoleSession ? "console" : (contract.auth as AccessEntry["caller"]),
  key_id: keyId ?? null,
  session_id: consoleSession?.session_id ?? null,
  actor: consoleSession?.name ?? null,
  reason: (consoleSession && parseReason(event.headers[consoleReasonHeader])) ?? null,
});

async function writeEntry(scope: TeamScope, entry: AccessEntry): Promise<void> {
  const deps = await resolveDependencies([putItem(accessLog)]);
  await deps.accessLog.record(scope, entry);
}
