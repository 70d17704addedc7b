import { createHash } from 'node:crypto'
import { splitText } from '../prompting/split.ts'

/** The types of entities whose texts are looked through. Indicators describe themselves by their observables. */
export const READ_TYPES = [
  'attack-pattern',
  'campaign',
  'incident',
  'intrusion-set',
  'malware',
  'note',
  'report',
  'threat-actor',
  'tool',
  'ttp',
] as const

const PIECE_LENGTH = 800
const HEADING_LENGTH = 300

/** What passages are made of. */
export interface Texts {
  readonly id: string
  readonly vis: number
  readonly title: string | null
  readonly names: readonly string[]
  readonly short_description: string | null
  readonly description: string | null
}

/** A passage as it is stored. */
export interface Piece {
  readonly entity: string
  readonly part: number
  readonly vis: number
  readonly heading: string
  readonly text: string
  readonly hash: Buffer
}

/** Cuts the texts of an entity into pieces. An entity without a description has one, for its title. */
export function piecesOf({ id, vis, title, names, short_description, description }: Texts): Piece[] {
  const others = [...new Set(names)].filter((name) => name !== title)
  const heading = [title ?? '', others.join(', ')]
    .filter((part) => part !== '')
    .join(' – ')
    .slice(0, HEADING_LENGTH)
  const whole = [short_description, description].filter((text) => text?.trim()).join('\n\n')
  const texts = splitText(whole, PIECE_LENGTH).map((text) => text.trim())
  return texts.map((text, part) => ({ entity: id, part, vis, heading, text, hash: hashOf(heading, text) }))
}

const hashOf = (heading: string, text: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([heading, text]))
    .digest()
    .subarray(0, 16)
