import { ports, usePorts } from "../../../lib/runtime/ports.ts";
import { TestService } from "../../support/service.ts";
import { Receiver } from "./receiver.ts";

/** A service with a receiver, for a story. */
export interface StoryWorld {
  readonly service: TestService;
  readonly receiver: Receiver;
  /**
   * Expires the key caches of all functions of this process, which last a minute. Advances only the clock of the
   * functions, so that no task becomes due.
   */
  readonly forget: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const FORGET_MS = 61_000;
const HOUR_MS = 3_600_000;

/** @param statusFor returns the receiver's response, by event type and hours since the start. */
export async function storyWorld(
  statusFor: (eventType: string, hours: number) => number = () => 204,
): Promise<StoryWorld> {
  let aheadMs = 0;
  const service = await TestService.start();
  const { clock } = service.cloud;
  usePorts({ ...ports(), clock: { now: () => clock.now() + aheadMs } });
  const startedMs = clock.now();
  const receiver = await Receiver.start(service, (_, { event_type }) =>
    statusFor(event_type, (clock.now() - startedMs) / HOUR_MS),
  );
  const forget = async () => {
    aheadMs += FORGET_MS;
  };
  const stop = async () => {
    usePorts(undefined);
    await receiver.stop();
    await service.stop();
  };
  return { service, receiver, forget, stop };
}
