import * as z from "zod";
import { type Command, declareCommand } from "../frame/declaration.ts";
import { argument } from "../frame/values.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** Declares the command that prints completion scripts. @param listCommands all commands, this one included. */
export const createCompletion = (listCommands: () => readonly Command[]): Command =>
  declareCommand({
    name: "completion",
    summary: "Prints the completion script of a shell",
    description: ["It completes commands, options, and values with choices."],
    args: { shell: argument("<shell>", "shell", z.enum(shells)) },
    examples: [
      ["completion bash >> ~/.bashrc", "in new shells of bash"],
      ["completion zsh >> ~/.zshrc", "in new shells of zsh, after compinit"],
      ["completion fish > ~/.config/fish/completions/tributary.fish", "in new shells of fish"],
    ],
    run: async ({ shell }) => {
      const { bashCompletion } = await import("../completion/bash-completion.ts");
      const { fishCompletion } = await import("../completion/fish-completion.ts");
      const { listCompletions } = await import("../completion/list-completions.ts");
      const { zshCompletion } = await import("../completion/zsh-completion.ts");
      const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
      process.stdout.write(writers[shell](listCompletions(listCommands())));
      return undefined;
    },
  });
