import { contentOf } from "./reading.ts";
import {
  changesOf,
  type OwnedReading,
  ownerName,
  placeName,
  type ReceivedRequest,
  sampleName,
} from "./recorder-oracle.ts";

/** The owners that ever sent a content at a place. */
export type SentContents = ReadonlyMap<string, ReadonlySet<string>>;

const contentName = ({ reading }: OwnedReading) => `${placeName(reading)} ${contentOf(reading)}`;

/** Collects who sent which content. */
export function sentContents(received: readonly ReceivedRequest[]): SentContents {
  const owners = new Map<string, Set<string>>();
  for (const owned of received.flatMap((one) => [...changesOf(one).values()])) {
    if (!owned) continue;
    const own = owners.get(contentName(owned)) ?? new Set();
    owners.set(contentName(owned), own.add(ownerName(owned.userId, owned.origin)));
  }
  return owners;
}

/** Compares readings with the expected ones. @returns each lost, mixed, extra, repeated and wrong one. */
export function compareReadings(
  found: readonly OwnedReading[],
  expected: ReadonlyMap<string, OwnedReading>,
  sent: SentContents,
): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const one of found) {
    const name = sampleName(one);
    if (seen.has(name)) problems.push(`twice ${name}`);
    seen.add(name);
    const due = expected.get(name);
    if (due && contentOf(due.reading) === contentOf(one.reading)) continue;
    const kind = isOfAnother(one, sent) ? "mixed" : due ? "wrong" : "extra";
    const instead = due ? ` instead of ${contentOf(due.reading)}` : "";
    problems.push(`${kind} ${name} ${contentOf(one.reading)}${instead}`);
  }
  for (const name of expected.keys()) if (!seen.has(name)) problems.push(`lost ${name}`);
  return problems;
}

/** Whether only other owners sent this content at this place. */
function isOfAnother(one: OwnedReading, sent: SentContents): boolean {
  const owners = sent.get(contentName(one));
  return owners !== undefined && !owners.has(ownerName(one.userId, one.origin));
}
