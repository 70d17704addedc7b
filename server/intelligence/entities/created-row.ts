import { relevancy } from '../../domain/relevancy.ts'
import type { AnyRow, Context } from '../../engine/context.ts'
import { StoredJson } from '../../fast/stored-json.ts'
import type { Written } from './link-entities.ts'

/** A created entity as the database would return it. Reading a thousand rows back takes longer than writing them. */
export function createdRow(
  ctx: Context,
  { item, entity, summary, source }: Written,
  observables: number[],
  now: string,
): AnyRow {
  const ids = (links: readonly { id: unknown }[] = []) =>
    links.length === 0 ? [] : [...new Set(links.map(({ id }) => id))].sort()
  const { id, text, meta } = entity
  return {
    id,
    data: new StoredJson(text),
    meta: {
      ...meta,
      title: meta.alias ? meta.alias : summary.title,
      first_ingest_time: now,
      ingest_time: now,
      is_outdated_version: false,
      is_unresolved_idref: false,
      is_withdrawn: summary.isWithdrawn,
      is_unified_entity: false,
      is_contributor_to: null,
      is_exempt_from_consolidation: false,
    },
    attachments: ids(item.attachments),
    datasets: ids(item.datasets).sort((a, b) => Number(a) - Number(b)),
    observables,
    sources: [source],
    incoming_feed: null,
    outgoing_feeds: [],
    relevancy: relevancyAt(now, meta),
    created_at: now,
    created_by: ctx.caller.id || null,
    last_updated_at: now,
  }
}

function relevancyAt(now: string, { estimated_threat_start_time: start, half_life }: Written['entity']['meta']) {
  if (!start || half_life === undefined) return null
  return relevancy((Date.parse(now) - Date.parse(start)) / 1000, half_life)
}
