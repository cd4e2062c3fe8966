import { randomBytes } from "node:crypto";
import { expect, vi } from "vitest";
import { keys, teams } from "../../../../lib/contract/resources.ts";
import { type ApiKeyPrefix, generateApiKey } from "../../../../lib/crypto/api-key.ts";
import { type KeyRecord, type NewTeam, type Team, teamRecord } from "../../../../lib/domain/management/records.ts";
import { documentClient } from "../../../../lib/runtime/aws/aws.ts";
import { CONTAINER_VARIABLE } from "../../../../lib/runtime/container.ts";
import { Unauthorized } from "../../../../lib/runtime/errors.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";

export const NOW_MS = Date.UTC(2026, 4, 1, 8);
export const NOW_S = NOW_MS / 1000;
/** The message for an invalid or expired key. */
export const INVALID_KEY_MESSAGE = "The key is not valid for this interface.";
export const TEAM_ID = "7ea70000-0000-4000-8000-000000000001";

const newTeam: NewTeam = {
  team_id: TEAM_ID,
  org_id: "o",
  name: "Team",
  region: "us",
  created_on: "2026-05-01T00:00:00.000Z",
  features: [],
};

/** An in-memory fake of the data of authentication. Tests count reads and writes and make writes fail. */
export class AuthenticateFixture {
  nowMs = NOW_MS;
  /** Partition keys of reads, in order. */
  readonly reads: string[] = [];
  /** Recorded uses of keys. */
  readonly recordedUses: { readonly id: string; readonly at: string }[] = [];
  recordError: Error | undefined;
  readonly #items = new Map<string, unknown>();
  static #containers = 0;

  /** Creates a container with empty caches. */
  constructor() {
    AuthenticateFixture.#containers += 1;
    Object.assign(process.env, {
      [CONTAINER_VARIABLE]: `authenticate ${AuthenticateFixture.#containers}`,
      AWS_REGION: "us-east-1",
      TABLE_DIRECTORY: "directory",
    });
    setPorts({ clock: { now: () => this.nowMs } });
    const send = async ({ input }: { readonly input: object }) => this.#answer(input as Request);
    vi.spyOn(documentClient(), "send").mockImplementation(send);
  }

  /** Adds a key of the team. `about` overrides fields of the key. @returns the key and its secret text. */
  addKey(prefix: ApiKeyPrefix, about: Partial<KeyRecord> = {}): { text: string; key: KeyRecord } {
    const { key: text, key_id, sha256, masked } = generateApiKey(prefix, randomBytes);
    const made = { key_id, sha256, masked, kind: "team", label: "", created_at: "", org_id: "o" } as const;
    const key: KeyRecord = { ...made, team_ids: [TEAM_ID], ...about };
    this.put(key);
    return { text, key };
  }

  addTeam(about: Partial<Team> = {}): Team {
    const team = { ...teamRecord.parse(newTeam), ...about };
    this.#items.set(`${teams.keyPrefix}${team.team_id}`, team);
    return team;
  }

  put(key: KeyRecord): void {
    this.#items.set(`${keys.keyPrefix}${key.key_id}`, key);
  }

  removeKey(keyId: string): void {
    this.#items.delete(`${keys.keyPrefix}${keyId}`);
  }

  #answer({ Key, UpdateExpression, ExpressionAttributeValues: values }: Request) {
    if (UpdateExpression === undefined) {
      this.reads.push(Key.pk);
      return { Item: this.#items.get(Key.pk) };
    }
    if (this.recordError) throw this.recordError;
    this.recordedUses.push({ id: values?.[":id"] ?? "", at: values?.[":now"] ?? "" });
    return {};
  }
}

interface Request {
  readonly Key: { readonly pk: string };
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeValues?: Readonly<Record<string, string>>;
}

/** The error message of a rejected caller. */
export async function refusalMessage(caller: Promise<unknown>): Promise<string> {
  const error = await caller.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Unauthorized);
  return (error as Error).message;
}
