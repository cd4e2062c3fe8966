import { credentialEnds, openKinds, survivorsOf } from "../local/service/management/credential-ends.ts";
import { createCredentialFixture } from "../local/service/management/credential-fixture.ts";
import type { TestService } from "../support/service.ts";

/** Containers cache keys for this long. */
const MINUTE_MS = 60_000;

/** What an attack with ended credentials found. */
export interface EndsResult {
  readonly findings: readonly string[];
  /** Number of credentials that ended. */
  readonly ended: number;
}

/** Names of the ways to end credentials. */
export const endNames = Object.keys(credentialEnds);

/**
 * Creates a credential of each kind, uses it, ends it, and uses it again after a minute of virtual time. Only kinds
 * without a user may survive the end of a user.
 */
export async function attackAfterEnd(service: TestService, name: string): Promise<EndsResult> {
  const prepare = credentialEnds[name];
  if (!prepare) throw new Error(`no end ${name}`);
  const world = await createCredentialFixture(service, `${name} ${crypto.randomUUID().slice(0, 8)}`);
  const { by, end } = await prepare(service, world);
  const held = await world.createCredentials(by);
  const before = await openKinds(held);
  await end();
  await service.advance(MINUTE_MS);
  const after = await openKinds(held);
  const survivors = survivorsOf(name);
  const unused = held.filter(({ kind }) => !before.includes(kind)).map(({ kind }) => `${kind} is not valid at first`);
  const open = after.filter((kind) => !survivors.includes(kind)).map((kind) => `${kind} is valid a minute after`);
  const lost = survivors.filter((kind) => !after.includes(kind)).map((kind) => `${kind} is not valid after`);
  const findings = [...unused, ...open, ...lost].map((what) => `${what}: ${name}`);
  return { findings, ended: held.length - survivors.length };
}
