import { Problem, queryOf, request } from "./request.ts";

/** A step of an order. */
export interface OrderEvent {
  readonly id: number;
  readonly created_at: string;
  readonly status: string;
  readonly status_detail: string | null;
}

/** An order, as far as the console shows it. */
export interface Order {
  readonly id: string;
  readonly user_id: string;
  readonly status: string;
  readonly last_event: OrderEvent | null;
  readonly events: readonly OrderEvent[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly interpretation: string | null;
  readonly has_missing_results: boolean | null;
  readonly origin: string;
  readonly lab_test: {
    readonly name: string;
    readonly method: string;
    readonly sample_type: string;
    readonly lab: { readonly name: string } | null;
  };
  readonly patient_details: { readonly first_name: string; readonly last_name: string; readonly dob: string } | null;
}

/** A page of orders, newest first. */
interface OrderPage {
  readonly orders: readonly Order[];
  readonly total: number;
  readonly page: number;
  readonly size: number;
}

/** Which orders to list. */
export interface OrderFilter {
  readonly page: number;
  readonly interpretation: string;
  readonly search_input: string;
}

/** Lists orders, newest first. */
export const listOrders = (filter: OrderFilter, signal: AbortSignal) =>
  request<OrderPage>(`/v3/orders${queryOf({ ...filter })}`, { signal });

/** Retrieves an order. */
export const getOrder = (id: string, signal: AbortSignal) =>
  request<Order>(`/v3/order/${encodeURIComponent(id)}`, { signal });

/** One value of a result with its reference range. */
export interface MarkerResult {
  readonly name: string;
  readonly slug: string;
  readonly value: number | null;
  readonly result: string;
  readonly type: string;
  readonly unit: string | null;
  readonly notes: string | null;
  readonly reference_range: string | null;
  readonly min_range_value: number | null;
  readonly max_range_value: number | null;
  readonly interpretation: string;
  readonly loinc: string | null;
}

/** The result of an order. */
export interface OrderResult {
  readonly metadata: {
    readonly laboratory: string | null;
    readonly date_collected: string | null;
    readonly date_reported: string | null;
    readonly status: string;
    readonly interpretation: string;
  };
  readonly results: readonly MarkerResult[];
  readonly missing_results: readonly { readonly name: string; readonly inferred_failure_type: string }[] | null;
}

/** Retrieves the result of an order; null as long as there is none. */
export const getResult = (id: string, signal: AbortSignal) =>
  request<OrderResult>(`/v3/order/${id}/result`, { signal }).catch((error) => {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  });

/** A value of a marker at an earlier time. */
export interface EarlierValue {
  readonly at: string;
  readonly value: number;
  readonly unit: string | null;
}

/** How many earlier results a trend reads. */
const EARLIER_RESULTS = 5;
/** Orders of a page, and pages of orders without results, that the search for earlier results reads. */
const [EARLIER_PAGE, EARLIER_PAGES] = [100, 10];

/** Finds the newest orders of a user before another that have a result. */
async function findEarlierOrders({ id, user_id, created_at }: Order, signal: AbortSignal): Promise<readonly Order[]> {
  const found: Order[] = [];
  for (let page = 1; page <= EARLIER_PAGES && found.length < EARLIER_RESULTS; page++) {
    const query = queryOf({ user_id, end_date: created_at, size: EARLIER_PAGE, page });
    const { orders, total } = await request<OrderPage>(`/v3/orders${query}`, { signal });
    found.push(...orders.filter((order) => order.id !== id && order.interpretation !== null));
    if (page * EARLIER_PAGE >= total) break;
  }
  return found.slice(0, EARLIER_RESULTS);
}

/** Reads the earlier values of a user's markers, oldest first, by the slug of the marker. */
export async function listEarlierValues(order: Order, signal: AbortSignal) {
  const earlier = await findEarlierOrders(order, signal);
  const results = await Promise.all(earlier.map(({ id }) => getResult(id, signal)));
  const values = new Map<string, EarlierValue[]>();
  for (const result of results) {
    const at = result?.metadata.date_collected ?? result?.metadata.date_reported;
    if (!result || !at) continue;
    for (const { slug, value, unit } of result.results)
      if (value !== null) values.set(slug, [...(values.get(slug) ?? []), { at, value, unit }]);
  }
  for (const own of values.values()) own.sort((one, other) => one.at.localeCompare(other.at));
  return values as ReadonlyMap<string, readonly EarlierValue[]>;
}
