import type { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { Timeline } from "./timeline.ts";
import { countWorkouts, createWorkout, routeFileName } from "./workouts.ts";

const FOLDER = "apple_health_export";

/** The bytes of export.zip: the streamed export.xml and the small files that the Health app adds. */
export function archiveStream(exportXml: Readable, timeline: Timeline, seed: string): NodeJS.ReadableStream {
  const zip = new ZipFile();
  const mtime = new Date(timeline.exportMs);
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(text), `${FOLDER}/${path}`, { mtime });
  const { workout } = createWorkout(countWorkouts(timeline.days) - 1, timeline, seed);
  add(`workout-routes/${routeFileName(workout.end, timeline)}`, routeTrack(workout.start));
  zip.addReadStream(exportXml, `${FOLDER}/export.xml`, { mtime });
  add("export_cda.xml", clinicalDocument());
  const recorded = timeline.format(timeline.moment(timeline.days - 0.6));
  add(`electrocardiograms/ecg_${recorded.slice(0, 10)}.csv`, electrocardiogram(recorded));
  zip.end();
  return zip.outputStream;
}

/** A track of ten minutes northward through open sea, with a point every ten seconds (GPX 1.1). */
function routeTrack(startMs: number): string {
  const points = Array.from({ length: 60 }, (_, index) => {
    const time = new Date(startMs + index * 10_000).toISOString().replace(".000", "");
    const place = `lon="3.000000" lat="${(54 + index * 0.0003).toFixed(6)}"`;
    const extensions =
      "<extensions><speed>2.78</speed><course>0.0</course><hAcc>3.2</hAcc><vAcc>1.9</vAcc></extensions>";
    return `   <trkpt ${place}><ele>1.5</ele><time>${time}</time>${extensions}</trkpt>\n`;
  }).join("");
  const open = '<gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1">';
  return `<?xml version="1.0" encoding="UTF-8"?>\n${open}\n <trk>\n  <trkseg>\n${points}  </trkseg>\n </trk>\n</gpx>\n`;
}

/** The head of a clinical document. Readers of export.xml skip this file, so the head suffices. */
function clinicalDocument(): string {
  const document = '<ClinicalDocument xmlns="urn:hl7-org:v3">\n <title>Health Data Export</title>\n</ClinicalDocument>';
  return `<?xml version="1.0"?>\n${document}\n`;
}

/** Two seconds of a synthetic lead I at 512 Hz, below the header lines of the Health app. */
function electrocardiogram(recorded: string): string {
  const heading = [
    "Name,Test Person",
    'Date of Birth,"Jan 1, 1990"',
    `Recorded Date,${recorded}`,
    "Classification,Sinus Rhythm",
    "Symptoms,",
    "Software Version,1.90",
    'Device,"Watch6,1"',
    "Sample Rate,512 hertz",
    "",
    "Lead,Lead I",
    "Unit,µV",
    "",
  ];
  const volts = Array.from({ length: 1024 }, (_, index) => (90 * Math.sin((index * 2 * Math.PI) / 512)).toFixed(3));
  return `${[...heading, ...volts].join("\n")}\n`;
}
