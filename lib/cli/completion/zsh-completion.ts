import type { Completion, CompletionWord } from "./list-completions.ts";
import { commandPattern, pathText, quote, valueCases } from "./shell-cases.ts";

/** Writes the completion script of zsh. Where no word fits, zsh completes file names. */
export function zshCompletion(completions: readonly Completion[]): string {
  const describe = ({ word, help }: CompletionWord) => quote(`${word}:${help}`);
  const values = valueCases(completions).map(
    ({ pattern, choices }) => `    (${pattern}) found=(${choices.map(quote).join(" ")}) ;;`,
  );
  const cases = completions.map(
    ({ path, words, options }) =>
      `      (${quote(pathText(path))}) found=(${[...words, ...options].map(describe).join(" ")}) ;;`,
  );
  return `#compdef tributary
_tributary() {
  local command_path='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command_path $word" in
      (${commandPattern(completions)}) command_path="$command_path $word" ;;
    esac
  done
  case "$command_path \${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  if (( ! \${#found} )); then
    case "$command_path" in
${cases.join("\n")}
    esac
  fi
  _describe tributary found || _files
}
compdef _tributary tributary
`;
}
