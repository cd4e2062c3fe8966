import fc from "fast-check";
import { expect, test } from "vitest";
import { catalogue } from "../../../lib/events/catalogue/catalogue.ts";
import {
  type Forward,
  forwardList,
  forwardRules,
  toEventPattern,
} from "../../../lib/events/forwarding/forward-rules.ts";
import { compilePattern } from "../../../lib/local/events/patterns.ts";

const types = catalogue.map(({ type }) => type);
const prefix = fc
  .tuple(fc.constantFrom(...types), fc.nat(40))
  .map(([type, length]) => type.slice(0, 1 + (length % type.length)));
const to: Forward["to"] = { kind: "sqs", arn: "arn:aws:sqs:eu-west-1:111122223333:queue" };

/** Valid lists of forwards, without prefixes that an earlier forward already covers. */
const lists = fc.array(fc.array(prefix, { minLength: 1, maxLength: 5 }), { maxLength: 6 }).map((all) => {
  const earlier: string[] = [];
  const reachable = all.map((prefixes) => {
    const own = prefixes.filter((one) => !earlier.some((begin) => one.startsWith(begin)));
    earlier.push(...own);
    return own;
  });
  const used = reachable.filter((prefixes) => prefixes.length > 0);
  return used.map((prefixes, index) => ({ name: `forward${index}`, prefixes, to }));
});

test("exactly one rule matches each type: the first forward that names it, else the last rule", () => {
  fc.assert(
    fc.property(lists, (forwards) => {
      expect(forwardList.safeParse(forwards).success).toBe(true);
      const rules = forwardRules(forwards).map((rule) => ({
        name: rule.name,
        takes: compilePattern(toEventPattern(rule)),
      }));
      for (const type of types) {
        const first = forwards.find(({ prefixes }) => prefixes.some((begin) => type.startsWith(begin)));
        const takers = rules.filter(({ takes }) => takes({ "detail-type": type, detail: { type } }));
        expect(takers.map(({ name }) => name)).toEqual([first?.name ?? "everythingElse"]);
      }
    }),
    { numRuns: 100 },
  );
});
