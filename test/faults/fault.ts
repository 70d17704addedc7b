/** A mistake to plant in the code, to check that the tests notice it. */
export interface Fault {
  /** What would go wrong for users. */
  readonly breaks: string
  readonly file: string
  /** A piece of the file that occurs in it exactly once, and its replacement. */
  readonly from: string
  readonly to: string
  /** The tests nearest to the code: files or folders, as arguments of `npm test`. */
  readonly tests: readonly string[]
}
