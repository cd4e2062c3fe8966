import type { JunctionClient } from "@junction-api/sdk";
import { type ContractWorld, dataProvider } from "./contract-world.ts";
import { recordDay } from "./records.ts";

/** The request of a method, and further checks of its parsed response. */
interface MethodRow<Request, Answer> {
  readonly request: (world: ContractWorld) => Request | Promise<Request>;
  readonly shows: (answer: Answer, world: ContractWorld) => void | Promise<void>;
}

type RowOf<Method> = Method extends (request: infer Request, ...rest: never[]) => PromiseLike<infer Answer>
  ? MethodRow<NonNullable<Request>, Answer>
  : never;
/** Rows of methods by resource, structured as the client. */
export type MethodRows = {
  readonly [R in keyof JunctionClient]?: { readonly [M in keyof JunctionClient[R]]?: RowOf<JunctionClient[R][M]> };
};

/** Any row, for the loop that calls all methods. */
export type AnyMethodRow = MethodRow<unknown, unknown>;

const range = { startDate: recordDay, endDate: recordDay };

/** Requests the day of all data. */
export const requestOfUserWithData = ({ userId }: ContractWorld) => ({ userId, ...range });

/** The source of all data. */
export const expectedSource = { provider: dataProvider, type: "watch", slug: dataProvider };
