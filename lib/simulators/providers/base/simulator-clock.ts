/** The clock of simulators: the virtual clock of the local cloud, or the system clock. */
export interface SimulatorClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Schedules a task. @param dueAt epoch milliseconds. */
  at(dueAt: number, task: () => void | Promise<void>): unknown;
}
