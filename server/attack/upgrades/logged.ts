import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { AUTHOR, authorOf } from '../../engine/log.ts'

/** The tables that a version of a framework is stored in, by their collections. */
const TABLES = {
  attacks: 'attack_nodes',
  attack_defenses: 'attack_defenses',
  defense_relationships: 'defense_relationships',
  defense_inner_relationships: 'defense_inner_relationships',
} as const

interface Change {
  readonly resource: string
  readonly kind: 'create' | 'update' | 'delete'
  readonly ids: readonly string[]
}

/** Stores or restores a version, and logs which objects of frameworks it changed. */
export async function loggingChanges(ctx: Context, store: () => Promise<void>): Promise<void> {
  const before = await hashes(ctx.db)
  await store()
  const after = await hashes(ctx.db)
  const changes = Object.keys(TABLES).flatMap((resource) => changesOf(resource, before, after))
  if (changes.length === 0) return
  await sql`
    insert into changes (${AUTHOR}, resource, kind, ids)
    select ${authorOf(ctx)}, c.resource, c.kind, c.ids
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c(resource text, kind text, ids text[])`.execute(
    ctx.db,
  )
}

type Hashes = ReadonlyMap<string, ReadonlyMap<string, string>>

/** The hash of every row, by collection and id. */
async function hashes(db: Context['db']): Promise<Hashes> {
  const { rows } = await sql<{ resource: string; id: string; hash: string }>`${sql.join(
    Object.entries(TABLES).map(
      ([resource, table]) =>
        sql`select ${sql.lit(resource)} as resource, t.id::text as id, md5(t::text) as hash from ${sql.table(table)} as t`,
    ),
    sql` union all `,
  )}`.execute(db)
  const found = new Map<string, Map<string, string>>()
  for (const { resource, id, hash } of rows) {
    const own = found.get(resource) ?? new Map<string, string>()
    found.set(resource, own.set(id, hash))
  }
  return found
}

function changesOf(resource: string, before: Hashes, after: Hashes): Change[] {
  const [was, is] = [before.get(resource) ?? new Map(), after.get(resource) ?? new Map()]
  const all: Change[] = [
    { resource, kind: 'create', ids: [...is.keys()].filter((id) => !was.has(id)) },
    { resource, kind: 'update', ids: [...is.keys()].filter((id) => was.has(id) && was.get(id) !== is.get(id)) },
    { resource, kind: 'delete', ids: [...was.keys()].filter((id) => !is.has(id)) },
  ]
  return all.filter(({ ids }) => ids.length > 0)
}
