import type { JunctionClient } from "@junction-api/sdk";
import { day } from "./records.ts";
import { provider, type World } from "./world.ts";

/** The request of a method, and further checks of its parsed response. */
interface Row<Request, Answer> {
  readonly request: (world: World) => Request | Promise<Request>;
  readonly shows: (answer: Answer, world: World) => void | Promise<void>;
}

type RowOf<Method> = Method extends (request: infer Request, ...rest: never[]) => PromiseLike<infer Answer>
  ? Row<NonNullable<Request>, Answer>
  : never;
/** Rows of methods by resource, structured as the client. */
export type Rows = {
  readonly [R in keyof JunctionClient]?: { readonly [M in keyof JunctionClient[R]]?: RowOf<JunctionClient[R][M]> };
};

/** Any row, for the loop that calls all methods. */
export type AnyRow = Row<unknown, unknown>;

const range = { startDate: day, endDate: day };

/** Requests the day of all data. */
export const ofUserWithData = ({ userId }: World) => ({ userId, ...range });

/** The source of all data. */
export const source = { provider, type: "watch", slug: provider };
