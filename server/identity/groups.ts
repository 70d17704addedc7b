import { type Kysely, sql } from 'kysely'
import { TLP } from '../domain/tlp.ts'
import { fetchRows } from '../engine/fetch.ts'
import { name, ref, refs, text } from '../engine/field.ts'
import type { Id } from '../engine/reference.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { standard } from '../engine/standard.ts'
import { changingCallers } from './changing-callers.ts'
import { memberships } from './memberships.ts'
import { removableSources, removeSources, syncOwnedSources } from './owned-sources.ts'

const allowedTlp = { name: 'allowed_tlp', values: TLP, default: 'RED' }
const memberRole = { name: 'role', values: ['member', 'admin'], default: 'member' } as const

/** The standard operations, extended so that each group owns the source that its members write to. */
const withSources: typeof standard = {
  ...standard,
  create: async (ctx, resource, item) => {
    const { id } = await standard.create(ctx, resource, item)
    await syncSources(ctx.db, [id])
    return standard.get(ctx, resource, id)
  },
  upsert: async (ctx, resource, items) => {
    const { rows, created } = await standard.upsert(ctx, resource, items)
    const ids = rows.map(({ id }) => id)
    await syncSources(ctx.db, ids)
    return { rows: await fetchRows(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch) => {
    const row = await standard.update(ctx, resource, id, patch)
    await syncSources(ctx.db, [id])
    return row
  },
  remove: async (ctx, resource, ids) => {
    const sources = await removableSources(
      ctx.db,
      'groups',
      ids,
      'delete that intelligence or assign it to another source first',
    )
    await standard.remove(ctx, resource, ids)
    await removeSources(ctx.db, sources)
  },
}

export const groups = defineResource({
  collection: 'groups',
  title: 'Group',
  doc: 'Users who work together, and the sources they can see, each up to a TLP colour.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    source: ref('sources')
      .readOnly()
      .describe('The source of intelligence written by members. Created together with the group.'),
    sources: refs('sources', 'group_sources', { attribute: allowedTlp }).linkable(),
    users: refs('users', 'group_users', { attribute: memberRole }).linkable().guardedBy('modify user-groups'),
    ...stamps,
  },
  example: { name: 'Finance desk', description: 'Tracks threats to the banking sector.' },
  routes: changingCallers,
  operations: memberships('group_users', withSources),
})

/** Creates a source for each new group, with full visibility of it, and renames the sources of renamed groups. */
export async function syncSources(db: Kysely<unknown>, ids: readonly Id[]): Promise<void> {
  const made = await syncOwnedSources(db, 'groups', ids)
  await sql`
    insert into group_sources (source, target, allowed_tlp)
    select t.id, t.source, 'RED'
    from groups as t
    where t.source = any(${made}::uuid[])`.execute(db)
}
