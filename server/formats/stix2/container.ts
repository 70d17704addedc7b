import { isRecord } from '../../domain/record.ts'
import type { FoundEntity, KeptObject } from '../finding.ts'
import { uuidOf } from './ids.ts'
import { gather, type Keeping, namedWith } from './kept.ts'
import { type Colour, colourOfObject } from './markings.ts'
import { pagedWords } from './paged-numbers.ts'
import { isSameJson } from './stix-object.ts'
import { titleOf } from './title.ts'
import { yieldToEventLoop } from './turn.ts'

/** Maximum number of unreferenced objects held by one container entity. */
const CONTAINER_SIZE = 1000

/** An entity that holds objects no other entity refers to, and the values among them that are not valid observables. */
interface Container {
  readonly entity: FoundEntity
  readonly losses: readonly string[]
}

/** Number of ids to process before yielding to other work. */
const IDS_PER_TURN = 2000

/**
 * Ids are grouped by type and leading digits before sorting. This many characters are cut off, which leaves a few thousand groups per type.
 */
const DIGITS_LEFT = 36 - 3

/**
 * Creates container entities for the objects of a document that no entity refers to, separated by TLP colour. Titles and ids derive from
 * the contents, so that the same objects in another document, such as our own export, give the same entities. Calls `report` with the
 * fraction completed.
 */
export async function* containersOf(keeping: Keeping, report: (done: number) => void): AsyncGenerator<Container> {
  const waiting = new Map<Colour | undefined, string[]>()
  for await (const { ids, done } of looseIds(keeping)) {
    for (const id of ids) {
      const colour = colourOfObject(keeping.lookup(id) ?? {}, keeping.lookup)
      const part = waiting.get(colour) ?? []
      waiting.set(colour, part)
      part.push(id)
      if (part.length === CONTAINER_SIZE) {
        waiting.delete(colour)
        yield* containerFor(keeping, part, colour)
        await yieldToEventLoop()
      }
    }
    report(done)
  }
  for (const [colour, ids] of waiting) yield* containerFor(keeping, ids, colour)
}

function* containerFor(keeping: Keeping, ids: readonly string[], colour: Colour | undefined): Generator<Container> {
  const kept = gather(keeping, ids, colour)
  if (kept.length === 0) return
  const { entity, losses } = containerOf(kept)
  yield { entity: { ...entity, ...(colour && { meta: { tlp_color: colour } }) }, losses }
}

/** Yields the ids of unreferenced objects in order, group by group. There may be millions, so each group is sorted separately. */
async function* looseIds({ survey, held }: Keeping): AsyncGenerator<{ ids: string[]; done: number }> {
  const { supports, ours } = survey
  const { index } = supports
  /** A linked list per group: the last member of each group, and for each member the previous one, both counted from 1. */
  const groups = new Map<string, number>()
  const before = pagedWords()
  for (let at = 0; at < index.size; at++) {
    if (at % IDS_PER_TURN === 0) await yieldToEventLoop()
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

/** Whether an entity is a container for unreferenced objects, judged by its data. */
export const isContainer = (data: Readonly<Record<string, unknown>>): boolean =>
  isRecord(data.stix) && data.stix.container === true

/** Whether a container entity still equals the one that would be created from its objects. */
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
