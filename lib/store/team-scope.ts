/**
 * The right to access the data of one team. Every key of team-owned data contains the team's id, and stores take the id
 * only from a `TeamScope`. A request therefore reaches no item of another team, whatever ids it contains.
 */
export class TeamScope {
  readonly teamId: string;

  private constructor(teamId: string) {
    this.teamId = teamId;
  }

  /**
   * Grants access. Only authentication calls this method, and consumers for the team in a message that the service
   * wrote itself.
   */
  static grant(teamId: string): TeamScope {
    return new TeamScope(teamId);
  }
}
