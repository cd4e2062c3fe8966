/**
 * The right to touch the data of one team. Every key of team-owned data contains the team's id, and stores take it only
 * from here, so a request can reach no other team's items whatever ids it carries.
 */
export class TeamScope {
  readonly teamId: string;

  private constructor(teamId: string) {
    this.teamId = teamId;
  }

  /** Called by authentication, and by consumers for the team named in a message the service wrote itself; nowhere else. */
  static grant(teamId: string): TeamScope {
    return new TeamScope(teamId);
  }
}
