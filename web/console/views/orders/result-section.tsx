import { getResult, listEarlierValues, type Order, type OrderResult } from "../../api/orders.ts";
import { useLoad } from "../../api/use-load.ts";
import { Badge } from "../../parts/badge.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { useAsksWhy } from "../user/reason-form.tsx";
import { type EarlierValues, ResultTable } from "./result-table.tsx";

/** The result of an order, each value beside its range and its earlier values. */
export function ResultSection({ order }: { readonly order: Order }) {
  const load = useLoad(`result ${order.id}`, (signal) => getResult(order.id, signal));
  return (
    <Section title="Result">
      <Loaded load={load}>
        {(result) =>
          result ? (
            <ResultWithTrend order={order} result={result} />
          ) : (
            <Empty title="No result yet">
              It appears here once the laboratory reports it. If the laboratory has sent it, look among the{" "}
              <Link to="/orders">results without a certain order</Link>.
            </Empty>
          )
        }
      </Loaded>
    </Section>
  );
}

const none: EarlierValues = new Map();

/** A team that asks for reasons gets one on the page of the user, before earlier results of the user appear. */
function ResultWithTrend({ order, result }: { readonly order: Order; readonly result: OrderResult }) {
  const isOpen = !useAsksWhy(order.user_id);
  const earlier = useLoad(`earlier ${order.id} ${isOpen}`, (signal) =>
    isOpen ? listEarlierValues(order, signal) : Promise.resolve(none),
  );
  return (
    <>
      <ResultFacts result={result} />
      {isOpen ? null : (
        <p class="quiet">
          For earlier values, say on the page of the <Link to={`/users/${order.user_id}`}>user</Link> why you look.
        </p>
      )}
      <ResultTable results={result.results} earlier={earlier.value ?? none} />
      {earlier.problem ? <p class="quiet">Earlier values are missing: {earlier.problem.message}</p> : null}
    </>
  );
}

function ResultFacts({ result }: { readonly result: OrderResult }) {
  const { laboratory, status, interpretation, date_collected, date_reported } = result.metadata;
  const missing = (result.missing_results ?? []).map(
    ({ name, inferred_failure_type: why }) => `${name} (${humanize(why)})`,
  );
  return (
    <>
      <Facts
        facts={[
          ["Interpretation", <Badge key="interpretation" state={interpretation} />],
          ["Report", <Badge key="status" state={status} tone={status === "final" ? "good" : "warn"} />],
          ["Laboratory", laboratory ?? "–"],
          ["Collected", <Instant key="collected" at={date_collected} />],
          ["Reported", <Instant key="reported" at={date_reported} />],
        ]}
      />
      {missing.length > 0 ? <p>Missing: {missing.join(", ")}</p> : null}
    </>
  );
}
