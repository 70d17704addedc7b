import { sql } from 'kysely'
import { typeOfStixId } from '../../domain/stix-ids.ts'
import { createSchema, parseItems } from '../../engine/body.ts'
import { ApiError } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'
import type { Finding, FoundRelationship } from '../../formats/finding.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { lifetime, noteOrigins, type Origin } from '../../intelligence/origins.ts'
import { type RelationshipItem, writeRelationships } from '../../intelligence/relationships/operations.ts'
import type { Given } from './drafts.ts'
import { FOREIGN, type VersionedBy } from './import-entities.ts'
import { noteRelationships } from './note-findings.ts'
import type { Located, Outcome } from './outcome.ts'
import { NO_MORE_PLACEHOLDERS, type Stored } from './placeholder-limit.ts'
import { takeAwayRelationships } from './take-away.ts'
import { ageOf } from './version-order.ts'

type RelationshipFinding = Extract<Finding, { kind: 'relationship' }>

interface Draft {
  readonly located: Located<RelationshipFinding>
  readonly item: RelationshipItem
}

/** Stores relationships of a document; entities that they lead to and that nobody has sent yet become placeholders. */
export async function importRelationships(
  ctx: Context,
  all: readonly Located<RelationshipFinding>[],
  given: Given,
  versionedBy: VersionedBy,
  room: number,
): Promise<Stored> {
  const resource = resourceOf(ctx, 'relationships')
  const source = given.source ?? sightOf(ctx).home
  const known = await endsAmong(ctx, all)
  const standing = await findStanding(ctx, all, versionedBy)
  const drafts: Draft[] = []
  const placeholders = new Set<string>()
  const outcomes: Outcome[] = []
  const gone: string[] = []
  const refuse = (located: Located<RelationshipFinding>, details: readonly string[]) =>
    outcomes.push({ ...aboutOf(located), outcome: 'refused', details })
  for (const located of all) {
    const { relationship, losses = [] } = located.finding
    const { source: from, target: to } = relationship.data
    const lacking = [from, to].filter((id) => !known.has(id) && typeOfStixId(id) === undefined)
    const before = standing.get(relationship.id ?? '')
    const isLate = before !== undefined && isOlder(relationship, before, versionedBy)
    if (relationship.isWithdrawn && given.contributor && !isLate && !before?.is_foreign) {
      if (before && given.contributor.isNewest) gone.push(before.id)
      outcomes.push({ ...aboutOf(located), outcome: before ? 'updated' : 'unchanged', details: [], notes: [WITHDRAWN] })
    } else if (before?.is_foreign && given.isOwnOnly) {
      outcomes.push({
        ...aboutOf(located),
        relationship: before.id,
        outcome: 'unchanged',
        details: [],
        notes: [FOREIGN],
      })
    } else if (lacking.length > 0)
      refuse(
        located,
        lacking.map((id) => `There is no '${id.slice(0, 200)}' in entities.`),
      )
    else if (from === to) refuse(located, ['Its two ends are the same entity.'])
    else if (isLate) {
      outcomes.push({ ...aboutOf(located), relationship: before.id, outcome: 'outdated', details: losses })
    } else {
      const read = readItem(ctx, located, source, given)
      const absent = [from, to].filter((id) => !known.has(id) && !placeholders.has(id))
      if ('faults' in read) refuse(located, read.faults)
      else if (placeholders.size + absent.length > room) {
        const details = absent.map((id) => `It leads to '${id.slice(0, 200)}', which is neither in the file nor known.`)
        outcomes.push({ ...aboutOf(located), outcome: 'lost', details: [...details, NO_MORE_PLACEHOLDERS] })
      } else {
        for (const id of absent) placeholders.add(id)
        drafts.push(read)
      }
    }
  }
  if (source !== null) await takeAwayRelationships(ctx, source, gone)
  if (drafts.length === 0) return { outcomes, placeholders: 0 }
  const { rows, isMade, isChanged } = await writeRelationships(
    ctx,
    resource,
    drafts.map(({ item }) => item),
    { isImport: true },
  )
  await noteOrigins(
    ctx,
    'relationships',
    drafts.flatMap(({ located: { finding } }, i): Origin[] => {
      const { id, origin } = finding.relationship
      const isKnown = standing.has(id ?? '')
      return origin ? [{ id: String(rows[i]?.id), ...origin, ...(isKnown && { created: undefined }) }] : []
    }),
  )
  if (given.contributor) {
    await noteRelationships(
      ctx,
      given.contributor,
      drafts.map(({ located }, i) => ({
        id: String(rows[i]?.id),
        holder: located.finding.relationship.isPart ? located.finding.relationship.data.source : null,
      })),
    )
  }
  const written = drafts.map(({ located }, i): Outcome => {
    const row = rows[i] ?? { id: '' }
    const outcome = isMade(row) ? 'created' : isChanged(row) ? 'updated' : 'unchanged'
    const { losses = [] } = located.finding
    return { ...aboutOf(located), relationship: String(row.id), outcome, details: losses }
  })
  return { outcomes: [...outcomes, ...written], placeholders: placeholders.size }
}

