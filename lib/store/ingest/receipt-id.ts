/** Characters of the time at the start of a receipt id, in base 36, which sorts as text. */
const TIME_CHARACTERS = 9;

/** Returns the text that sorts before all receipt ids of an instant (epoch ms) and after those of earlier ones. */
export const receiptTime = (epochMs: number): string => epochMs.toString(36).padStart(TIME_CHARACTERS, "0");

/** Creates a receipt id. It sorts by time; `random` (hex) makes ids of one millisecond unique. */
export const createReceiptId = (receivedAt: number, random: string): string => `${receiptTime(receivedAt)}${random}`;

/** Returns the instant in an id that begins like a receipt id, epoch ms. */
export const receiptInstant = (id: string): number => Number.parseInt(id.slice(0, TIME_CHARACTERS), 36);
