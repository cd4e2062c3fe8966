import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Starts drills first: files whose first line has a tag. Vitest starts long files first, and drills are short files that
 * run for minutes. At the end of a run, one of them would leave the other cores idle.
 */
export class DrillSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isDrill), ...sorted.filter((file) => !isDrill(file))];
  }
}

const isDrill = ({ moduleId }: TestSpecification): boolean =>
  readFileSync(moduleId, "utf8").startsWith("// @module-tag");
