/** A FIT record message, limited to the fields of a workout stream. */
export interface FitRecord {
  readonly timestamp?: Date | string | number | undefined;
  readonly heart_rate?: number | undefined;
  readonly position_lat?: number | undefined;
  readonly position_long?: number | undefined;
  readonly altitude?: number | undefined;
  readonly enhanced_altitude?: number | undefined;
  readonly cadence?: number | undefined;
  readonly distance?: number | undefined;
  readonly speed?: number | undefined;
  readonly enhanced_speed?: number | undefined;
  readonly power?: number | undefined;
  readonly temperature?: number | undefined;
}

/** Stream columns and their FIT fields, in metres, m/s and °C. */
const columns: Readonly<Record<string, (record: FitRecord) => number | undefined>> = {
  heartrate: ({ heart_rate }) => heart_rate,
  lat: ({ position_lat }) => position_lat,
  lng: ({ position_long }) => position_long,
  altitude: ({ enhanced_altitude, altitude }) => enhanced_altitude ?? altitude,
  cadence: ({ cadence }) => cadence,
  distance: ({ distance }) => distance,
  velocity_smooth: ({ enhanced_speed, speed }) => enhanced_speed ?? speed,
  power: ({ power }) => power,
  temperature: ({ temperature }) => temperature,
};

/** Converts the record messages of a FIT file to a workout stream; undefined without any. */
export function toFitStream(messages: readonly FitRecord[]) {
  const records = messages
    .map((record) => ({ record, time: Math.floor(new Date(record.timestamp ?? Number.NaN).getTime() / 1000) }))
    .filter(({ time }) => Number.isFinite(time))
    .toSorted((a, b) => a.time - b.time);
  if (records.length === 0) return undefined;
  const lists = Object.entries(columns).map(([name, read]) => {
    const values = records.map(({ record }) => read(record) ?? null);
    return [name, values.every((value) => value === null) ? [] : values] as const;
  });
  return { time: records.map(({ time }) => time), ...Object.fromEntries(lists) };
}
