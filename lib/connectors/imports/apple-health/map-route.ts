import { SaxesParser } from "saxes";
import type { MappingOutcome, RecordSource } from "../mapping-outcome.ts";
import { DamagedFile } from "../reading/input-error.ts";

/** The workout of a route. */
export interface RoutedWorkout {
  readonly provider_id: string;
  readonly source: RecordSource;
}

/** A point of a track (GPX 1.1), with the speed that the Health app adds. */
interface TrackPoint {
  readonly lat: number;
  readonly lng: number;
  /** Unix time, seconds. */
  time: number;
  altitude: number | null;
  velocity_smooth: number | null;
}

const COLUMNS = ["lat", "lng", "altitude", "velocity_smooth"] as const;

/** Maps a route (GPX 1.1) to the stream of its workout. @throws DamagedFile if the GPX file is malformed or truncated. */
export async function mapRoute(bytes: AsyncIterable<Uint8Array>, workout: RoutedWorkout): Promise<MappingOutcome> {
  const points = (await readPoints(bytes)).filter(({ time }) => Number.isFinite(time)).sort((a, b) => a.time - b.time);
  if (points.length === 0) return { leftOut: "route without points" };
  const lists = COLUMNS.map((name) => {
    const values = points.map((point) => (Number.isFinite(point[name]) ? point[name] : null));
    return [name, values.every((value) => value === null) ? [] : values] as const;
  });
  const { provider_id, source } = workout;
  const content = { provider_id, time: points.map(({ time }) => time), ...Object.fromEntries(lists) };
  return { send: { resource: "workout_stream", source, key: provider_id, content } };
}

async function readPoints(bytes: AsyncIterable<Uint8Array>): Promise<TrackPoint[]> {
  const points: TrackPoint[] = [];
  const parser = new SaxesParser();
  let text = "";
  parser.on("opentag", ({ name, attributes: { lat, lon } }) => {
    text = "";
    if (name === "trkpt")
      points.push({ lat: Number(lat), lng: Number(lon), time: Number.NaN, altitude: null, velocity_smooth: null });
  });
  parser.on("text", (part) => {
    text += part;
  });
  parser.on("closetag", ({ name }) => {
    const point = points.at(-1);
    if (!point) return;
    if (name === "ele") point.altitude = Number(text);
    if (name === "speed") point.velocity_smooth = Number(text);
    if (name === "time") point.time = Math.floor(Date.parse(text) / 1000);
  });
  parser.on("error", () => {
    throw new DamagedFile("The GPX file is damaged or incomplete.");
  });
  const decoder = new TextDecoder();
  for await (const part of bytes) parser.write(decoder.decode(part, { stream: true }));
  parser.close();
  return points;
}
