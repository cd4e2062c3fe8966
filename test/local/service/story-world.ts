import { ports, usePorts } from "../../../lib/runtime/ports.ts";
import { TestService } from "../../support/service.ts";
import { Receiver } from "./receiver.ts";

/** Where a story takes place. */
export interface StoryWorld {
  readonly service: TestService;
  readonly receiver: Receiver;
  /**
   * All functions of this process trust what one of them has read of a key for a minute; after this they read it anew. For
   * them alone it is a minute later, so that nothing else has to happen meanwhile.
   */
  readonly forget: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const FORGET_MS = 61_000;
const HOUR_MS = 3_600_000;

/** @param statusFor the receiver's answer, by the type of an event and the hours since the start. */
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
