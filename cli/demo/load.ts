import { demoEntities } from '../../server/demo/entity.ts'
import { demoRelationship } from '../../server/demo/relationship.ts'
import { isRecord } from '../../server/domain/record.ts'
import { Refusal } from '../refusal.ts'
import type { Client } from './client.ts'
import { createIds, type Ids, isUuid } from './ids.ts'
import { numberOf, type Screen, showProgress } from './progress.ts'

/** What to load. */
export interface Plan {
  readonly seed: number
  readonly entities: number
  readonly relationships: number
  /** The source of the relationships. */
  readonly source: string
}

/** What was loaded. */
export interface Loaded {
  readonly entities: number
  readonly relationships: number
}

interface Surroundings {
  readonly client: Client
  readonly screen: Screen
  readonly isStopping: () => boolean
}

const BATCH = 1000
const PARALLEL_REQUESTS = 2

/** Loads entities, then relationships between them. An early end reports the progress. */
export async function load(plan: Plan, around: Surroundings): Promise<Loaded> {
  const ids = createIds(plan.relationships > 0 ? plan.entities : 0)
  const loaded = { entities: 0, relationships: 0 }
  const fail = (reason: string): Refusal => new Refusal(`${reason}\n${soFar(plan, loaded)}`)

  async function inBatches(label: keyof Loaded, put: (from: number, count: number) => Promise<void>): Promise<void> {
    const total = plan[label]
    const progress = showProgress(around.screen, label, total)
    let next = 0
    const work = async () => {
      while (next < total && !around.isStopping()) {
        const from = next
        const count = Math.min(BATCH, total - from)
        next += count
        await put(from, count)
        loaded[label] += count
        progress.advance(count)
      }
    }
    const results = await Promise.allSettled(
      Array.from({ length: PARALLEL_REQUESTS }, () =>
        work().catch((error) => {
          // Keeps the other worker from starting a batch that would be refused as well.
          next = total
          throw error
        }),
      ),
    )
    progress.end()
    const failed = results.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') {
      throw failed.reason instanceof Refusal ? fail(failed.reason.message) : failed.reason
    }
    if (loaded[label] < total) throw fail('Stopped.')
  }

  await inBatches('entities', (from, count) => putEntities(plan, around.client, ids, from, count))
  if (plan.relationships > 0) {
    await inBatches('relationships', (from, count) => putRelationships(plan, around.client, ids, from, count))
  }
  return loaded
}

async function putEntities({ seed, relationships }: Plan, client: Client, ids: Ids, from: number, count: number) {
  const entities = [...demoEntities(seed, count, from)]
  if (relationships === 0) return client.putOnly('/api/v2/entities', entities)
  const answer = await client.put('/api/v2/entities', entities)
  const made = Array.isArray(answer) ? answer.map((entity) => (isRecord(entity) ? entity.id : undefined)) : []
  if (made.length !== count || !made.every(isUuid)) {
    throw new Refusal(`The server accepted ${count} entities but did not return an id for each of them.`)
  }
  for (const [i, id] of made.entries()) ids.set(from + i, id)
}

async function putRelationships(plan: Plan, client: Client, ids: Ids, from: number, count: number) {
  const items = new Map<string, unknown>()
  for (let index = from; index < from + count; index++) {
    const { key, source, target } = demoRelationship(plan.seed, index, plan.entities)
    // With few entities, the same relationship can occur twice, which one request must not contain.
    items.set(`${key} ${source} ${target}`, {
      data: { key, source: ids.get(source), target: ids.get(target) },
      sources: [plan.source],
    })
  }
  await client.putOnly('/api/v2/relationships', [...items.values()])
}

function soFar(plan: Plan, loaded: Loaded): string {
  const parts = [`${numberOf(loaded.entities)} of ${numberOf(plan.entities)} entities`]
  if (plan.relationships > 0) {
    parts.push(`${numberOf(loaded.relationships)} of ${numberOf(plan.relationships)} relationships`)
  }
  return `Loaded: ${parts.join(', ')}. Run the same command again to update these and load the rest.`
}
