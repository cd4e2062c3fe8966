import type { Completion } from "./list-completions.ts";
import { commandPattern, pathText, quote, valueCases } from "./shell-cases.ts";

/** Writes the completion script of bash 3.2 and later. Where no word fits, bash completes file names. */
export function bashCompletion(completions: readonly Completion[]): string {
  const values = valueCases(completions).map(
    ({ pattern, choices }) => `    ${pattern}) words=${quote(choices.join(" "))} ;;`,
  );
  const cases = completions.map(({ path, words, options }) => {
    const all = [...words, ...options].map(({ word }) => word);
    return `      ${quote(pathText(path))}) words=${quote(all.join(" "))} ;;`;
  });
  return `_tributary() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command_path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command_path $word" in
      ${commandPattern(completions)}) command_path="$command_path $word" ;;
    esac
  done
  case "$command_path $previous" in
${values.join("\n")}
  esac
  if [ -z "$words" ]; then
    case "$command_path" in
${cases.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tributary tributary
`;
}
