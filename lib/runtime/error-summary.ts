/** What may be said of an error: never its message, which may repeat input. */
export interface ErrorSummary {
  /** Its name, or the type of what was thrown in place of an error. */
  readonly error: string;
  /** The first frames of its stack. */
  readonly stack?: string;
}

const MOST_FRAMES = 8;
/** A class of an error, or a code of a service. */
const NAME = /^[A-Za-z][\w.]{0,79}$/;
/** A frame as V8 writes it: what is called, then a file or a module of Node with line and column. */
const FRAME = /^ {4}at (?:[\w$.<>#[\] ]+ \()?(?:file:\/\/|node:|\/)[^\s()]+:\d+:\d+\)?$/;

/**
 * Summarizes whatever was thrown, for logs and for those who call a function. A message may contain lines that look like
 * frames. So frames count only behind the end of the message, and none where the stack does not show where that is.
 */
export function errorSummary(error: unknown): ErrorSummary {
  if (!(error instanceof Error)) return { error: typeof error };
  try {
    const name = NAME.test(error.name) ? error.name : "Error";
    const frames = linesAfterMessage(error).filter((line) => FRAME.test(line));
    return { error: name, stack: frames.slice(0, MOST_FRAMES).join("\n") };
  } catch {
    return { error: "Error" };
  }
}

/** The message as it was when the error was made stands in the first line of its stack, behind the class or alone. */
function linesAfterMessage({ message, stack = "" }: Error): string[] {
  const start = stack.indexOf(message);
  const isInFirstLine = start >= 0 && !stack.slice(0, start).includes("\n");
  if (!isInFirstLine) return [];
  const [, ...lines] = stack.slice(start + message.length).split("\n");
  return lines;
}
