import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { TLP } from '../../../domain/tlp.ts'
import { defineAction } from '../../../engine/action.ts'
import type { Context, Item } from '../../../engine/context.ts'
import { wireTime } from '../../../engine/document.ts'
import { requireVisible } from '../../../engine/fetch.ts'
import { readId } from '../../../engine/query.ts'
import { type Id, toUrl } from '../../../engine/reference.ts'
import { resourceOf } from '../../../engine/select.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { sourceOf } from '../../../identity/access/visibility.ts'
import { reason } from '../reason.ts'
import { compareTexts, confidenceWord } from './contributor.ts'
import { describeOrigin, type FieldOrigin } from './provenance.ts'
import { readSeenContributors, readUnified, type StoredContributor, type StoredUnified } from './read-contributors.ts'
import { isEmpty } from './values.ts'

const contributor = z.object({
  entity: z.url(),
  stix_id: z.string(),
  title: z.string(),
  type: z.string(),
  source: z.url(),
  source_name: z.string(),
  source_reliability: z.string().nullable(),
  tlp_color: z.enum(TLP).nullable(),
  confidence: z.string().nullable(),
  last_updated_at: z.iso.datetime({ offset: true }),
  is_assigned: z.boolean().describe('Whether a user put it there.'),
  reason: reason.nullable().describe('What it has in common with other contributors, if known.'),
  since: z.iso.datetime({ offset: true }),
  contributes: z.boolean(),
  why_not: z.string().nullable().describe('Why it contributes nothing.'),
})

const field = z.object({
  field: z.string().describe('Such as data.description.'),
  value: z.unknown(),
  from: z
    .union([z.url(), z.array(z.url())])
    .describe('The contributor that the value comes from; several if it is combined.'),
  rule: z.string().describe('Why this value was chosen.'),
  others: z.array(z.object({ entity: z.url(), value: z.unknown() })).describe('What other contributors say instead.'),
})

const contributions = z.object({
  unified: z.url().nullable(),
  policy: z.url().nullable(),
  source: z.url().nullable(),
  contributors: z.array(contributor),
  fields: z.array(field),
})
type Contributions = z.output<typeof contributions>

const NONE: Contributions = { unified: null, policy: null, source: null, contributors: [], fields: [] }

/** Shows what a unified entity is composed of, and why. */
export const listContributions = defineAction({
  name: 'list_entity_contributions',
  doc: 'Get the contributors of a unified entity, and where each of its fields comes from; of a contributor, those of its unified entity',
  tag: 'entities',
  method: 'GET',
  path: '/entities/:id/contributions',
  permission: 'read entities',
  result: contributions,
  refusals: [404],
  run: async (ctx, _, { params }) => {
    const entities = resourceOf(ctx, 'entities')
    const id = readId(entities, params.id ?? '')
    await requireVisible(ctx, entities, id)
    const unified = await unifiedOf(ctx, id)
    return unified ? contributionsOf(ctx, unified) : NONE
  },
})

/** The unified entity with an id or a contributor, if the caller sees it. */
async function unifiedOf(ctx: Context, id: Id): Promise<StoredUnified | undefined> {
  const { rows } = await sql<{ id: string }>`
    select u.id from entities as u
    where u.id in (${id}::uuid, (select m.unified from contributors as m where m.entity = ${id}::uuid))
      and u.is_unified and ${holdsKey(ctx, sql`u.vis`)}`.execute(ctx.db)
  const [found] = rows
  return found && (await readUnified(ctx, [found.id], holdsKey(ctx, sql`t.vis`))).get(found.id)
}

interface Membership {
  readonly entity: string
  readonly is_assigned: boolean
  readonly since: string
  readonly last_updated_at: string
  readonly source: string
  readonly source_name: string
  readonly reason: z.output<typeof reason> | null
}

async function contributionsOf(ctx: Context, unified: StoredUnified): Promise<Contributions> {
  const memberships = await membershipsIn(ctx, unified.id)
  const contributors = await readSeenContributors(
    ctx,
    memberships.map(({ entity }) => entity),
  )
  const whyNot = unified.provenance?.why_not ?? {}
  return {
    unified: toUrl(ctx.baseUrl, 'entities', unified.id),
    ...(await originOf(ctx, unified)),
    contributors: memberships.flatMap((membership) => {
      const found = contributors.get(membership.entity)
      return found ? [shownContributor(ctx, found, membership, whyNot[found.id] ?? null)] : []
    }),
    fields: Object.entries(unified.provenance?.fields ?? {})
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([name, origin]) => shownField(ctx, name, origin, unified, contributors)),
  }
}

