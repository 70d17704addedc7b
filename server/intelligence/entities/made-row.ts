import { relevancy } from '../../domain/relevancy.ts'
import { StoredJson } from '../../engine/print.ts'
import type { AnyRow, Context } from '../../engine/resource.ts'
import type { Written } from './links.ts'

/** A new entity as the database would give it back: reading a thousand again would take longer than writing them. */
export function madeRow(
  ctx: Context,
  { item, entity, gist, source, taxonomies }: Written,
  observables: number[],
  now: string,
): AnyRow {
  const ids = (links: readonly { id: unknown }[] = []) =>
    links.length === 0 ? [] : [...new Set(links.map(({ id }) => id))].sort()
  const { id, text, meta, tags, attacks, half_life, is_unresolved, threat_start, threat_end, observed } = entity
  const age = threat_start === null ? null : (Date.parse(now) - Date.parse(threat_start)) / 1000
  return {
    id,
    data: new StoredJson(text),
    title: gist.title,
    meta,
    tags,
    attacks,
    half_life,
    is_unresolved,
    threat_start,
    threat_end,
    observed,
    taxonomies,
    attachments: ids(item.attachments),
    datasets: ids(item.datasets).sort((a, b) => Number(a) - Number(b)),
    observables,
    sources: [source],
    incoming_feed: null,
    outgoing_feeds: [],
    relevancy: age === null ? null : relevancy(age, half_life),
    is_outdated: false,
    is_withdrawn: gist.isWithdrawn,
    created_at: now,
    created_by: ctx.caller.id || null,
    last_updated_at: now,
  }
}
