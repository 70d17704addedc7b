import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest, conflict, retry } from '../../engine/errors.ts'
import { toId } from '../../engine/reference.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { placeholder } from '../entities/placeholders.ts'
import { refuseUnified } from '../entities/refuse-unified.ts'
import { insertEntities } from '../entities/store.ts'

/** One end of a relationship. */
export interface End {
  readonly id: string
  readonly type: string
}

type Sent = string | { readonly id: string }

interface Named {
  readonly source: Sent
  readonly target: Sent
}

interface Found extends End {
  readonly stix_id: string
  readonly is_visible: boolean
  readonly is_unified: boolean
}

/**
 * Finds the entities that relationships refer to by id, URL or STIX id, and locks them so that none is deleted before the commit.
 * Unknown STIX ids become placeholders with the visibility of the relationship.
 */
export async function findEnds(
  ctx: Context,
  named: readonly Named[],
  visOf: (position: number) => number,
): Promise<{ source: End; target: End }[]> {
  const texts = named.flatMap(({ source, target }) => [nameOf(source), nameOf(target)])
  const found = await lock(ctx, texts)
  await refuseUnified(
    ctx,
    [...new Set(found.values())].filter(({ is_unified }) => is_unified).map(({ id }) => id),
  )
  const faults: string[] = []
  const made = new Map<string, End>()
  const missing = named.flatMap(({ source, target }, position) =>
    [['source', source] as const, ['target', target] as const].flatMap(([field, sent]) => {
      const name = nameOf(sent)
      const entity = found.get(name)
      if (entity?.is_visible || made.has(name)) return []
      if (entity && toId('entities', name) === undefined)
        throw conflict(`The element already exists: data.id '${name}'.`)
      const stub = toId('entities', name) === undefined ? placeholder(name, visOf(position)) : undefined
      if (!stub) {
        faults.push(`${itemPrefix(named, position)}data.${field}: there is no '${name.slice(0, 200)}' in entities`)
        return []
      }
      made.set(name, stub)
      return [stub]
    }),
  )
  if (faults.length > 0) throw badRequest(faults)
  if (missing.length > 0) {
    const { count } = await insertEntities(ctx, missing)
    // Another request created one of them concurrently.
    if (count < missing.length) throw retry('A placeholder exists already.')
  }
  const endOf = (sent: Sent): End => {
    const end = found.get(nameOf(sent)) ?? made.get(nameOf(sent))
    if (!end) throw new TypeError('An end of a relationship was not found.')
    return { id: end.id, type: end.type }
  }
  return named.map(({ source, target }) => ({ source: endOf(source), target: endOf(target) }))
}

const nameOf = (sent: Sent): string => {
  const text = typeof sent === 'string' ? sent : sent.id
  return String(toId('entities', text) ?? text)
}

async function lock(ctx: Context, names: readonly string[]): Promise<Map<string, Found>> {
  const distinct = [...new Set(names)]
  const ids = distinct.filter((name) => toId('entities', name) !== undefined)
  const stixIds = distinct.filter((name) => toId('entities', name) === undefined)
  const { rows } = await sql<Found>`
    select t.id, t.type, t.stix_id, t.is_unified, ${holdsKey(ctx, sql`t.vis`)} as is_visible
    from entities as t
    where t.id = any(${ids}::uuid[]) or t.stix_id = any(${stixIds}::text[])
    order by t.stix_id
    for key share of t`.execute(ctx.db)
  return new Map([
    ...rows.map((row): [string, Found] => [row.stix_id, row]),
    ...rows.map((row): [string, Found] => [row.id, row]),
  ])
}
