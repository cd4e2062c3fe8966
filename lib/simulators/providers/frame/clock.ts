/** The time that simulators live in: that of the local cloud, or the real one. */
export interface SimulatorClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Plans a task for an instant. */
  at(dueAt: number, task: () => void | Promise<void>): unknown;
}
