import { isRecord } from '../../domain/record.ts'
import type { FoundEntity, KeptObject } from '../finding.ts'
import { uuidOf } from './ids.ts'
import { gather, type Keeping, namedWith } from './kept.ts'
import { type Colour, colourOfObject } from './markings.ts'
import { pagedWords } from './paged-numbers.ts'
import { isSameJson } from './stix-object.ts'
import { titleOf } from './title.ts'
import { othersHadTheirTurn } from './turn.ts'

/** How many objects without an entity of their own one entity holds. */
const PART = 1000

/** An entity for objects without one, and which of their values make no observables. */
interface Container {
  readonly entity: FoundEntity
  readonly losses: readonly string[]
}

/** How many ids are looked at before others have their turn. */
const TURN = 2000

/** What ids begin with that are sorted together: their type, and as many digits as make some thousand groups of each. */
const DIGITS_LEFT = 36 - 3

/**
 * Entities for the objects of a document that belong to none, apart by their colours. What they are called and their ids come from
 * what they hold, so that the same objects out of another document, such as our own export, are the same entities. Tells how much of
 * them is done.
 */
export async function* containersOf(keeping: Keeping, tell: (done: number) => void): AsyncGenerator<Container> {
  const waiting = new Map<Colour | undefined, string[]>()
  for await (const { ids, done } of looseIds(keeping)) {
    for (const id of ids) {
      const colour = colourOfObject(keeping.lookup(id) ?? {}, keeping.lookup)
      const part = waiting.get(colour) ?? []
      waiting.set(colour, part)
      part.push(id)
      if (part.length === PART) {
        waiting.delete(colour)
        yield* containerFor(keeping, part, colour)
        await othersHadTheirTurn()
      }
    }
    tell(done)
  }
  for (const [colour, ids] of waiting) yield* containerFor(keeping, ids, colour)
}

function* containerFor(keeping: Keeping, ids: readonly string[], colour: Colour | undefined): Generator<Container> {
  const kept = gather(keeping, ids, colour)
  if (kept.length === 0) return
  const { entity, losses } = containerOf(kept)
  yield { entity: { ...entity, ...(colour && { meta: { tlp_color: colour } }) }, losses }
}

/** The ids of what no entity holds, in their order, some at a time. There may be millions: each group is sorted by itself. */
async function* looseIds({ survey, held }: Keeping): AsyncGenerator<{ ids: string[]; done: number }> {
  const { supports, ours } = survey
  const { index } = supports
  /** The last of each group, and for each one the one before it; both are counted from 1. */
  const groups = new Map<string, number>()
  const before = pagedWords()
  for (let at = 0; at < index.size; at++) {
    if (at % TURN === 0) await othersHadTheirTurn()
    if (!supports.hasAt(at) || held.hasAt(at)) continue
    const id = index.idAt(at)
    if (ours.has(id)) continue
    const start = id.slice(0, -DIGITS_LEFT)
    before.set(at, groups.get(start) ?? 0)
    groups.set(start, at + 1)
  }
  const starts = [...groups.keys()].sort()
  for (const [i, start] of starts.entries()) {
    const ids: string[] = []
    for (let next = groups.get(start) ?? 0; next > 0; next = before.get(next - 1)) ids.push(index.idAt(next - 1))
    yield { ids: ids.sort(), done: (i + 1) / starts.length }
  }
}

/** Whether the data of an entity are those of one that holds what belongs to nobody. */
export const isContainer = (data: Readonly<Record<string, unknown>>): boolean =>
  isRecord(data.stix) && data.stix.container === true

/** Whether such an entity is still what would be made of the objects that it holds. */
export const isMadeOf = (data: Readonly<Record<string, unknown>>, kept: readonly KeptObject[]): boolean =>
  isSameJson(data, containerOf(kept).entity.data)

function containerOf(kept: readonly KeptObject[]): Container {
  const ids = kept.map(({ id }) => id).sort()
  const first = kept.find(({ id }) => id === ids[0])?.object ?? {}
  const title = `${titleOf(first)}${ids.length > 1 ? ` and ${ids.length - 1} more` : ''}`
  const { observables, losses } = namedWith({}, kept)
  const data = {
    type: 'report',
    id: `report--${uuidOf('container', ...ids)}`,
    title,
    confidence: 'unknown',
    description: 'Objects of a STIX document that belong to no other entity.',
    stix: { container: true },
  }
  return { entity: { data, observables, kept }, losses }
}
