import type { JunctionClient } from "@junction-api/sdk";
import { day } from "./records.ts";
import { provider, type World } from "./world.ts";

/** How a method is called, and what its parsed answer must show beyond being one. */
interface Row<Request, Answer> {
  readonly request: (world: World) => Request | Promise<Request>;
  readonly shows: (answer: Answer, world: World) => void | Promise<void>;
}

type RowOf<Method> = Method extends (request: infer Request, ...rest: never[]) => PromiseLike<infer Answer>
  ? Row<NonNullable<Request>, Answer>
  : never;
/** Rows of methods by resource, as the client has them. */
export type Rows = {
  readonly [R in keyof JunctionClient]?: { readonly [M in keyof JunctionClient[R]]?: RowOf<JunctionClient[R][M]> };
};

/** Any row, for the loop that calls them all. */
export type AnyRow = Row<unknown, unknown>;

const range = { startDate: day, endDate: day };

/** Asks for the day that all data lies on. */
export const ofUserWithData = ({ userId }: World) => ({ userId, ...range });

/** Where all data comes from. */
export const source = { provider, type: "watch", slug: provider };
