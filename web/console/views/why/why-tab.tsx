import { useState } from "preact/hooks";
import { type GroupValue, type MergeRule, queryDays } from "../../api/aggregate.ts";
import { useLoad } from "../../api/use-load.ts";
import { navigate } from "../../app/route.ts";
import { readsEvents, session } from "../../app/session.ts";
import { formatMeasured } from "../../parts/measured.ts";
import { findMeasure, type Measure } from "../../parts/measures.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { addDays, isDate } from "../../parts/time.ts";
import { lastDay } from "../day/last-day.ts";
import { NoSuchDay } from "../day/no-such-day.tsx";
import type { UserTabProps } from "../user/user-tab.ts";
import { Evidence } from "./evidence.tsx";
import { History } from "./history.tsx";
import { Messages } from "./messages.tsx";
import { Receipt } from "./receipt.tsx";
import { shortenSources } from "./shorten-sources.ts";
import { WhyControls } from "./why-controls.tsx";

/** Days around the chosen one, for comparison. */
const SHOWN_DAYS = 7;

/** Why a number of a day is what it is: which source counted, which did not, and what it was before. */
export function WhyTab({ user, query }: UserTabProps) {
  const day = query.get("day") ?? lastDay(user);
  if (!isDate(day)) return <NoSuchDay to={`/users/${user.user_id}/why`} />;
  return <WhyDay userId={user.user_id} measure={findMeasure(query.get("measure"))} day={day} />;
}

interface WhyDayProps {
  readonly userId: string;
  readonly measure: Measure;
  readonly day: string;
}

function WhyDay({ userId: user_id, measure, day }: WhyDayProps) {
  const [merge, setMerge] = useState<MergeRule>("team");
  const go = (name: string, date: string) => navigate(`/users/${user_id}/why?measure=${name}&day=${date}`, "replace");
  const key = `why ${user_id} ${measure.name} ${day} ${merge}`;
  const load = useLoad(key, (signal) => queryDays(user_id, { ...measure, day, days: SHOWN_DAYS, merge }, true, signal));
  return (
    <>
      <WhyControls measure={measure} day={day} merge={merge} setMerge={setMerge} go={go} />
      <Loaded load={load} lines={8}>
        {(groups) => (
          <>
            <Week groups={groups} day={day} measure={measure} choose={(date) => go(measure.name, date)} />
            <Answer value={groups.find(({ group }) => group.startsWith(day))} day={day} measure={measure} />
          </>
        )}
      </Loaded>
      <History userId={user_id} measure={measure} day={day} merge={merge} />
      {readsEvents(session.get()) ? <Messages userId={user_id} measure={measure} /> : null}
      <Receipt userId={user_id} />
    </>
  );
}

interface WeekProps {
  readonly groups: readonly GroupValue[];
  readonly day: string;
  readonly measure: Measure;
  readonly choose: (day: string) => void;
}

/** The value of each day of the week that ends with the chosen day; a press explains another day. */
function Week({ groups, day, measure, choose }: WeekProps) {
  const days = Array.from({ length: SHOWN_DAYS }, (_, back) => addDays(day, back - SHOWN_DAYS + 1));
  return (
    <div class="row week">
      {days.map((date) => (
        <button key={date} type="button" class="day-value" aria-pressed={date === day} onClick={() => choose(date)}>
          <span class="quiet small">{date}</span>
          <strong>{formatMeasured(groups.find(({ group }) => group.startsWith(date))?.value, measure)}</strong>
        </button>
      ))}
    </div>
  );
}

interface AnswerProps {
  readonly value: GroupValue | undefined;
  readonly day: string;
  readonly measure: Measure;
}

function Answer({ value, day, measure }: AnswerProps) {
  if (!value?.explanation)
    return (
      <Empty title={`No ${measure.label.toLowerCase()} on ${day}`}>
        No source has sent any for this day. Look at the connections, or choose another day.
      </Empty>
    );
  return (
    <Section title={`${measure.label} on ${day}: ${formatMeasured(value.value, measure)}`}>
      <p>{shortenSources(value.explanation.in_words, value.explanation)}</p>
      <Evidence explanation={value.explanation} day={day} measure={measure} />
    </Section>
  );
}