/** Whether a relationship is of a version before the one that is there. */
function isOlder({ data, origin }: FoundRelationship, before: Standing, versionedBy: VersionedBy): boolean {
  const version = versionedBy && data[versionedBy]
  if (typeof version === 'string' && before.version) return ageOf(version, before.version) === 'older'
  const made = versionedBy === 'modified' && version === undefined ? origin?.modified : undefined
  return made !== undefined && !before.version && ageOf(made, before.modified) === 'older'
}
const WITHDRAWN = 'Its sender withdrew it, so it is not there any more.'

const aboutOf = ({ position, finding }: Located<RelationshipFinding>) => ({
  position,
  place: finding.at,
  kind: 'relationship' as const,
})

function readItem(
  ctx: Context,
  located: Located<RelationshipFinding>,
  source: string | null,
  { tlpOverride, sourceReliability }: Given,
): Draft | { readonly faults: readonly string[] } {
  const resource = resourceOf(ctx, 'relationships')
  const { relationship } = located.finding
  const meta = {
    ...(sourceReliability && { source_reliability: sourceReliability }),
    ...relationship.meta,
    ...(tlpOverride && { tlp_color: tlpOverride }),
  }
  const { origin: _, ...said } = relationship
  const sent = { ...said, meta, ...(source !== null && { sources: [source] }) }
  try {
    const [item] = parseItems(resource, createSchema(resource), [sent], [])
    return { located, item: item as unknown as RelationshipItem }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { faults: error.details.map((detail) => detail.replace(/^\[0\]\.?/, '')) }
  }
}

/** Which of the STIX ids at the ends are known, whatever their form. */
async function endsAmong(ctx: Context, all: readonly Located<RelationshipFinding>[]): Promise<Set<string>> {
  const ends = new Set(
    all.flatMap(({ finding: { relationship } }) => [relationship.data.source, relationship.data.target]),
  )
  const { rows } = await sql<{ stix_id: string }>`
    select stix_id from entities where stix_id = any(${[...ends]}::text[])`.execute(ctx.db)
  return new Set(rows.map(({ stix_id }) => stix_id))
}

/** A relationship that is there already. */
interface Standing {
  readonly id: string
  readonly version: string | null
  readonly modified: string
  /** Whether none of its sources is the caller's own. */
  readonly is_foreign: boolean
}

async function findStanding(
  ctx: Context,
  all: readonly Located<RelationshipFinding>[],
  versionedBy: VersionedBy,
): Promise<Map<string, Standing>> {
  const ids = all.flatMap(({ finding }) => finding.relationship.id ?? [])
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Standing>`
    select t.id, t.data ->> ${versionedBy ?? ''}::text as version, ${lifetime}, not exists (
      select from unnest(t.vis) as k(key) join sources as s on s.number = ${sourceOf(sql`k.key`)}
      where s.id = ${sightOf(ctx).home}::uuid) as is_foreign
    from relationships as t left join relationship_origins as o on o.source = t.id
    where t.id = any(${ids}::uuid[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}
