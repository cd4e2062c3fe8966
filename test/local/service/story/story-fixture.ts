import { ports, setPorts } from "../../../../lib/runtime/ports.ts";
import { TestService } from "../../../support/service.ts";
import { testSettings } from "../../../support/test-settings.ts";
import { Receiver } from "../webhooks/webhook-receiver.ts";
import { callAsReaderFirst } from "./console-routes.ts";

/** A service with a receiver, for a story. */
export interface StoryFixture {
  readonly service: TestService;
  readonly receiver: Receiver;
  /**
   * Expires the key caches of all functions of this process, which last a minute. Advances only the clock of the
   * functions, so that no task becomes due.
   */
  readonly expireCaches: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const CACHE_LIFETIME_MS = 61_000;
const HOUR_MS = 3_600_000;

/**
 * @param statusFor returns the receiver's response, by event type and hours since the start.
 * @param assembly directory of a synthesized app; by default one with a lake.
 */
export async function startStory(
  statusFor: (eventType: string, hours: number) => number = () => 204,
  assembly?: string,
): Promise<StoryFixture> {
  let aheadMs = 0;
  const service = await TestService.start(undefined, testSettings.lake, assembly);
  const { clock } = service.cloud;
  setPorts({ ...ports(), clock: { now: () => clock.now() + aheadMs } });
  const startedMs = clock.now();
  const receiver = await Receiver.start(service, (_, { event_type }) =>
    statusFor(event_type, (clock.now() - startedMs) / HOUR_MS),
  );
  const forget = async () => {
    aheadMs += CACHE_LIFETIME_MS;
  };
  callAsReaderFirst(service, forget);
  const stop = async () => {
    setPorts(undefined);
    await receiver.stop();
    await service.stop();
  };
  return { service, receiver, expireCaches: forget, stop };
}
