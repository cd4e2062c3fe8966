import type { SummaryName } from "../../../lib/domain/summaries/summary-names.ts";

const session = { session_start: "2026-01-02T23:30:00+01:00", session_end: "2026-01-03T07:00:00+01:00" };
const noStages = { stage_start_offset_second: [], stage_end_offset_second: [], stage_type: [] };

/** The required fields of each summary kind. */
export const minimalSummaries: Readonly<Record<SummaryName, object>> = {
  activity: { calendar_date: "2026-01-02" },
  body: { calendar_date: "2026-01-02" },
  profile: {},
  sleep: { bedtime_start: session.session_start, bedtime_stop: session.session_end },
  workouts: { provider_id: "w1", time_start: session.session_start, time_end: session.session_end },
  meal: { timestamp: session.session_start, name: "Breakfast" },
  menstrual_cycle: { period_start: "2026-01-02" },
  electrocardiogram: { ...session, voltage_sample_count: 15_360 },
  sleep_cycle: { ...session, ...noStages },
  devices: { device_id: "watch-1" },
};