/** The contributors that the caller sees, which are all unless one has just become more restricted. */
async function membershipsIn(ctx: Context, unified: string): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select m.entity, m.is_assigned, ${wireTime(sql`m.since`)} as since, ${wireTime(sql`e.last_updated_at`)} as last_updated_at,
      s.id as source, s.name as source_name, (
        select v.reason from consolidation_events as v
        where v.entity = m.entity and v.unified = m.unified and v.undone_at is null and ${holdsKey(ctx, sql`v.vis`)}
        order by v.id desc
        limit 1
      ) as reason
    from contributors as m
    join entities as e on e.id = m.entity
    join sources as s on s.number = ${sourceOf(sql`e.vis`)}
    where m.unified = ${unified}::uuid and ${holdsKey(ctx, sql`e.vis`)}
    order by e.data ->> 'title', e.stix_id`.execute(ctx.db)
  return rows
}

/** The policy, unless it was deleted or the entity is not of one, and the source of the merge group. */
async function originOf(
  ctx: Context,
  { policy, source }: StoredUnified,
): Promise<Pick<Contributions, 'policy' | 'source'>> {
  const { rows } = await sql<{ policy: number | null; source: string | null }>`
    select (select id from consolidation_rules where id = ${policy}::integer) as policy,
      (select id from sources where number = ${source}::integer) as source`.execute(ctx.db)
  const [found] = rows
  return {
    policy: found?.policy ? toUrl(ctx.baseUrl, 'consolidation_rules', found.policy) : null,
    source: found?.source ? toUrl(ctx.baseUrl, 'sources', found.source) : null,
  }
}

const shownContributor = (
  ctx: Context,
  { id, stixId, type, data, meta }: StoredContributor,
  { is_assigned, since, last_updated_at, source, source_name, reason }: Membership,
  whyNot: string | null,
): Contributions['contributors'][number] => ({
  entity: toUrl(ctx.baseUrl, 'entities', id),
  stix_id: stixId,
  title: String(meta.alias || data.title),
  type,
  source: toUrl(ctx.baseUrl, 'sources', source),
  source_name,
  source_reliability: meta.source_reliability ?? null,
  tlp_color: (meta.tlp_color ?? null) as (typeof TLP)[number] | null,
  confidence: confidenceWord(data.confidence) ?? null,
  last_updated_at,
  is_assigned,
  reason,
  since,
  contributes: whyNot === null,
  why_not: whyNot,
})

/** Fields that combine what all contributors say have no other values. */
const COMBINED: ReadonlySet<FieldOrigin['rule']> = new Set(['union', 'agreed', 'only'])

function shownField(
  ctx: Context,
  name: string,
  origin: FieldOrigin,
  unified: StoredUnified,
  contributors: ReadonlyMap<string, StoredContributor>,
): Contributions['fields'][number] {
  const urls = origin.from.map((id) => toUrl(ctx.baseUrl, 'entities', id))
  const value = fieldOf(unified, name)
  // The colour is chosen among all contributors, and everything else among those that it lets contribute.
  const ignored = name === 'meta.tlp_color' ? {} : (unified.provenance?.why_not ?? {})
  const others = COMBINED.has(origin.rule)
    ? []
    : [...contributors.values()].flatMap((each) => {
        const own = fieldOf(each, name)
        const isOther = !Object.hasOwn(ignored, each.id) && !isEmpty(own) && !isDeepStrictEqual(own, value)
        return isOther ? [{ entity: toUrl(ctx.baseUrl, 'entities', each.id), value: own }] : []
      })
  return {
    field: name,
    value: shownValue(ctx, name, value),
    from: urls.length === 1 && urls[0] !== undefined ? urls[0] : urls,
    rule: describeOrigin(origin),
    others,
  }
}

type Parts = Pick<StoredUnified, 'data' | 'meta' | 'observables' | 'attachments'>

/** The value of a field such as `data.title`. */
function fieldOf({ data, meta, observables, attachments }: Parts, name: string): unknown {
  if (name === 'observables') return observables.map(({ id }) => id)
  if (name === 'attachments') return attachments
  const [document, key] = [name.slice(0, 4), name.slice(5)]
  const fields = document === 'data' ? data : (meta as Item)
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}

/** References in the form of responses. */
function shownValue({ baseUrl }: Context, name: string, value: unknown): unknown {
  const list = (collection: 'observables' | 'attachments' | 'taxonomies') =>
    (value as Id[]).map((id) => toUrl(baseUrl, collection, id))
  if (name === 'observables' || name === 'attachments') return list(name)
  if (name === 'meta.taxonomies') return list('taxonomies')
  if (name === 'meta.attacks') return (value as string[]).map((id) => `${baseUrl}/api/v2/attacks/${id}`)
  return value ?? null
}
