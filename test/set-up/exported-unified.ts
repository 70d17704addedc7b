import assert from 'node:assert/strict'
import type { startApp } from '../app.ts'
import { until } from '../until.ts'
import { ok } from './collection.ts'

type App = Pick<Awaited<ReturnType<typeof startApp>>, 'call' | 'pool'>
type Item = Record<string, unknown>

export interface Group {
  readonly id: number
  readonly name: string
  readonly source: string
}

export interface Made {
  readonly id: string
  readonly data: { readonly id: string; readonly title: string; readonly type: string }
}

/** Makes unified entities directly in the database, with sources and relationships around them. */
export function unifying(app: App) {
  const makeGroup = async (name: string): Promise<Group> => {
    const { id } = (await ok(app as never, 'GET', 'users/self')).data
    return (await ok(app as never, 'POST', 'groups', { data: { name, users: [id] } })).data
  }

  /** Creates an entity of a group's source. */
  const entity = async ({ source }: Group, type: string, title: string, more: Item = {}): Promise<Made> => {
    const { meta = {}, ...rest } = more
    const body = { data: { type, title }, meta: { tlp_color: 'GREEN', ...(meta as Item) }, sources: [source], ...rest }
    return (await ok(app as never, 'POST', 'entities', { data: body })).data
  }

  /** Makes an entity that was created like others the unified entity of these. */
  async function join(unified: Made, contributors: readonly Made[]): Promise<void> {
    const ids = contributors.map(({ id }) => id)
    await app.pool.query('insert into contributors (entity, unified) select unnest($1::uuid[]), $2', [ids, unified.id])
    await app.pool.query(
      'insert into unified_entities (entity, source) select id, vis >> 3 from entities where id = $1 on conflict do nothing',
      [unified.id],
    )
    const { rowCount } = await app.pool.query(
      `update entities as t set is_unified = true, vis = composite_of(
         coalesce((select c.source from composites as c where c.number = t.vis >> 3), t.vis >> 3), t.vis & 7, array(
         select e.vis from contributors as m join entities as e on e.id = m.entity where m.unified = t.id))
       where t.id = $1`,
      [unified.id],
    )
    assert.equal(rowCount, 1)
    // What callers may see is remembered for a moment.
    const isSeen = async () => (await app.call('GET', `entities/${unified.id}`)).status === 200
    await until(isSeen, 'the unified entity stayed hidden')
  }

  /** Takes a unified entity apart. */
  async function part(unified: Made): Promise<void> {
    for (const table of ['entity_observables', 'dataset_entities'])
      await app.pool.query(`delete from ${table} where ${table === 'dataset_entities' ? 'target' : 'source'} = $1`, [
        unified.id,
      ])
    await app.pool.query('delete from entities where id = $1', [unified.id])
  }

  const relate = (source: Made, key: string, target: Made, group: Group, more: Item = {}) =>
    ok(app as never, 'PUT', 'relationships', {
      data: [{ data: { source: source.id, key, target: target.id, ...more }, sources: [group.source] }],
    })

  return { makeGroup, entity, join, part, relate }
}
