/** A mistake that a change of the code could make, to see whether the tests notice it. */
export interface Fault {
  /** What would go wrong for users. */
  readonly breaks: string
  readonly file: string
  /** A piece of the file that occurs in it exactly once, and what stands there instead. */
  readonly from: string
  readonly to: string
  /** The tests nearest to the code, as `npm test` takes them. */
  readonly tests: readonly string[]
}
