/** How much work the expressions of a definition may do for one look-up: about a tenth of a second. */
export const MAX_STEPS = 300_000

/** The expressions of a definition would take too long for this answer. */
export class BudgetExceeded extends Error {
  constructor() {
    super('The expressions take too many steps for this answer.')
  }
}

/** The steps that are left. Every item that an expression looks at, and every few characters that it copies, is a step. */
export class Budget {
  #left: number

  constructor(steps = MAX_STEPS) {
    this.#left = steps
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new BudgetExceeded()
  }

  /** Pays for a text that is read or made. */
  spendOnText(length: number): void {
    this.spend(1 + Math.ceil(length / 32))
  }

  /** Pays for looking for a text in another one, which may compare every character with every other. */
  spendOnSearch(length: number, wanted: number): void {
    this.spend(1 + Math.ceil((length * Math.max(1, wanted)) / 32))
  }
}
