import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { conflict } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { textList, uuidList } from '../../fast/binary-arrays.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { shownTitleOf } from './meta.ts'

/**
 * Unified entities follow from their contributors, so that what changes them is refused. A caller who does not see a unified entity
 * gets what they get for every entity that they do not see.
 */

/** At most this many contributors are named. */
const MAX_NAMED = 10

interface Unified {
  readonly id: string
  readonly stix_id: string
  readonly title: string
  readonly count: number
  readonly contributors: readonly { readonly id: string; readonly title: string }[] | null
}

/** Why the visible unified entities among some entities cannot be changed, by their ids and STIX ids. */
export async function unifiedAmong(
  ctx: Pick<Context, 'db' | 'caller'>,
  { ids = [], stixIds = [] }: { readonly ids?: readonly string[]; readonly stixIds?: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  if (ids.length + stixIds.length === 0) return new Map()
  // Readers of a unified entity see all of its contributors.
  const { rows } = await sql<Unified>`
    select t.id, t.stix_id, ${sql.raw(shownTitleOf('t'))} as title,
      (select count(*)::integer from contributors as m where m.unified = t.id) as count,
      (select json_agg(c) from (
        select c.id, ${sql.raw(shownTitleOf('c'))} as title
        from contributors as m join entities as c on c.id = m.entity
        where m.unified = t.id
        order by c.stix_id
        limit ${MAX_NAMED}
      ) as c) as contributors
    from entities as t
    where (t.id = any(${uuidList(ids)}::uuid[]) or t.stix_id = any(${textList(stixIds)}::text[]))
      and t.is_unified and ${holdsKey(ctx, sql`t.vis`)}`.execute(ctx.db)
  return new Map(rows.flatMap((row) => [row.id, row.stix_id].map((key) => [key, reasonOf(row)] as const)))
}

/** Throws a 409 if one of these entities is a unified entity that the caller sees. */
export async function refuseUnified(ctx: Pick<Context, 'db' | 'caller'>, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return
  const reasons = await unifiedAmong(ctx, { ids: [...new Set(ids.map(String))] })
  if (reasons.size > 0) throw conflict([...new Set(reasons.values())])
}

/** The same for links from another object to entities. Links that a unified entity has already follow from its contributors. */
export async function refuseNewLinks(
  ctx: Pick<Context, 'db' | 'caller'>,
  table: 'entity_observables' | 'entity_attachments',
  links: readonly { readonly entity: string; readonly target: string | number }[],
): Promise<void> {
  if (links.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select distinct t.id
    from unnest(
      ${uuidList(links.map(({ entity }) => entity))}::uuid[],
      ${textList(links.map(({ target }) => String(target)))}::text[]) as i(entity, target)
    join entities as t on t.id = i.entity
    where t.is_unified and ${holdsKey(ctx, sql`t.vis`)}
      and not exists (select from ${sql.table(table)} as l where l.source = t.id and l.target::text = i.target)`.execute(
    ctx.db,
  )
  await refuseUnified(
    ctx,
    rows.map(({ id }) => id),
  )
}

const MAX_TITLE_LENGTH = 200

const shortened = (title: string): string =>
  title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH).toWellFormed()}…` : title

function reasonOf({ title, count, contributors }: Unified): string {
  const named = (contributors ?? []).map((one) => `"${shortened(one.title)}" (${one.id})`)
  const more = count > named.length ? [`${count - named.length} more`] : []
  return `"${shortened(title)}" is a unified entity. Change its contributors instead: ${[...named, ...more].join(', ')}.`
}
