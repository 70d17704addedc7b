import { sql } from 'kysely'
import type { Context, Item } from '../../../engine/context.ts'
import type { Id } from '../../../engine/reference.ts'

/** Leaves room for the rest of a default name. */
const MAX_GROUP_NAME_LENGTH = 400

const isNamed = ({ name }: Item): boolean => Boolean(name)

/** Gives policies without a name that of their group. */
export async function withNames(ctx: Context, items: readonly Item[]): Promise<Item[]> {
  const groups = items.flatMap((item) => (isNamed(item) ? [] : Number(item.merge_group)))
  if (groups.length === 0) return [...items]
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from groups where id = any(${groups}::integer[])`.execute(ctx.db)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return items.map((item) => {
    if (isNamed(item)) return item
    // A group that does not exist is refused when the policy is written.
    const group = names.get(Number(item.merge_group)) ?? ''
    return { ...item, name: `Consolidation into ${[...group].slice(0, MAX_GROUP_NAME_LENGTH).join('')}` }
  })
}

/** The same for one policy, with a number if another policy has that name. */
export async function withFreeName(ctx: Context, item: Item, id: Id | null = null): Promise<Item> {
  if (isNamed(item)) return item
  const [named = item] = await withNames(ctx, [item])
  const { rows } = await sql<{ name: string }>`
    select name from consolidation_rules
    where starts_with(name, ${named.name}) and id is distinct from ${id}::integer`.execute(ctx.db)
  const taken = new Set<unknown>(rows.map(({ name }) => name))
  let name = named.name
  for (let number = 2; taken.has(name); number++) name = `${named.name} (${number})`
  return { ...named, name }
}
