import { AsyncLocalStorage } from "node:async_hooks";

/** One run of a function. Once it is dead, all its further requests fail, and so do the answers on their way. */
interface Life {
  isDead: boolean;
}

/** Kills functions between their requests. */
export class Mortality {
  readonly #lives = new AsyncLocalStorage<Life>();
  readonly #current = new Map<string, Life>();

  /** Runs a function. @returns whether it came to its end alive, with success. */
  async live(name: string, run: () => Promise<boolean>): Promise<boolean> {
    const life: Life = { isDead: false };
    this.#current.set(name, life);
    const isDone = await this.#lives.run(life, run);
    return isDone && !life.isDead;
  }

  /** Kills the running function of this name. */
  kill(name: string): void {
    const life = this.#current.get(name);
    if (life) life.isDead = true;
  }

  /** Passes a request of a function. Requests of the test itself always pass. */
  async pass<T>(request: () => Promise<T>): Promise<T> {
    const life = this.#lives.getStore();
    if (life?.isDead) throw gone();
    const answer = await request();
    if (life?.isDead) throw gone();
    return answer;
  }
}

const gone = () => Object.assign(new Error("the function is dead"), { code: "ECONNRESET" });
