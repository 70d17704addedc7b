import { type Kysely, sql } from 'kysely'
import type { Partly, Rows } from './forget.ts'
import { id } from './instance.ts'
import { rows } from './people.ts'
import { isHeldBy } from './seen-enriching.ts'

/** Rows about results and links that the viewer does not see, because of their keys. */
export function unseenResults(twins: readonly Partly[]): Rows[] {
  const unseen = (kind: 'enrichments' | 'observableLinks') =>
    twins.flatMap(({ instance, seen }) => {
      const { holdings } = instance.world
      const isHeld = isHeldBy(holdings.enrichers, seen)
      return holdings[kind].flatMap((each) => (isHeld(each) ? [] : id(instance, each.name)))
    })
  return [
    { table: 'enrichments', column: 'id', ids: unseen('enrichments') },
    { table: 'observable_links', column: 'id', ids: unseen('observableLinks') },
  ]
}

/**
 * Makes queues, and results under keys that the viewer holds, be about other unseen observables instead of those that are removed: how many
 * there are is not secret.
 */
export async function replaceUnseenSubjects(db: Kysely<unknown>, twins: readonly Partly[]): Promise<void> {
  const unseen = twins.flatMap(({ instance, seen }) =>
    instance.world.observables.flatMap(({ name }) =>
      seen.names.has(name) ? [] : { old: Number(id(instance, name)), value: `${instance.number}${name}.other.example` },
    ),
  )
  await sql`
    insert into observables (type, value) select 'domain', i.value from ${rows(unseen, 'value text')}`.execute(db)
  for (const table of ['enrichments', 'enrichment_requests']) {
    await sql`
      update ${sql.table(table)} as t set observable = o.id
      from ${rows(unseen, 'old integer, value text')} join observables as o on o.value = i.value
      where t.observable = i.old`.execute(db)
  }
  await sql`
    update enrichments set findings = '[]', raw = null, raw_size = null, run = null, requested_by = null, reason = null
    where observable in (
      select o.id from ${rows(unseen, 'value text')} join observables as o on o.value = i.value)`.execute(db)
}
