/** What made a write happen, where no user or feed did directly. The log of changes keeps it. */
export interface Cause {
  /** What kind of automation, for example a rule. */
  readonly kind: string
  /** Which one of them. */
  readonly id: string
  /** 1 for a reaction to what a user or a feed did, 2 for a reaction to that, and so on: loops are stopped by their depth. */
  readonly depth: number
}

/** The cause of writes by which automation reacts to changes: one deeper than the deepest of their own causes. */
export const causedBy = (kind: string, id: string | number, by: readonly (Cause | null | undefined)[]): Cause => ({
  kind,
  id: String(id),
  depth: 1 + Math.max(0, ...by.map((cause) => cause?.depth ?? 0)),
})
