import { sql } from 'kysely'
import { readNodes } from '../../attack/classification/nodes.ts'
import { attackOf, faultOf, notAnAttack } from '../../attack/classification/references.ts'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { badRequest } from '../../engine/errors.ts'
import { toId } from '../../engine/reference.ts'
import { visible } from '../../engine/select.ts'
import type { EntityMeta } from './meta.ts'

/** The taxonomies and attacks that the meta of an entity names. */
export interface Resolved {
  readonly taxonomies: readonly number[]
  readonly attacks: readonly string[]
}

const NOTHING: Resolved = { taxonomies: [], attacks: [] }

/** Gives the nodes that entities have already, by their positions. Clients send back what they read, and nodes may be unknown by now. */
export type Stored = (positions: readonly number[]) => Promise<ReadonlyMap<number, readonly string[]>>

/**
 * Resolves the taxonomies and attacks that entities name by id or URL, and taxonomies also by path. Without `stored`, attacks need not be
 * known: imports resolve them on their own.
 */
export async function resolve(
  ctx: Context,
  metas: readonly (EntityMeta | undefined)[],
  stored?: Stored,
): Promise<Resolved[]> {
  const named = metas.flatMap((meta) => meta?.taxonomies ?? [])
  const taxonomies = named.length === 0 ? new Map<string, number>() : await findTaxonomies(ctx, named)
  const faults: string[] = []
  const resolved = metas.map((meta, position): Resolved => {
    if (!meta?.taxonomies && !meta?.attacks) return NOTHING
    const at = `${itemPrefix(metas, position)}meta`
    const nodes = (meta?.taxonomies ?? []).flatMap((name, i) => {
      const id = taxonomies.get(String(name))
      if (id === undefined) faults.push(`${at}.taxonomies[${i}]: there is no taxonomy '${String(name).slice(0, 200)}'`)
      return id ?? []
    })
    const attacks = (meta?.attacks ?? []).flatMap((name, i) => {
      const id = attackOf(name)
      if (id === undefined) faults.push(`${at}.attacks[${i}]: ${notAnAttack(name)}`)
      return id ?? []
    })
    return { taxonomies: [...new Set(nodes)].sort((a, b) => a - b), attacks: [...new Set(attacks)] }
  })
  if (stored) faults.push(...(await unknownAttacks(ctx, metas, stored)))
  if (faults.length > 0) throw badRequest(faults)
  return resolved
}

/** The same for the meta of an entity that has attacks already. */
export function resolveNew(
  ctx: Context,
  meta: EntityMeta | undefined,
  attacks: readonly string[],
): Promise<Resolved[]> {
  const hasNew = meta?.attacks?.some((name) => !attacks.includes(String(name))) ?? false
  return resolve(ctx, [meta], hasNew ? async () => new Map([[0, attacks]]) : undefined)
}

/** What is wrong with the attacks that entities name and do not have already. */
async function unknownAttacks(
  ctx: Context,
  metas: readonly (EntityMeta | undefined)[],
  stored: Stored,
): Promise<string[]> {
  const named = metas.flatMap((meta, position) =>
    (meta?.attacks ?? []).flatMap((name, i) => {
      const id = attackOf(name)
      return id === undefined ? [] : [{ position, id, at: `${itemPrefix(metas, position)}meta.attacks[${i}]` }]
    }),
  )
  if (named.length === 0) return []
  const nodes = await readNodes(ctx)
  const wrong = named.flatMap((each) => {
    const fault = faultOf(nodes, each.id)
    return fault === undefined ? [] : [{ ...each, fault }]
  })
  if (wrong.length === 0) return []
  const known = await stored([...new Set(wrong.map(({ position }) => position))])
  return wrong.flatMap(({ position, id, at, fault }) => (known.get(position)?.includes(id) ? [] : [`${at}: ${fault}`]))
}

/** The nodes that visible entities have, by the positions of items with their STIX ids. */
export function storedAttacks(ctx: Context, resource: Resource, stixIds: readonly (string | undefined)[]): Stored {
  return async (positions) => {
    const asked = positions.flatMap((position) => stixIds[position] ?? [])
    const { rows } = await sql<{ stix_id: string; attacks: string[] }>`
      select t.stix_id, t.attacks
      from entities as t
      where t.stix_id = any(${asked}::text[]) and ${visible(ctx, resource)}`.execute(ctx.db)
    const byStixId = new Map(rows.map(({ stix_id, attacks }) => [stix_id, attacks]))
    return new Map(positions.map((position) => [position, byStixId.get(stixIds[position] ?? '') ?? []]))
  }
}

/** The ids of taxonomies by the names that requests use: id, URL, or path from the root. */
export async function findTaxonomies(
  ctx: Pick<Context, 'db'>,
  names: readonly (string | number)[],
): Promise<Map<string, number>> {
  const texts = [...new Set(names.map(String))]
  const ids = new Map(
    texts.flatMap((text) => (toId('taxonomies', text) === undefined ? [] : [[text, toId('taxonomies', text)]])),
  )
  const paths = texts.filter((text) => !ids.has(text))
  const { rows } = await sql<{ id: number; path: string }>`
    select id, array_to_string(path, '/') as path
    from taxonomies
    where id = any(${[...ids.values()]}::integer[]) or array_to_string(path, '/') = any(${paths}::text[])`.execute(
    ctx.db,
  )
  const byPath = new Map(rows.map(({ id, path }) => [path, id]))
  const present = new Set(rows.map(({ id }) => id))
  return new Map(
    texts.flatMap((text): [string, number][] => {
      const id = ids.has(text) ? Number(ids.get(text)) : byPath.get(text)
      return id !== undefined && present.has(id) ? [[text, id]] : []
    }),
  )
}
