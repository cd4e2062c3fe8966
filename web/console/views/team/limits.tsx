import { getLimits, type TeamLimit } from "../../api/settings.ts";
import { useLoad } from "../../api/use-load.ts";
import { Facts } from "../../parts/facts.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";

/** The limits of the team. Somebody with a key of the organisation changes them. */
export function Limits() {
  const load = useLoad("limits", getLimits);
  return (
    <Section title="Limits" note="A management key of the organisation changes them.">
      <Loaded load={load} lines={1}>
        {({ requests_per_second, work_per_second, users }) => (
          <Facts
            facts={[
              ["Requests", wordsOf(requests_per_second, "a second")],
              ["Work units", wordsOf(work_per_second, "a second")],
              ["Users", wordsOf(users, "users")],
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function wordsOf({ limit, is_default }: TeamLimit, unit: string) {
  const amount = limit === null ? "no limit" : `${formatNumber(limit)} ${unit}`;
  return (
    <>
      {amount} <span class="quiet small">{is_default ? "default of the deployment" : "of this team"}</span>
    </>
  );
}
