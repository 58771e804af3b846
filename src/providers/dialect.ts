/** How a provider writes a call that a model proposes, and the response that it comes in. */
export interface CallDialect {
  /** Value of the call's member `type`. */
  readonly type: string;
  /** The member that has the call's id. */
  readonly idMember: string;
  /** The member that has what the model proposes as arguments. */
  readonly argumentsMember: string;
  /** The member of the response that says how it ended. */
  readonly endMember: string;
  /** What that member says of a response of which nothing was cut. */
  readonly ends: readonly string[];
  /** The member by which a call says of itself whether it is `completed`, if it says so; null where there is none. */
  readonly ownEndMember: string | null;
}
