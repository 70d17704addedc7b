import type { FoundEntity, KeptObject } from '../finding.ts'
import { uuidOf } from './ids.ts'
import { gather, type Keeping, namedWith } from './kept.ts'
import { colourOfObject } from './markings.ts'
import { isRecord, isSameJson } from './stix-object.ts'
import { titleOf } from './title.ts'

/** How many objects without an entity of their own one entity holds. */
const PART = 1000

/** An entity for objects without one, and which of their values make no observables. */
interface Container {
  readonly entity: FoundEntity
  readonly losses: readonly string[]
}

/**
 * Entities for the objects of a document that belong to none, apart by their colours. What they are called and their ids come from
 * what they hold, so that the same objects out of another document, such as our own export, are the same entities.
 */
export function* containersOf(keeping: Keeping): Generator<Container> {
  const { survey, held, lookup } = keeping
  const loose = [...survey.supports.keys()].filter((id) => !held.has(id) && !survey.ours.has(id)).sort()
  const byColour = Map.groupBy(loose, (id) => colourOfObject(lookup(id) ?? {}, lookup))
  for (const [colour, ids] of byColour) {
    for (let from = 0; from < ids.length; from += PART) {
      const kept = gather(keeping, ids.slice(from, from + PART), colour)
      if (kept.length === 0) continue
      const { entity, losses } = containerOf(kept)
      yield { entity: { ...entity, ...(colour && { meta: { tlp_color: colour } }) }, losses }
    }
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
