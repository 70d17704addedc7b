import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { toId } from '../../engine/reference.ts'
import type { EntityMeta } from './meta.ts'

/** The form of the id of an attack node: a matrix, a tactic, or a technique below its tactic. */
const ATTACK = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]|:(?=T)){0,63}$/

/** The id of an attack node from an id, a URL or a path; undefined for anything else. */
export function attackOf(value: unknown): string | undefined {
  const text = String(value)
  const id = /(?:^|\/)(?:api\/v\d+|private)\/attacks\/([^/?#]+)\/?(?:\?.*)?$/.exec(text)?.[1] ?? text
  const plain = id.replaceAll(/%3a/gi, ':')
  return ATTACK.test(plain) ? plain : undefined
}

/** The taxonomies and attacks that the meta of an entity names. */
export interface Resolved {
  readonly taxonomies: readonly number[]
  readonly attacks: readonly string[]
}

const NOTHING: Resolved = { taxonomies: [], attacks: [] }

/** Resolves the taxonomies and attacks that entities name by id or URL, and taxonomies also by path. */
export async function resolve(ctx: Context, metas: readonly (EntityMeta | undefined)[]): Promise<Resolved[]> {
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
      if (id === undefined)
        faults.push(`${at}.attacks[${i}]: '${String(name).slice(0, 80)}' is not the id or URL of an attack node`)
      return id ?? []
    })
    return { taxonomies: [...new Set(nodes)].sort((a, b) => a - b), attacks: [...new Set(attacks)] }
  })
  if (faults.length > 0) throw badRequest(faults)
  return resolved
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
