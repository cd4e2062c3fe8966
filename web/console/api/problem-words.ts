import { humanize } from "../parts/numbers.ts";

/** One field that the service refused. */
interface RefusedField {
  readonly loc?: readonly (string | number)[];
  readonly msg?: string;
}

/** Sentences of the validator, and what they mean to a person. */
const sentences: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^Too small: expected string to have >=1 characters$/, () => "must not be empty"],
  [/^Too big: expected string to have <=(\d+) characters$/, (most) => `is too long: at most ${most} characters`],
  [/^Too small: expected string to have >=(\d+) characters$/, (least) => `is too short: at least ${least} characters`],
  [/^Too big: expected \w+ to have <=(\d+) items$/, (most) => `has too many entries: at most ${most}`],
  [/^Too small: expected \w+ to have >=(\d+) items$/, (least) => `has too few entries: at least ${least}`],
  [/^Too big: expected \w+ to be <=(\S+)$/, (most) => `is at most ${most}`],
  [/^Too small: expected \w+ to be >=(\S+)$/, (least) => `is at least ${least}`],
  [/^Too big: expected \w+ to be <(\S+)$/, (limit) => `is less than ${limit}`],
  [/^Too small: expected \w+ to be >(\S+)$/, (limit) => `is more than ${limit}`],
  [/^Invalid input: expected \w+, received (undefined|null)$/, () => "is missing"],
  [/^Invalid input: expected (\w+), received \w+$/, (kind) => `is not a ${kind}`],
  [/^Invalid option: expected one of (.+)$/, (all) => `is one of ${all.replaceAll('"', "").replaceAll("|", ", ")}`],
  [/^Invalid (UUID|URL|GUID|email address)$/i, (kind) => `is not a valid ${kind}`],
  [/^Invalid string: must match pattern/, () => "has another form"],
];

/** What an error answer says, in words for a person; undefined if it says nothing. */
export function wordsOf(detail: unknown): string | undefined {
  if (typeof detail === "string") return detail;
  return Array.isArray(detail) ? detail.map(wordsOfField).join("; ") : undefined;
}

function wordsOfField({ loc = [], msg = "" }: RefusedField): string {
  for (const [form, say] of sentences) {
    const found = form.exec(msg);
    if (found) return `${nameOf(loc)} ${say(...found.slice(1))}`;
  }
  return msg;
}

/** The last name of a place: `["body", "sandbox", "url"]` is "Url". */
function nameOf(loc: readonly (string | number)[]): string {
  const name = loc.slice(1).findLast((part) => typeof part === "string");
  return name === undefined ? "A value" : humanize(String(name));
}
