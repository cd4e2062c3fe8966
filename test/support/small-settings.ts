/**
 * Settings of a deployment that stores no earlier versions, and whose work rate is low: budgets end within a test, since
 * the burst of a team is 12,000 units and that of a phone 1,200. Tests share it, because each set of settings is a
 * synthesis of its own.
 */
export const smallSettings = { asOfDays: 0, workPerSecond: 20 };
