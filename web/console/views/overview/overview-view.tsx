import { useEffect } from "preact/hooks";
import { getOverview, type Overview } from "../../api/team.ts";
import { useLoad } from "../../api/use-load.ts";
import { readsEvents, session } from "../../app/session.ts";
import { formatBytes } from "../../parts/format-bytes.ts";
import { Instant } from "../../parts/instant.tsx";
import { formatDollars, formatNumber } from "../../parts/numbers.ts";
import { Page, Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { Counts } from "./counts.tsx";
import { Figure } from "./figure.tsx";
import { NewestEvents } from "./newest-events.tsx";

/** How often the counts are read again while somebody looks. */
const INTERVAL_MS = 10_000;

/** The team at a glance: usage and cost, deliveries, endpoints, newest events. It stays current without reloading. */
export function OverviewView() {
  const load = useLoad("overview", getOverview);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || load.reload(), INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Page title="Overview">
      <Loaded load={load} lines={6}>
        {(overview) => (
          <>
            <Deliveries overview={overview} />
            <UsageFigures title="Today" usage={overview.usage.today} note="Since midnight, UTC." />
            <UsageFigures
              title="This month"
              usage={overview.usage.month}
              note={`Since the first day, UTC. Prices of ${overview.usage.prices.region}, ${overview.usage.prices.date}.`}
            />
          </>
        )}
      </Loaded>
      <Counts />
      {readsEvents(session.get()) ? <NewestEvents /> : null}
    </Page>
  );
}

function Deliveries({ overview: { at, deliveries, endpoints } }: { readonly overview: Overview }) {
  const { enabled, disabled, failing, suspended } = endpoints;
  return (
    <Section
      title="Webhooks of the last 24 hours"
      note={
        <>
          As of <Instant at={at} />
        </>
      }
    >
      <div class="totals">
        <Figure name="Delivered" value={formatNumber(deliveries.delivered)} to="/webhooks" />
        <Figure
          name="Failed attempts"
          value={formatNumber(deliveries.failed)}
          to="/webhooks"
          tone={deliveries.failed > 0 ? "bad" : "plain"}
        />
        <Figure name="Endpoints enabled" value={formatNumber(enabled)} to="/webhooks" />
        <Figure name="Failing" value={formatNumber(failing)} to="/webhooks" tone={failing > 0 ? "bad" : "plain"} />
        <Figure
          name="Suspended"
          value={formatNumber(suspended)}
          to="/webhooks"
          tone={suspended > 0 ? "bad" : "plain"}
        />
        <Figure name="Disabled" value={formatNumber(disabled)} to="/webhooks" />
      </div>
    </Section>
  );
}

interface UsageFiguresProps {
  readonly title: string;
  readonly note: string;
  readonly usage: Overview["usage"]["today"];
}

function UsageFigures({ title, note, usage }: UsageFiguresProps) {
  return (
    <Section title={title} note={note}>
      <div class="totals">
        <Figure name="Requests" value={formatNumber(usage.requests)} />
        <Figure name="Samples" value={formatNumber(usage.samples)} />
        <Figure name="Events" value={formatNumber(usage.events)} to="/events" />
        <Figure name="Deliveries" value={formatNumber(usage.deliveries)} to="/webhooks" />
        <Figure name="Stored" value={formatBytes(usage.stored_bytes)} />
        <Figure name="Estimated cost" value={formatDollars(usage.estimated_dollars)} />
      </div>
    </Section>
  );
}
