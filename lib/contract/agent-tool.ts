/** How the answer of a tool becomes shorter than its bound. */
export type Shortening =
  /** Leaves out the last items of the named list. */
  | { readonly kind: "list"; readonly of: string }
  /** Leaves out the last rows of each result table of a query. */
  | { readonly kind: "rows" }
  /** Summarizes the samples of each source by intervals of time. */
  | { readonly kind: "samples" }
  /** Nothing can be left out: an answer above the bound becomes an error that says how to ask for less. */
  | { readonly kind: "whole" };

/** The mark that makes a read route a tool of agents (Model Context Protocol, "Tools"). */
export interface AgentTool {
  /** Name of the tool in snake_case: a verb and what it reads. */
  readonly name: string;
  /** What a model reads about the tool, one sentence per entry: what it returns, its units and limits. Never data. */
  readonly description: readonly string[];
  /**
   * Whose data a call reads: that of the user in `user_id`, of the user who owns the object that it names, or of the
   * whole team. An access token of one user has no tools of the team.
   */
  readonly reach: "user" | "object" | "team";
  readonly shortening: Shortening;
  /** One sentence: how to ask for what an answer left out. */
  readonly rest: string;
}

/** Path of the endpoint for agents. */
export const AGENT_PATH = "/mcp";

/** Maximum size of the body of an answer to an agent, bytes. */
export const MAX_AGENT_ANSWER_BYTES = 65_536;
