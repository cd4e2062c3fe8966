import { setTimeout as pause } from "node:timers/promises";

const PAUSE_MS = 500;
/** A cold start of every function on the way, on a slow machine. */
const PATIENCE_MS = 120_000;

/** The steps of a run: one line each, and their number by outcome. */
export class Steps {
  #passed = 0;
  #failed = 0;

  /** Runs one step and prints its outcome. @throws the error of the step, so that steps which build on it do not run. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const startMs = performance.now();
    const seconds = () => `${((performance.now() - startMs) / 1000).toFixed(1).padStart(5)} s`;
    try {
      const result = await work();
      this.#passed++;
      console.log(`ok     ${seconds()}  ${name}`);
      return result;
    } catch (error) {
      this.#failed++;
      console.log(`failed ${seconds()}  ${name}: ${error instanceof Error ? error.message : error}`);
      throw error;
    }
  }

  /** Runs steps that build on each other. The first failure ends them and nothing else. @returns whether all passed. */
  async chapter(work: () => Promise<unknown>): Promise<boolean> {
    const before = this.#failed;
    try {
      await work();
      return true;
    } catch (error) {
      // An error between two steps is a failure, too.
      if (this.#failed === before) {
        this.#failed++;
        console.log(`failed  ${error instanceof Error ? error.stack : error}`);
      }
      return false;
    }
  }

  /** Prints the result as the last line. @returns the exit code. */
  end(): number {
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    return this.#failed === 0 ? 0 : 1;
  }
}

/** Asks until the answer is not undefined. @throws when that takes longer than two minutes. */
export async function until<T>(what: string, ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  while (performance.now() < endMs) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await pause(PAUSE_MS);
  }
  throw new Error(`waited in vain: ${what}`);
}
