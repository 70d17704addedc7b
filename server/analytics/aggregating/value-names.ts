import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { parseId } from '../../engine/reference.ts'

/** The display names of the values of a field. Values without a name are shown as they are. */
export async function findNames(ctx: Context, field: string, values: readonly string[]): Promise<Map<string, string>> {
  const find = Object.hasOwn(lookups, field) ? lookups[field] : undefined
  if (!find) return new Map()
  const { rows } = await find(values).execute(ctx.db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const known = (type: 'integer' | 'uuid', values: readonly string[]) =>
  values.filter((value) => parseId(type, value) !== undefined)

const lookups: Readonly<
  Record<string, (values: readonly string[]) => ReturnType<typeof sql<{ id: string; name: string }>>>
> = {
  'meta.taxonomies': (values) => sql`
    select o.id::text as id, array_to_string(o.path, '/') as name
    from taxonomies as o
    where o.id = any(${known('integer', values)}::integer[])`,
  sources: (values) => sql`
    select s.id::text as id, s.name from sources as s where s.id = any(${known('uuid', values)}::uuid[])`,
}
