import { type Kysely, sql } from 'kysely'
import type { Partly } from './forget.ts'
import { id } from './instance.ts'

type Pair = readonly [before: unknown, after: unknown]

interface Change {
  readonly id: number
  readonly ids: readonly string[]
  readonly details: Readonly<Record<string, Readonly<Record<string, Pair>>>>
  readonly keys: readonly unknown[] | null
}

/** Changes the history as if nothing unseen had ever been linked with anything seen. Changes that did nothing else no longer mention the object. */
export async function forgetHistory(db: Kysely<unknown>, twins: readonly Partly[]): Promise<void> {
  const unseen = new Set<string>()
  const own = new Set<string>()
  for (const { instance, seen } of twins) {
    for (const [each, name] of instance.names) {
      own.add(each)
      if (instance.ids.get(name) === each && !seen.names.has(name)) unseen.add(id(instance, name))
    }
  }
  const { rows } = await sql<Change>`
    select id, ids, details, keys from changes where kind in ('link', 'unlink') and details is not null`.execute(db)
  for (const change of rows) {
    const kept = change.ids.map((each) =>
      own.has(each) ? stripped(change.details[each] ?? {}, unseen) : change.details[each],
    )
    const isKept = (_: unknown, i: number) => kept[i] !== undefined
    const ids = change.ids.filter(isKept)
    const details = Object.fromEntries(change.ids.flatMap((each, i) => (kept[i] ? [[each, kept[i]]] : [])))
    const keys = change.keys?.filter(isKept) ?? null
    await sql`
      update changes set ids = ${ids}::text[], details = ${JSON.stringify(details)}::jsonb,
        keys = ${keys === null ? null : JSON.stringify(keys)}::jsonb
      where id = ${change.id}`.execute(db)
  }
}

/** The links of an object without the unseen ones; undefined if none is left. */
function stripped(
  details: Readonly<Record<string, Pair>>,
  unseen: ReadonlySet<string>,
): Record<string, readonly unknown[]> | undefined {
  const idOf = (link: unknown) => String(Array.isArray(link) ? link[0] : link)
  const left = (links: unknown) => (Array.isArray(links) ? links.filter((link) => !unseen.has(idOf(link))) : links)
  const fields = Object.entries(details).flatMap(([field, [before, after]]) => {
    const pair = [left(before), left(after)]
    const isEmpty = pair.every((links) => !Array.isArray(links) || links.length === 0)
    return isEmpty ? [] : [[field, pair] as const]
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}
