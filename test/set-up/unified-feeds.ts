import { outgoingFeed } from '../../server/feeds/publishing/outgoing-feed.ts'
import { blocksOf, corvus, type Item, jobOf, make } from '../publishing/set-up.ts'
import { unifying } from './exported-unified.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read documents of every shape
export type Json = Record<string, any>

const { makeGroup, entity, join, relate } = unifying(corvus)

/** The group of unified entities, and two groups whose entities they unify. */
export const home = await makeGroup('Home')
export const north = await makeGroup('North')
export const south = await makeGroup('South')

let count = 0
/** Two entities of different sources that are not yet unified, one that they are related to, and a dataset with these three. */
export async function makeGroupOfTwo(more: Item = {}) {
  const name = `Set ${++count}`
  const one = await entity(north, 'malware', `${name} one`, more)
  const two = await entity(south, 'malware', `${name} two`, more)
  const tool = await entity(north, 'tool', `${name} tool`, more)
  await relate(one, 'uses', tool, north)
  await relate(two, 'uses', tool, south)
  const entities = [one, two, tool].map(({ id }) => id)
  const dataset: number = (await make('datasets', { name, workspaces: [1], entities })).id
  const unify = async (colour = 'GREEN') => {
    const unified = await entity(home, 'malware', `${name} unified`, {
      ...more,
      meta: { tlp_color: colour, ...(more.meta as Item) },
    })
    await join(unified, [one, two])
    return unified
  }
  /** What a title says within the set. */
  const short = (title: string) => title.replace(`${name} `, '')
  return { one, two, tool, dataset, unify, short }
}

export type Set = Awaited<ReturnType<typeof makeGroupOfTwo>>

/** Creates a feed of the dataset. */
export async function makeFeed({ dataset }: Set, more: Item): Promise<Json> {
  const body = {
    name: `Feed of ${dataset} ${++count}`,
    content_type: 'urn:oasis:stix:json:2.1',
    transport_type: 'http-download',
    ...more,
  }
  return make('outgoing-feeds', { ...body, datasets: [dataset] })
}

/** Runs a feed, and returns the blocks that it wrote. */
export async function publish({ id }: Json) {
  const before = (await blocksOf(id)).length
  await outgoingFeed.run(jobOf(id))
  return (await blocksOf(id)).slice(before).map(({ text }) => text)
}

/** The entities and relationships of a bundle: names, `-` before what is revoked. */
export function shown(text: string | undefined, { short }: Set): string[] {
  if (text === undefined) return []
  const objects: Json[] = JSON.parse(text).objects
  const entities = objects.filter(({ type }) => type === 'malware' || type === 'tool')
  const names = new Map(entities.map(({ id, name }) => [id, short(name)]))
  const told = objects.flatMap(({ id, type, source_ref, relationship_type, target_ref, revoked = false }) => {
    const sign = revoked ? '-' : ''
    if (names.has(id)) return [`${sign}${names.get(id)}`]
    return type === 'relationship'
      ? [`${sign}${names.get(source_ref) ?? '?'} ${relationship_type} ${names.get(target_ref) ?? '?'}`]
      : []
  })
  return told.sort()
}
