/** The automation that caused a write, if neither a user nor a feed did. The change log keeps it. */
export interface Cause {
  /** The kind of automation, for example a rule. */
  readonly kind: string
  /** The id of the rule or the like. */
  readonly id: string
  /** 1 for a reaction to a user or a feed, 2 for a reaction to that, and so on. Loops are stopped by their depth. */
  readonly depth: number
}

/** The cause of writes in reaction to changes, one level deeper than the deepest of their causes. */
export const causedBy = (kind: string, id: string | number, by: readonly (Cause | null | undefined)[]): Cause => ({
  kind,
  id: String(id),
  depth: 1 + Math.max(0, ...by.map((cause) => cause?.depth ?? 0)),
})
