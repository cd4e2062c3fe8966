import { useState } from "preact/hooks";
import { getMetrics } from "../../api/team.ts";
import { useLoad } from "../../api/use-load.ts";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { Figure } from "./figure.tsx";

/** Users, connections and orders. The service reads every user for them, so they are counted when somebody asks. */
export function Counts() {
  const [isOpen, setOpen] = useState(false);
  const action = (
    <button type="button" onClick={() => setOpen(true)}>
      Count
    </button>
  );
  return (
    <Section
      title="Users, connections and orders"
      note="Counting reads every user of the team."
      actions={isOpen ? null : action}
    >
      {isOpen ? <Counted /> : null}
    </Section>
  );
}

function Counted() {
  const load = useLoad("metrics", getMetrics);
  return (
    <Loaded load={load} lines={2}>
      {(metrics) => (
        <div class="totals">
          <Figure name="Users" value={formatNumber(metrics.number_of_users)} to="/users" />
          <Figure name="Connections" value={formatNumber(metrics.number_of_connected_sources)} to="/users" />
          <Figure
            name="Connections with an error"
            value={formatNumber(metrics.number_of_errored_connected_sources)}
            to="/users"
            tone={metrics.number_of_errored_connected_sources > 0 ? "bad" : "plain"}
          />
          <Figure name="Ordered tests" value={formatNumber(metrics.number_of_ordered_tests)} to="/orders" />
        </div>
      )}
    </Loaded>
  );
}
