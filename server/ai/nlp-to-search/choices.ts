import { TLP, TLP_ORDER, tlpOf } from '../../domain/tlp.ts'

/** The fixed values of a field. */
export interface Choices {
  readonly values: readonly string[]
  /** Whether the values are in an order, so that "at least" means something. */
  readonly isOrdered: boolean
  /** The value that a word means; undefined if there is none. */
  read(word: string): string | undefined
}

/** How a word and a value are compared: people write "Threat Actors" for `threat-actor`. */
const plain = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')

export function choicesOf(values: readonly string[], isOrdered = false): Choices {
  const known = new Map(values.map((value) => [plain(value), value]))
  return {
    values,
    isOrdered,
    read: (word) => {
      const wanted = plain(word)
      return (
        known.get(wanted) ??
        singularsOf(wanted)
          .map((each) => known.get(each))
          .find((each) => each !== undefined)
      )
    },
  }
}

function singularsOf(word: string): readonly string[] {
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`]
  return word.endsWith('s') ? [word.slice(0, -1), ...(word.endsWith('es') ? [word.slice(0, -2)] : [])] : []
}

/** The colours of the Traffic Light Protocol, also with their prefix and as of TLP 2. */
export function colourChoices(strictDowngrade: 'RED' | 'AMBER'): Choices {
  return {
    values: TLP,
    isOrdered: true,
    read: (word) => {
      const name = word
        .trim()
        .toUpperCase()
        .replace(/^TLP[:\s_-]*/, '')
        .replace(/[+\s-]{1,3}(?=STRICT$)/, '_')
      const known = TLP_ORDER.find((each) => each === name)
      return known && tlpOf(known, strictDowngrade)
    },
  }
}

const YES = new Set(['true', 'yes', '1'])
const NO = new Set(['false', 'no', '0'])

export const flagChoices: Choices = {
  values: ['true', 'false'],
  isOrdered: false,
  read: (word) => {
    const wanted = word.trim().toLowerCase()
    return YES.has(wanted) ? 'true' : NO.has(wanted) ? 'false' : undefined
  },
}
