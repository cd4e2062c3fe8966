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
    files: ["lib/runtime/authenticate.ts", "lib/crypto/api-key.ts"],
    tests: [
      "test/unit/runtime/authenticate.test.ts",
      "test/unit/runtime/authenticate-memory.test.ts",
      "test/unit/runtime/crypto.test.ts",
    ],
  },
  {
    name: "tenancy",
    files: ["lib/store/team-scope.ts", "lib/runtime/team-path.ts", "lib/runtime/management.ts"],
    tests: ["test/unit/management/team-boundaries.test.ts"],
  },
  {
    name: "outbox",
    files: ["lib/store/outbox.ts", "lib/store/outbox-items.ts"],
    tests: ["test/unit/events/outbox.test.ts"],
  },
  {
    name: "delivery",
    files: ["lib/events/delivery.ts", "lib/events/endpoint-health.ts"],
    tests: ["test/unit/delivery/rules.test.ts", "test/unit/delivery/schedule.test.ts"],
  },
  {
    name: "deliveries",
    files: ["lib/store/deliveries.ts"],
    tests: ["test/unit/delivery/delivery-store.test.ts", "test/unit/delivery/delivery-store-items.test.ts"],
  },
  {
    name: "deletion",
    files: [
      "lib/store/erased-events.ts",
      "lib/store/due-deletions.ts",
      "lib/store/erasure/ending-users.ts",
      "lib/store/erasure/erasures.ts",
    ],
    tests: ["test/unit/deletion/erasing.test.ts"],
  },
  {
    name: "merge",
    files: ["lib/domain/chunk/merge.ts"],
    tests: ["test/unit/chunk/merge.test.ts", "test/unit/chunk/merge-history.test.ts"],
  },
];
