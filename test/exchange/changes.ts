import { type Json, sender } from './two-servers.ts'
import { receive, type Upstream } from './upstream.ts'

/** Pseudo-random numbers from a seed, so that a failing cycle can be repeated. */
export function chanceOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Chance = ReturnType<typeof chanceOf>

const TYPES = ['malware', 'indicator', 'threat-actor', 'report', 'campaign']
const TAGS = ['red', 'green', 'blue', 'with space', 'ümlaut']
const VALUES = ['a.example', 'b.example', 'c.example', 'd.example']

const some = <T>(chance: Chance, list: readonly T[]): T[] => list.filter(() => chance(2) === 1)
const pick = <T>(chance: Chance, list: readonly T[]): T | undefined => list[chance(Math.max(list.length, 1))]

/** The dataset that the sender publishes. */
export interface Sent {
  readonly dataset: number
  readonly entities: Json[]
  readonly left: Json[]
  /** The sender's own feed with full transfers: objects missing from a transfer are withdrawn. */
  readonly upstream: Upstream
  relationships: string[]
  count: number
}

const observablesOf = (chance: Chance) => some(chance, VALUES).map((value) => ({ type: 'domain', value }))

async function create(chance: Chance, sent: Sent): Promise<void> {
  const data = { type: pick(chance, TYPES), title: `Made ${sent.count++}`, description: 'As it began.' }
  const item = {
    data,
    meta: { tags: some(chance, TAGS) },
    observables: observablesOf(chance),
    datasets: [sent.dataset],
  }
  sent.entities.push(await sender.ask('POST', 'entities', item))
}

const CHANGES: Readonly<Record<string, (chance: Chance, sent: Sent, entity: Json) => Promise<unknown>>> = {
  create,
  title: (chance, sent, { id }) =>
    sender.ask('PATCH', `entities/${id}`, { data: { title: `Edited ${sent.count++}`, description: `${chance(9)}` } }),
  tags: (chance, _, { id }) => sender.ask('PATCH', `entities/${id}`, { meta: { tags: some(chance, TAGS) } }),
  observables: (chance, _, { id }) => sender.ask('PATCH', `entities/${id}`, { observables: observablesOf(chance) }),
  relate: async (chance, sent, { id }) => {
    const target = pick(
      chance,
      sent.entities.filter((other) => other.id !== id),
    )
    if (!target) return
    const { sources } = await sender.ask('GET', `entities/${id}`)
    const data = { source: id, target: target.id, key: 'related-to' }
    const [made] = await sender.ask('PUT', 'relationships', [{ data, sources }])
    sent.relationships = [...new Set([...sent.relationships, made.id])]
  },
  unrelate: async (chance, sent) => {
    const id = pick(chance, sent.relationships)
    if (id === undefined) return
    sent.relationships = sent.relationships.filter((each) => each !== id)
    await sender.call('DELETE', `relationships/${id}`)
  },
  remove: async (_, sent, { id }) => {
    sent.entities.splice(
      sent.entities.findIndex((each) => each.id === id),
      1,
    )
    await sender.ask('DELETE', `entities/${id}`)
  },
  leave: async (_, sent, entity) => {
    sent.entities.splice(sent.entities.indexOf(entity), 1)
    sent.left.push(entity)
    await sender.ask('DELETE', `entities/${entity.id}/datasets/${sent.dataset}`)
  },
  comeBack: async (chance, sent) => {
    const entity = pick(chance, sent.left)
    if (!entity) return
    sent.left.splice(sent.left.indexOf(entity), 1)
    sent.entities.push(entity)
    await sender.ask('PUT', `entities/${entity.id}/datasets/${sent.dataset}`)
  },
  upstream: async (chance, { upstream }) => {
    const [first, ...others] = upstream.objects
    await receive(upstream, [first, ...some(chance, others)])
  },
}

/** Makes random changes to the published content and returns their names. */
export async function change(chance: Chance, sent: Sent, count: number): Promise<string[]> {
  const names: string[] = []
  for (let i = 0; i < count; i++) {
    const entity = pick(chance, sent.entities)
    const name = (entity && pick(chance, Object.keys(CHANGES))) || 'create'
    await CHANGES[name]?.(chance, sent, entity ?? {})
    names.push(name)
  }
  return names
}
