import { relevancy } from '../../domain/relevancy.ts'
import type { AnyRow, Context } from '../../engine/resource.ts'
import type { Written } from './links.ts'

/** A new entity as the database would give it back: reading a thousand again would take longer than writing them. */
export function madeRow(
  ctx: Context,
  { item, entity, source, taxonomies }: Written,
  observables: number[],
  now: string,
): AnyRow {
  const { search: _search, stix_id: _stixId, type: _type, vis: _vis, ...columns } = entity
  const ids = (links: readonly { id: unknown }[] = []) =>
    links.length === 0 ? [] : [...new Set(links.map(({ id }) => id))].sort()
  const age = columns.threat_start === null ? null : (Date.parse(now) - Date.parse(columns.threat_start)) / 1000
  return {
    ...columns,
    title: columns.data.title,
    taxonomies,
    attachments: ids(item.attachments),
    datasets: ids(item.datasets).sort((a, b) => Number(a) - Number(b)),
    observables,
    sources: [source],
    incoming_feed: null,
    outgoing_feeds: [],
    relevancy: age === null ? null : relevancy(age, columns.half_life),
    is_outdated: false,
    created_at: now,
    created_by: ctx.caller.id || null,
    last_updated_at: now,
  }
}
