import type { TestService } from "../../../support/service.ts";
import { type CanaryUser, createCanaryUser, createPayor } from "../platform/confidentiality/canary-user.ts";

/** Number of users, and how many of them are erased. */
export interface ErasureDrillOptions {
  readonly users: number;
  readonly erased: number;
  readonly seed: number;
}

/** Users created concurrently. */
const CONCURRENT_CREATIONS = 6;
/** Every fifth erased user is connected to a provider. */
const CONNECTED_EVERY = 5;

/** Spreads the erased users evenly among the others. */
export const isErased = (place: number, { users, erased }: Pick<ErasureDrillOptions, "users" | "erased">): boolean =>
  Math.floor(((place + 1) * erased) / users) > Math.floor((place * erased) / users);

/** Creates users, some with orders, lab reports and connections, and waits until their data is stored. */
export async function createDrillUsers(
  service: TestService,
  drill: ErasureDrillOptions,
  onUsers: (done: number) => void,
): Promise<CanaryUser[]> {
  const made: CanaryUser[] = [];
  const payor_code = await createPayor(service);
  let gone = 0;
  for (let first = 0; first < drill.users; first += CONCURRENT_CREATIONS) {
    const places = Array.from(
      { length: Math.min(CONCURRENT_CREATIONS, drill.users - first) },
      (_, index) => first + index,
    );
    const some = places.map((place) => {
      const isGone = isErased(place, drill);
      const nth = isGone ? gone++ : place;
      const having = { payor_code, order: isGone || nth % 10 === 0, report: nth % (isGone ? 10 : 100) === 0 };
      const review = { review: having.report };
      const connection = isGone && nth % CONNECTED_EVERY === 0 ? { connection: "oura" } : {};
      return createCanaryUser(service, `${drill.seed}/${place}`, { ...having, ...review, ...connection });
    });
    made.push(...(await Promise.all(some)));
    if (made.length % 60 === 0) await settleWithRetries(service);
    onUsers(made.length);
  }
  await settleWithRetries(service);
  return made;
}

/** Settles the service repeatedly, since much work exceeds the time limit of one settle call. */
export async function settleWithRetries(service: TestService): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      return await service.settle();
    } catch {}
  }
  throw new Error("the service does not come to rest");
}
