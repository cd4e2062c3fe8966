/** The files behind one guarantee of the service, and the tests that must detect mutants in them. */
interface MutationGroup {
  readonly name: string;
  /** Files to mutate. */
  readonly files: readonly string[];
  /** Test files that run on the sources. Tests of the whole service run bundles without mutants. */
  readonly tests: readonly string[];
}

/** Name of the environment variable that selects the group of a test run. */
export const GROUP_VARIABLE = "MUTATION_GROUP";

/** The groups of `npm run mutate`. */
export const mutationGroups: readonly MutationGroup[] = [
  {
    name: "authentication",
    files: ["lib/runtime/callers/authenticate.ts", "lib/crypto/api-key.ts"],
    tests: [
      "test/unit/runtime/callers/authenticate.test.ts",
      "test/unit/runtime/callers/authenticate-cache.test.ts",
      "test/unit/crypto/crypto.test.ts",
    ],
  },
  {
    name: "tenancy",
    files: ["lib/store/team-scope.ts", "lib/runtime/callers/team-path.ts", "lib/runtime/callers/management-access.ts"],
    tests: ["test/unit/runtime/callers/management-access.test.ts"],
  },
  {
    name: "outbox",
    files: ["lib/store/events/outbox.ts", "lib/store/events/outbox-items.ts"],
    tests: ["test/unit/events/outbox.test.ts"],
  },
  {
    name: "delivery",
    files: ["lib/events/webhooks/delivery.ts", "lib/events/webhooks/endpoint-health.ts"],
    tests: ["test/unit/webhooks/delivery-rules.test.ts", "test/unit/webhooks/delivery-schedule.test.ts"],
  },
  {
    name: "deliveries",
    files: ["lib/store/webhooks/deliveries.ts"],
    tests: ["test/unit/webhooks/delivery-store.test.ts", "test/unit/webhooks/delivery-store-items.test.ts"],
  },
  {
    name: "deletion",
    files: [
      "lib/store/events/erase-events.ts",
      "lib/store/erasure/due-deletions.ts",
      "lib/store/erasure/erasing-users.ts",
      "lib/store/erasure/erasures.ts",
    ],
    tests: ["test/unit/erasure/erasure-store.test.ts"],
  },
  {
    name: "merge",
    files: ["lib/domain/timeseries/chunk/merge-chunk.ts"],
    tests: ["test/unit/timeseries/chunk/merge-chunk.test.ts", "test/unit/timeseries/chunk/merge-history.test.ts"],
  },
];
