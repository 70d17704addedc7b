import { z } from 'zod'
import { defineTask, type Job, TaskError } from '../background/task.ts'
import { DEMO_PERMISSIONS, DEMO_TAG, MAX_DEMO_ENTITIES } from '../domain/demo-data.ts'
import { createSchema, parseItems } from '../engine/body.ts'
import type { Context, Item } from '../engine/context.ts'
import { NOBODY } from '../engine/route.ts'
import { resourceOf } from '../engine/select.ts'
import { asCaller } from '../identity/access/as-caller.ts'
import { sightOf } from '../identity/access/sight.ts'
import { prepareSearch } from '../intelligence/entities/search-preparation.ts'
import { definitions } from './definitions.ts'
import { demoEntities } from './entity.ts'
import { demoRelationship } from './relationship.ts'
import { taxonomyLevels } from './taxonomies.ts'

const BATCH = 500

/** Fills an empty installation with invented intelligence, which has a tag of its own. */
export const demoData = defineTask({
  type: 'demo-data',
  doc: `Loads invented intelligence to look at, tagged '${DEMO_TAG}', for who starts it.`,
  parameters: z.object({
    count: z.int().min(1).max(MAX_DEMO_ENTITIES),
    seed: z.int().min(0).max(4_294_967_295),
  }),
  run: async (job) => {
    const { count, seed } = job.parameters
    const relationships = count < 2 ? 0 : count
    const total = count + relationships
    const act = <T>(run: (ctx: Context) => Promise<T>) => asCaller(job, DEMO_PERMISSIONS, 'read committed', run)
    await act(putGround)
    const ids: string[] = []
    for (let from = 0; from < count; from += BATCH) {
      job.signal.throwIfAborted()
      ids.push(...(await putEntities(job, act, [...demoEntities(seed, Math.min(BATCH, count - from), from)])))
      job.progress(ids.length / total)
    }
    job.log(`${ids.length} entities are loaded.`)
    let related = 0
    for (let from = 0; from < relationships; from += BATCH) {
      job.signal.throwIfAborted()
      const indexes = Array.from({ length: Math.min(BATCH, relationships - from) }, (_, i) => from + i)
      const items = indexes.map((index) => demoRelationship(seed, index, count))
      related += await act((ctx) => putRelationships(ctx, items, ids))
      job.progress((count + from + indexes.length) / total)
    }
    return { result: { entities: ids.length, relationships: related } }
  },
})

const write = async (ctx: Context, collection: Parameters<typeof resourceOf>[1], sent: readonly unknown[]) => {
  const resource = resourceOf(ctx, collection)
  const items = parseItems(resource, createSchema(resource), [...sent], [])
  const { upsert } = resource.operations
  if (!upsert) throw new TypeError(`${collection} cannot be written.`)
  return (await upsert(ctx, resource, items)).rows
}

/** Creates custom types and taxonomies; taxonomies level by level, as a node refers to its parent by id. */
async function putGround(ctx: Context): Promise<void> {
  await write(ctx, 'entity_definitions', definitions)
  const ids = new Map<string, unknown>()
  for (const level of taxonomyLevels()) {
    const nodes = level.map((path) => {
      const names = path.split('/')
      return { name: names.at(-1), parent: ids.get(names.slice(0, -1).join('/')) ?? null }
    })
    const rows = await write(ctx, 'taxonomies', nodes)
    for (const [i, path] of level.entries()) ids.set(path, rows[i]?.id)
  }
}

type Made = ReturnType<typeof demoEntities> extends Iterable<infer E> ? E : never

async function putEntities(
  job: Job<unknown>,
  act: <T>(run: (ctx: Context) => Promise<T>) => Promise<T>,
  made: readonly Made[],
): Promise<string[]> {
  const tagged = made.map((entity) => ({
    ...entity,
    meta: { ...entity.meta, tags: [...entity.meta.tags, DEMO_TAG] },
  }))
  // Before the transaction, because each statement of the dictionary commits on its own. Unused words are harmless.
  await prepareSearch({ ...job, caller: NOBODY, baseUrl: '' }, tagged as unknown as Item[])
  const rows = await act((ctx) => write(ctx, 'entities', tagged))
  return rows.map(({ id }) => String(id))
}

async function putRelationships(
  ctx: Context,
  made: readonly ReturnType<typeof demoRelationship>[],
  ids: readonly string[],
): Promise<number> {
  const { home } = sightOf(ctx)
  if (home === null) throw new TaskError('You are in no group, whose source the data would have.', { isFinal: true })
  // With few entities, the same relationship can be drawn twice.
  const items = new Map(
    made.map(({ key, source, target }) => [
      `${key} ${source} ${target}`,
      { data: { key, source: ids[source], target: ids[target] }, sources: [home] },
    ]),
  )
  return (await write(ctx, 'relationships', [...items.values()])).length
}
