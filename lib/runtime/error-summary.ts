/** The loggable part of an error: never its message, which may repeat input. */
export interface ErrorSummary {
  /** The error's name, or the type of a thrown value that is no Error. */
  readonly error: string;
  /** The first frames of the stack. */
  readonly stack?: string;
}

const MAX_FRAMES = 8;
/** An error class, or an error code of a service. */
const NAME = /^[A-Za-z][\w.]{0,79}$/;
/** A stack frame in V8's format: the function, then a file or Node module with line and column. */
const FRAME = /^ {4}at (?:[\w$.<>#[\] ]+ \()?(?:file:\/\/|node:|\/)[^\s()]+:\d+:\d+\)?$/;

/**
 * Summarizes a thrown value for logs and callers. A message may contain lines that look like frames, so only frames
 * after the end of the message count. If the stack does not show that end, the summary has no frames.
 */
export function errorSummary(error: unknown): ErrorSummary {
  if (!(error instanceof Error)) return { error: typeof error };
  try {
    const name = NAME.test(error.name) ? error.name : "Error";
    const frames = linesAfterMessage(error).filter((line) => FRAME.test(line));
    return { error: name, stack: frames.slice(0, MAX_FRAMES).join("\n") };
  } catch {
    return { error: "Error" };
  }
}

/** Returns the stack lines after the message. V8 writes the original message into the first line of the stack. */
function linesAfterMessage({ message, stack = "" }: Error): string[] {
  const start = stack.indexOf(message);
  const isInFirstLine = start >= 0 && !stack.slice(0, start).includes("\n");
  if (!isInFirstLine) return [];
  const [, ...lines] = stack.slice(start + message.length).split("\n");
  return lines;
}
