/** A mistake to plant in the code, to check that the tests find it. */
export interface Fault {
  /** What would go wrong for users. */
  readonly breaks: string
  readonly file: string
  /** A piece of the file that occurs exactly once in it, and its replacement. */
  readonly from: string
  readonly to: string
  /** The tests nearest to the code: files or folders, as in `npm test`. */
  readonly tests: readonly string[]
}
