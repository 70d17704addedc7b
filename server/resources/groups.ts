import { type Kysely, sql } from 'kysely'
import { TLP } from '../domain/tlp.ts'
import { conflict } from '../engine/errors.ts'
import { fetchRows } from '../engine/fetch.ts'
import { name, ref, refs, text } from '../engine/field.ts'
import type { Id } from '../engine/reference.ts'
import { defineResource } from '../engine/resource.ts'
import { standard } from '../engine/standard.ts'
import { memberships } from './memberships.ts'
import { stamps } from './stamps.ts'

const allowedTlp = { name: 'allowed_tlp', values: TLP, default: 'RED' }
const memberRole = { name: 'role', values: ['member', 'admin'], default: 'member' } as const

/** The standard operations, and the source that every group has for what its members write. */
const withSources: typeof standard = {
  ...standard,
  create: async (ctx, resource, item) => {
    const { id } = await standard.create(ctx, resource, item)
    await keepSources(ctx.db, [id])
    return standard.get(ctx, resource, id)
  },
  upsert: async (ctx, resource, items) => {
    const { rows, created } = await standard.upsert(ctx, resource, items)
    const ids = rows.map(({ id }) => id)
    await keepSources(ctx.db, ids)
    return { rows: await fetchRows(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch) => {
    const row = await standard.update(ctx, resource, id, patch)
    await keepSources(ctx.db, [id])
    return row
  },
  remove: async (ctx, resource, ids) => {
    const { rows } = await sql<{ source: string; name: string; is_used: boolean }>`
      select g.source, g.name, (
        exists (select from entities as e where e.vis between s.number * 8 and s.number * 8 + 7)
        or exists (select from observable_sources as o where o.target = s.id)
        or exists (select from relationship_sources as r where r.target = s.id)) as is_used
      from groups as g
      join sources as s on s.id = g.source
      where g.id = any(${ids}::integer[])`.execute(ctx.db)
    const used = rows.filter(({ is_used }) => is_used)
    if (used.length > 0) {
      const names = used.map(({ name }) => `'${name}'`).join(', ')
      throw conflict(`There is intelligence whose source is ${names}: delete it or give it another source first.`)
    }
    await standard.remove(ctx, resource, ids)
    await sql`delete from sources where id = any(${rows.map(({ source }) => source)}::uuid[])`.execute(ctx.db)
  },
}

export const groups = defineResource({
  collection: 'groups',
  title: 'Group',
  doc: 'Users who work together, and the sources whose intelligence they see, each up to a TLP colour.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    source: ref('sources').readOnly().describe('The source of what the members write. It is made with the group.'),
    sources: refs('sources', 'group_sources', { attribute: allowedTlp }),
    users: refs('users', 'group_users', { attribute: memberRole }).guardedBy('modify user-groups'),
    ...stamps,
  },
  relations: ['sources', 'users'],
  example: { name: 'Finance desk', description: 'Watches what aims at banks.' },
  operations: memberships('group_users', withSources),
})

/** Gives new groups their sources, seen in full by the group, and the sources of renamed groups their names. */
export async function keepSources(db: Kysely<unknown>, ids: readonly Id[]): Promise<void> {
  await sql`
    update sources as s
    set name = t.name, last_updated_at = now()
    from groups as t
    where t.id = any(${ids}::integer[]) and s.id = t.source and s.name <> t.name`.execute(db)
  await sql`
    with made as (
      insert into sources (id, name, type)
      select t.source, t.name, 'group'
      from groups as t
      where t.id = any(${ids}::integer[]) and not exists (select from sources as s where s.id = t.source)
      returning id
    )
    insert into group_sources (source, target, allowed_tlp)
    select t.id, t.source, 'RED'
    from groups as t join made on made.id = t.source`.execute(db)
}
