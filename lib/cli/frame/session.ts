import { styleText } from "node:util";
import { Progress, type ProgressOptions } from "../progress.ts";

/** A style of the terminal, which a pipe and NO_COLOR turn off. */
export type Style = Parameters<typeof styleText>[0];

/** The output of a command: text for people, or JSON. */
export class Session {
  readonly isJson: boolean;

  constructor({ isJson }: { readonly isJson: boolean }) {
    this.isJson = isJson;
  }

  /** Prints a line for people. `--json` leaves it out. */
  print(line: string): void {
    if (!this.isJson) process.stdout.write(`${line}\n`);
  }

  /** Prints a value as one line of JSON, for commands that print many. */
  printJsonLine(value: unknown): void {
    process.stdout.write(`${JSON.stringify(value)}\n`);
  }

  /** Prints a note on the standard error, so that it is no part of the result. */
  note(line: string): void {
    process.stderr.write(`${line}\n`);
  }

  /** Styles a text of the standard output. */
  style(style: Style, text: string): string {
    return styleText(style, text, { stream: process.stdout });
  }

  /** Starts a progress display on the standard error. */
  progress(options: ProgressOptions): Progress {
    return new Progress(options);
  }
}
