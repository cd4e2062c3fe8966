import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { startStory } from "../../local/service/story/story-fixture.ts";
import { receiverStatus, runWholeStory } from "../../local/service/story/whole-story.ts";
import { type DeclaredFormats, readDeclaredFormats } from "./declared-formats.ts";
import { FormatRecorder, type RecordedFormats } from "./format-recorder.ts";

/** The formats of a version: what it declares, and what its run of the whole story wrote. */
export interface VersionFormats {
  readonly declared: DeclaredFormats;
  readonly recorded: RecordedFormats;
}

/** Runs the whole story. @returns what functions received and wrote. */
export async function recordStory(): Promise<RecordedFormats> {
  const world = await startStory(receiverStatus);
  try {
    const recorder = new FormatRecorder(world.service.cloud);
    await runWholeStory(world);
    return recorder.stop();
  } finally {
    await world.stop();
  }
}

/** Writes the formats of the version whose code this is. */
export async function recordFormats(file: string): Promise<void> {
  const formats: VersionFormats = { declared: readDeclaredFormats(), recorded: await recordStory() };
  writeFileSync(file, gzipSync(JSON.stringify(formats), { level: 9 }));
}
