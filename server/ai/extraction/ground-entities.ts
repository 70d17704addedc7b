import { plainText, type Quotable, shownPiece } from '../grounding/quotes.ts'
import type { DropCounter } from './dropped.ts'
import { type Answer, CONFIDENCES, EXTRACTED_TYPES } from './question.ts'
import type { FieldOffsets, SourceText } from './source-text.ts'
import type { Support, SupportedAttack } from './supported-attacks.ts'

export interface ExtractedObservable {
  readonly type: string
  readonly value: string
}

/** An entity that the text names. */
export interface GroundedEntity {
  readonly type: string
  readonly title: string
  readonly aliases: readonly string[]
  readonly quote: string
  readonly offsets: FieldOffsets
  readonly confidence: (typeof CONFIDENCES)[number]
  readonly attacks: readonly SupportedAttack[]
  readonly observables: readonly ExtractedObservable[]
}

/** A piece of the text that the model was asked about. */
export interface Piece {
  readonly text: string
  /** Where it begins in the whole text. */
  readonly from: number
  readonly quotable: Quotable
  /** In the order in which they were listed to the model. */
  readonly observables: readonly ExtractedObservable[]
}

interface Ground {
  readonly source: SourceText
  readonly mark: string
  readonly drops: DropCounter
  attacksOf(said: readonly string[], support: Support): readonly SupportedAttack[]
}

const MOST = { entities: 200, aliases: 20, attacks: 30, title: 300, quote: 1_000 }

/** The entities of an answer that the text proves. The others are counted with the reason. */
export function groundEntities(ground: Ground, piece: Piece, { entities }: Answer): GroundedEntity[] {
  if (entities.length > MOST.entities) ground.drops.drop('too many', entities.length - MOST.entities)
  return entities.slice(0, MOST.entities).flatMap((said) => grounded(ground, piece, said) ?? [])
}

function grounded(
  { source, mark, drops, attacksOf }: Ground,
  piece: Piece,
  said: Answer['entities'][number],
): GroundedEntity | undefined {
  const { drop } = drops
  const type = said.type.trim().toLowerCase().replaceAll(/[ _]/g, '-')
  if (!(EXTRACTED_TYPES as readonly string[]).includes(type)) return drop('unknown type')
  const quoted = said.quote.replaceAll(mark, ' ')
  const place = quoted.length <= MOST.quote ? piece.quotable.find(quoted) : undefined
  const offsets = place && source.offsetsOf(piece.from + place.start, piece.from + place.end)
  if (!place || !offsets) return drop('quote not in text')
  // Names are shown as the text spells them: what the model adds to them is not proved.
  const spellings = [said.title, ...said.aliases.slice(0, MOST.aliases)].flatMap((name) => spelled(piece, name) ?? [])
  const [title, ...aliases] = [...new Map(spellings.map((name) => [plainText(name), name])).values()]
  if (title === undefined) return drop('title not in text')
  const proof = piece.text.slice(place.start, place.end)
  const support: Support = {
    piece: piece.quotable,
    from: piece.from,
    to: piece.from + piece.text.length,
    quote: { start: piece.from + place.start, end: piece.from + place.end, text: proof },
  }
  if (said.attacks.length > MOST.attacks) drop('too many', said.attacks.length - MOST.attacks)
  return {
    type,
    title,
    aliases,
    quote: shownPiece(proof),
    offsets,
    confidence: CONFIDENCES.find((each) => each === said.confidence.trim().toLowerCase()) ?? 'low',
    attacks: attacksOf(said.attacks.slice(0, MOST.attacks), support),
    observables: numbered(piece, said.observables, drops),
  }
}

function spelled({ text, quotable }: Piece, name: string): string | undefined {
  if (name.length > MOST.title) return undefined
  const place = quotable.find(name)
  return place && shownPiece(text.includes(name.trim()) ? name : text.slice(place.start, place.end))
}

function numbered(piece: Piece, numbers: readonly number[], { drop }: DropCounter): ExtractedObservable[] {
  return [...new Set(numbers)].flatMap((number) => {
    const found = piece.observables[number - 1] ?? drop('unknown observable')
    return found ? [{ type: found.type, value: found.value }] : []
  })
}

/** Puts the same entities of several pieces together. What was said first about one is kept. */
export function mergedEntities<E extends GroundedEntity>(entities: readonly E[], keyOf: (entity: E) => string): E[] {
  const merged = new Map<string, E>()
  for (const entity of entities) {
    const key = keyOf(entity)
    const known = merged.get(key)
    merged.set(key, known ? joined(known, entity) : entity)
  }
  return [...merged.values()]
}

const joined = <E extends GroundedEntity>(one: E, other: E): E => ({
  ...one,
  aliases: unique(
    [...one.aliases, ...(plainText(other.title) === plainText(one.title) ? [] : [other.title]), ...other.aliases],
    plainText,
  ),
  confidence:
    CONFIDENCES.indexOf(other.confidence) > CONFIDENCES.indexOf(one.confidence) ? other.confidence : one.confidence,
  attacks: unique([...one.attacks, ...other.attacks], ({ technique }) => technique),
  observables: unique([...one.observables, ...other.observables], ({ type, value }) => `${type} ${value}`),
})

const unique = <T>(items: readonly T[], keyOf: (item: T) => string): T[] =>
  [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed()
