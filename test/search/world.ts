import assert from 'node:assert/strict'
import { BASE, type startApp } from '../app.ts'
import { chanceOf } from '../visibility/chance.ts'
import { drawEntity, type EntityBody } from './draw.ts'
import type { Known } from './draw-query.ts'
import { type Answered, type Observable, type Searchable, type Surroundings, searchableOf } from './entity.ts'
import { TAGS, TAXONOMIES } from './vocabulary.ts'

export type Corvus = Awaited<ReturnType<typeof startApp>>

/** Stored entities, as the API returns them and as a query sees them. */
export interface World {
  readonly seed: number
  readonly entities: readonly { readonly answered: Answered; readonly searchable: Searchable }[]
  readonly known: Known
}

const ENTITIES = 120

/** Replaces the stored entities by those of a seed, and changes some of them, so that the search has to follow. */
export async function buildWorld(corvus: Corvus, seed: number): Promise<World> {
  const chance = chanceOf(seed)
  const { put, all, sent } = requestsTo(corvus)
  const former = await all('entities', ({ id }) => id)
  if (former.size > 0) await sent('DELETE', 'entities', [...former.values()])
  const made = await put(
    'taxonomies',
    TAXONOMIES.map((path) => ({ path })),
  )
  const taxonomies = made.map(({ id }) => Number(id))
  const bodies = Array.from({ length: ENTITIES }, () => drawEntity(chance, taxonomies))
  const rows = await put('entities', bodies)
  const again = chance.some(bodies, 0.2).map(({ data }): EntityBody => drawEntity(chance, taxonomies, String(data.id)))
  await put('entities', again)

  for (const { id } of chance.some(rows, 0.1)) {
    const { data, meta } = drawEntity(chance, taxonomies)
    const { title, description = null, x_any = null, x_records = null } = data
    await sent('PATCH', `entities/${id}`, chance.flip() ? { meta } : { data: { title, description, x_any, x_records } })
  }
  for (const { id } of chance.some(rows, 0.05)) {
    await sent('POST', `entities/${id}/taxonomies`, { data: [chance.pick(taxonomies)] })
  }
  await sent('PATCH', `tags/${encodeURIComponent(TAGS[0])}`, { name: 'Renamed tag' })
  const doomed = chance.some(rows, 0.03).map(({ id }) => id)
  if (doomed.length > 0) await sent('DELETE', 'entities', doomed)

  const surroundings: Surroundings = {
    observables: await all('observables', (row): Observable => ({ ...row, maliciousness: row.meta.maliciousness })),
    sources: await all('sources', ({ name }) => name),
    taxonomies: await all('taxonomies', ({ path }) => path.join('/')),
  }
  const stored = [...(await all('entities', (row): Answered => row)).values()]
  return {
    seed,
    entities: stored.map((answered) => ({ answered, searchable: searchableOf(answered, surroundings) })),
    known: { ids: stored.map(({ id }) => id), stixIds: stored.map(({ data }) => String(data.id)), taxonomies },
  }
}

function requestsTo({ call }: Corvus) {
  async function sent(...[method, path, body]: Parameters<typeof call>) {
    const answer = await call(method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body).slice(0, 2000)}`)
    return answer.body
  }

  const put = async (path: string, bodies: readonly unknown[]): Promise<{ readonly id: string | number }[]> =>
    (await sent('PUT', path, bodies)).data

  /** A whole collection, by the references to its objects. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of every collection
  async function all<T>(collection: string, read: (row: any) => T): Promise<Map<string, T>> {
    const { data } = await sent('GET', `${collection}?limit=2000`)
    return new Map(data.map((row: { id: string }) => [`${BASE}/api/v2/${collection}/${row.id}`, read(row)]))
  }

  return { sent, put, all }
}
