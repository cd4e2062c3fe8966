import { bus } from "../../contract/resources.ts";
import { locate } from "../aws.ts";
import { EventBus } from "../event-bus.ts";

export const make = () => new EventBus(locate(bus));
