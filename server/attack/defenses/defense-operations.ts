import { sql } from 'kysely'
import { duplicateFaults, itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { badRequest, conflict } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { checkReferences } from '../../engine/links.ts'
import type { Id, Link } from '../../engine/reference.ts'
import { standard } from '../../engine/standard.ts'
import type { DefenseType } from '../frameworks/framework.ts'
import { relate, splitRelations } from './relate.ts'
import { retype } from './retype.ts'
import { ownOperations } from './system-rows.ts'
import { requireTechniques } from './techniques.ts'

/** The operations of defenses: their lists are relationships, those of frameworks are read-only, and names are unique among the others. */
export const defenseOperations: typeof standard = {
  ...ownOperations,
  create: async (ctx, resource, item: Item) => {
    await checkRelations(ctx, resource, [item])
    const { own, lists } = splitRelations(item)
    const { id } = await namingKey(own, ownOperations.create(ctx, resource, own))
    return related(ctx, resource, id, lists)
  },
  upsert: async (ctx, resource, items: Item[]) => {
    refuseDuplicates(items)
    await checkRelations(ctx, resource, items)
    const split = items.map(splitRelations)
    const { rows, created } = await ownOperations.upsert(
      ctx,
      namedOwn(resource),
      split.map(({ own }) => ({ ...own, own: 'own' })),
    )
    await relate(ctx, resource, new Map(rows.map(({ id }, i) => [id, split[i]?.lists ?? {}])))
    const ids = rows.map(({ id }) => id)
    return { rows: await fetchRows(ctx, resource, ids), created }
  },
  update: async (ctx, resource, id, patch: Item) => {
    await checkRelations(ctx, resource, [patch])
    const { own, lists } = splitRelations(patch)
    const was = own.type === undefined ? undefined : await typeOf(ctx, id)
    await namingKey(own, ownOperations.update(ctx, resource, id, own))
    if (was !== undefined) await retype(ctx, id, was, own.type as DefenseType)
    return related(ctx, resource, id, lists)
  },
}

/** The resource with the key of an upsert: names of frameworks repeat, so that only those of own defenses are unique. */
const namedOwn = (resource: Resource): Resource => ({ ...resource, key: [...resource.key, 'own'] })

/** The type of a defense; undefined if there is no such defense. */
async function typeOf({ db }: Context, id: Id): Promise<DefenseType | undefined> {
  const { rows } = await sql<{ type: DefenseType }>`
    select type from attack_defenses where id = ${id} for update`.execute(db)
  return rows[0]?.type
}

/** Reports that another defense has the type and name without the internal part of the key. */
const namingKey = <T>({ type, name }: Item, write: Promise<T>): Promise<T> =>
  write.catch((error) => {
    if (error?.constraint !== 'attack_defenses_name') throw error
    const given = [type, name].filter((each) => each !== undefined).join(', ')
    throw conflict(`The element already exists: type and name '${given}'.`, error)
  })

/** Names the key as users know it. */
function refuseDuplicates(items: readonly Item[]): void {
  const faults = duplicateFaults(items, ({ type, name }) => JSON.stringify([type, name]), 'type and name')
  if (faults.length > 0) throw badRequest(faults)
}

async function checkRelations(ctx: Context, resource: Resource, items: readonly Item[]): Promise<void> {
  const techniques = items.flatMap(({ related_techniques }, i) =>
    ((related_techniques ?? []) as Link[]).map(({ id }, j) => ({
      path: `${itemPrefix(items, i)}related_techniques[${j}]`,
      id,
    })),
  )
  await requireTechniques(ctx, techniques)
  await checkReferences(ctx, resource, items)
}

async function related(ctx: Context, resource: Resource, id: Id, lists: Item): Promise<AnyRow> {
  await relate(ctx, resource, new Map([[id, lists]]))
  return standard.get(ctx, resource, id)
}
