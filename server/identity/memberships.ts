import { sql } from 'kysely'
import type { Context, Item } from '../engine/context.ts'
import type { Operations } from '../engine/definition.ts'
import type { Id, Link } from '../engine/reference.ts'
import type { standard } from '../engine/standard.ts'
import { changedMembers, guarded } from './access/grants.ts'

type Through = 'role_users' | 'group_users'

/**
 * The operations of roles and groups. Adding or removing a member counts as a write to that user, with the same
 * checks as a direct change.
 */
export function memberships(through: Through, inner: typeof standard): Operations {
  const changed = (ctx: Context, items: readonly [owner: number, item: Item][]) => {
    const setters = items.filter(([, { users }]) => users !== undefined)
    return changedMembers(
      ctx,
      through,
      setters.map(([owner, { users }]) => [owner, idsIn(users)]),
    )
  }

  return {
    ...inner,
    create: (ctx, resource, item: Item) =>
      guarded(
        ctx,
        () => idsIn(item.users),
        () => inner.create(ctx, resource, item),
      ),
    upsert: (ctx, resource, items: Item[]) =>
      guarded(
        ctx,
        async () => {
          const owners = await ownersByName(ctx, resource.table, items)
          return changed(
            ctx,
            items.map((item) => [owners.get(item.name) ?? 0, item]),
          )
        },
        () => inner.upsert(ctx, resource, items),
      ),
    update: (ctx, resource, id, patch: Item) =>
      guarded(
        ctx,
        () => changed(ctx, [[Number(id), patch]]),
        () => inner.update(ctx, resource, id, patch),
      ),
    remove: (ctx, resource, ids) =>
      guarded(
        ctx,
        () =>
          changed(
            ctx,
            ids.map((id) => [Number(id), { users: [] }]),
          ),
        () => inner.remove(ctx, resource, ids),
      ),
    link: (ctx, resource, id, field, links) =>
      guarded(
        ctx,
        () => (field === 'users' ? idsIn(links) : []),
        () => inner.link(ctx, resource, id, field, links),
      ),
    unlink: (ctx, resource, id, field, target) =>
      guarded(
        ctx,
        () => (field === 'users' ? [Number(target)] : []),
        () => inner.unlink(ctx, resource, id, field, target),
      ),
  }
}

/** The ids of links in a body or relation path. Null clears the list. */
const idsIn = (links: unknown): number[] =>
  ((links ?? []) as readonly (Link | { id: Id })[]).map(({ id }) => Number(id))

async function ownersByName({ db }: Context, table: string, items: readonly Item[]): Promise<Map<unknown, number>> {
  const names = items.map(({ name }) => name)
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from ${sql.table(table)} where name = any(${names}::text[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [name, id]))
}
