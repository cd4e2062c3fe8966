import { type ActionCounts, type KeyCount, nameOfKey } from "../../lib/cli/scale/access-counts.ts";
import type { KeyUse } from "../../lib/local/aws-proxy/key-meter.ts";
import type { UsageTally } from "../../lib/local/aws-proxy/meter.ts";
import { operationOf, scheduledOperations } from "../faults/invocation.ts";
import type { TestService } from "../support/service.ts";
import type { RecordedAccess } from "./access-recorder.ts";
import type { StoredBytes } from "./measure-stored-bytes.ts";

type Sizes = ReadonlyMap<string, StoredBytes>;

/** The actions of a recording. */
interface RecordedActions {
  readonly users: readonly string[];
  /** Number of actions. */
  readonly count: number;
  readonly stored?: { readonly before: Sizes; readonly after: Sizes };
}

/** The schedule that starts due polls. The writes of others belong to hours and teams. */
const POLL_SCHEDULE = "sweepPolls";

const round = (count: number): number => Math.round(count * 100) / 100;
/** Physical names end with a hash of eight hexadecimal digits. */
const tableName = (physical: string) => /Table([A-Za-z]+?)[0-9A-F]{8}$/.exec(physical)?.[1] ?? physical;
const queueName = (physical: string) => /Queue([A-Za-z]+?)Queue[0-9A-F]{8}$/.exec(physical)?.[1] ?? physical;

/** Divides what a recording counted by its actions, and replaces ids in keys by placeholders. */
export function averageCounts(service: TestService, recorded: RecordedAccess, of: RecordedActions): ActionCounts {
  const { count } = of;
  // The reads of schedules have a fixed rate; only what they write or send belongs to an action.
  const functions = [...recorded.invocations].filter(([name]) => !scheduledOperations.has(operationOf(name)));
  const requestsOf = (name: string) => recorded.meter.functions[name]?.total.requests ?? 0;
  return {
    keys: averageKeys(service, recorded.uses, of),
    functions: Object.fromEntries(
      functions
        .map(([name, invocations]) => {
          const counts = { invocations: round(invocations / count), requests: round(requestsOf(name) / count) };
          return [operationOf(name), counts] as const;
        })
        .toSorted(byName),
    ),
    messages: Object.fromEntries(
      [...recorded.messages].map(([name, sent]) => [queueName(name), round(sent / count)] as const).toSorted(byName),
    ),
    busRequests: round(countRequests(recorded.meter.buses) / count),
    kmsRequests: round(countRequests(recorded.meter.keys) / count),
    stored: averageStored(of),
  };
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1);

const countRequests = (group: UsageTally["buses"]): number =>
  Object.values(group)
    .flatMap((operations) => Object.values(operations))
    .reduce((sum, { requests }) => sum + requests, 0);

function averageKeys(service: TestService, uses: readonly KeyUse[], { users, count }: RecordedActions): KeyCount[] {
  const sums = new Map<string, KeyCount>();
  for (const { caller, table: physical, index, key: id, readUnits, writeUnits } of uses) {
    const operation = operationOf(caller);
    if (scheduledOperations.has(operation) && (operation !== POLL_SCHEDULE || writeUnits === 0)) continue;
    const [table, key] = [tableName(physical), toPattern(service, users, id)];
    const named = { table, ...(index === undefined ? {} : { index }), key };
    const name = nameOfKey(named);
    const sum = sums.get(name) ?? { ...named, write: 0, read: 0 };
    sums.set(name, { ...sum, write: sum.write + writeUnits / count, read: sum.read + readUnits / count });
  }
  return [...sums]
    .toSorted(byName)
    .map(([, sum]) => ({ ...sum, write: round(sum.write), read: round(sum.read) }))
    .filter(({ write, read }) => write + read > 0);
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Replaces ids in a partition key by what they identify. */
function toPattern({ identity }: TestService, users: readonly string[], key: string): string {
  const ofUsers = users.reduce((text, user) => text.replaceAll(user, "{user}"), key);
  return ofUsers
    .replaceAll(identity.team_id, "{team}")
    .replaceAll(identity.webhook_id ?? "no endpoint", "{endpoint}")
    .replace(/\b(sk|pk)_[a-z]{2}_\w+/, "{credential}")
    .replace(UUID, "{item}")
    .replace(/\d{4}-\d\d-\d\d/, "{date}")
    .replace(/#\d$/, "#{shard}");
}

function averageStored({ stored, count }: RecordedActions): ActionCounts["stored"] {
  const grown = [...(stored?.after ?? [])].map(([physical, { permanent, byteDays }]) => {
    const before = stored?.before.get(physical);
    const growth = (now: number, then = 0) => Math.max(0, Math.round((now - then) / count));
    return [
      tableName(physical),
      { permanent: growth(permanent, before?.permanent), byteDays: growth(byteDays, before?.byteDays) },
    ] as const;
  });
  return Object.fromEntries(grown.filter(([, { permanent, byteDays }]) => permanent + byteDays > 0).toSorted(byName));
}
