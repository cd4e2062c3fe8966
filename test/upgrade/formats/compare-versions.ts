import type { DeclaredFormats } from "./declared-formats.ts";
import { findIncompatibilities } from "./find-incompatibilities.ts";
import type { Shape } from "./shape.ts";

/** Two versions that serve at once during a release. */
interface Versions<T> {
  readonly before: T;
  readonly next: T;
}

/** Lists the fields of messages that one of two versions sends and the other one cannot read, in both directions. */
export function compareMessages({ before, next }: Versions<DeclaredFormats["messages"]>): string[] {
  return Object.entries(before).flatMap(([name, old]) => {
    const present = next[name];
    // A queue keeps messages for days, so its consumer stays for a release after the last sender.
    if (!present) return [`message of ${name}: its consumer is gone, and the version before still sends to it`];
    const toOld = findIncompatibilities({ reader: old.accepted, writer: present.sent, missesOptional: true });
    const toNew = findIncompatibilities({ reader: present.accepted, writer: old.sent });
    return [
      ...toOld.map((found) => `message of ${name}, from this version to the one before: ${found}`),
      ...toNew.map((found) => `message of ${name}, from the version before to this one: ${found}`),
    ];
  });
}

/** Lists the fields of events that receivers of the version before miss or cannot read. */
export const compareEvents = ({ before, next }: Versions<DeclaredFormats["events"]>): string[] =>
  compareShapes("event", before, next);

/** Lists the fields of items that this version writes otherwise than the version before, which still reads them. */
export const compareItems = ({ before, next }: Versions<Readonly<Record<string, Shape>>>): string[] =>
  compareShapes("item", before, next);

function compareShapes(
  word: string,
  before: Readonly<Record<string, Shape>>,
  next: Readonly<Record<string, Shape>>,
): string[] {
  return Object.entries(before).flatMap(([kind, reader]) => {
    const writer = next[kind];
    if (!writer) return [`${word} ${kind}: nothing writes it any more`];
    return findIncompatibilities({ reader, writer, missesOptional: true }).map((found) => `${word} ${kind}: ${found}`);
  });
}
