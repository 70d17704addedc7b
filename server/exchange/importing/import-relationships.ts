import { sql } from 'kysely'
import { typeOfStixId } from '../../domain/stix-ids.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf } from '../../engine/select.ts'
import type { Finding, FoundRelationship } from '../../formats/finding.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { unifiedAmong } from '../../intelligence/entities/refuse-unified.ts'
import { lifetime, noteOrigins, type Origin } from '../../intelligence/origins.ts'
import { type RelationshipItem, writeRelationships } from '../../intelligence/relationships/write-relationships.ts'
import type { Contributor } from './contributions.ts'
import { FOREIGN } from './entity-plan.ts'
import { noteRelationships } from './note-findings.ts'
import type { Located, Outcome } from './outcome.ts'
import type { ImportSettings } from './parse-entity.ts'
import { parseItem } from './parse-item.ts'
import { knownStixIds, NO_MORE_PLACEHOLDERS, type Stored } from './placeholder-budget.ts'
import { retractRelationships } from './retract.ts'
import { type Age, compareVersions, type VersionedBy } from './version-order.ts'

type LocatedRelationship = Located<Extract<Finding, { kind: 'relationship' }>>

interface ParsedRelationship {
  readonly located: LocatedRelationship
  readonly item: RelationshipItem
}

/** Stores relationships of a document. Unknown entities at their ends become placeholders, up to a limit. */
export async function importRelationships(
  ctx: Context,
  all: readonly LocatedRelationship[],
  settings: ImportSettings,
  versionedBy: VersionedBy,
  placeholderLimit: number,
): Promise<Stored> {
  const source = settings.source ?? sightOf(ctx).home
  const ends = all.flatMap(({ finding: { relationship } }) => endsOf(relationship))
  const known = await knownStixIds(ctx, [...new Set(ends)])
  const unified = await unifiedAmong(ctx, { stixIds: [...known] })
  const existing = await findExisting(ctx, all, versionedBy)
  const parsed: ParsedRelationship[] = []
  const placeholders = new Set<string>()
  const outcomes: Outcome[] = []
  const retracted: string[] = []
  for (const located of all) {
    const { relationship } = located.finding
    const before = existing.get(relationship.id ?? '')
    const age = before && ageOf(relationship, before, versionedBy)
    if (isWithdrawal(located, before, age, settings)) {
      if (before && settings.contributor?.isNewest) retracted.push(before.id)
      outcomes.push({ ...aboutOf(located), outcome: before ? 'updated' : 'unchanged', details: [], notes: [WITHDRAWN] })
      continue
    }
    const unwritten =
      outcomeWithoutWrite(located, before, age, known, settings) ?? outcomeOfUnified(located, before, unified)
    const read = unwritten ?? parse(ctx, located, source, settings)
    const absent = endsOf(relationship).filter((id) => !known.has(id) && !placeholders.has(id))
    if ('outcome' in read) outcomes.push(read)
    else if (placeholders.size + absent.length > placeholderLimit) {
      const details = absent.map((id) => `It leads to '${id.slice(0, 200)}', which is neither in the file nor known.`)
      outcomes.push({ ...aboutOf(located), outcome: 'lost', details: [...details, NO_MORE_PLACEHOLDERS] })
    } else {
      for (const id of absent) placeholders.add(id)
      parsed.push(read)
    }
  }
  if (source !== null) await retractRelationships(ctx, source, retracted)
  if (parsed.length > 0) outcomes.push(...(await write(ctx, parsed, existing, settings.contributor)))
  return { outcomes, placeholders: placeholders.size }
}

const WITHDRAWN = 'Its sender withdrew it, and it was removed.'

const endsOf = ({ data }: FoundRelationship) => [data.source, data.target]

/** Whether a relationship of a feed was withdrawn, and the importer may remove it. */
const isWithdrawal = (
  { finding: { relationship } }: LocatedRelationship,
  before: ExistingRelationship | undefined,
  age: Age | undefined,
  { contributor }: ImportSettings,
): boolean => relationship.isWithdrawn === true && contributor !== undefined && age !== 'older' && !before?.is_foreign

/** The outcome of a relationship that is foreign, invalid or outdated; undefined if it is to be written. */
function outcomeWithoutWrite(
  located: LocatedRelationship,
  before: ExistingRelationship | undefined,
  age: Age | undefined,
  known: ReadonlySet<string>,
  { isOwnOnly }: ImportSettings,
): Outcome | undefined {
  const { relationship, losses = [] } = located.finding
  const about = { ...aboutOf(located), relationship: before?.id }
  if (before?.is_foreign && isOwnOnly) return { ...about, outcome: 'unchanged', details: [], notes: [FOREIGN] }
  const [from, to] = endsOf(relationship)
  const lacking = endsOf(relationship).filter((id) => !known.has(id) && typeOfStixId(id) === undefined)
  if (lacking.length > 0)
    return refused(
      located,
      lacking.map((id) => `There is no '${id.slice(0, 200)}' in entities.`),
    )
  if (from === to) return refused(located, ['Its two ends are the same entity.'])
  return age === 'older' ? { ...about, outcome: 'outdated', details: losses } : undefined
}

/** Relationships belong to the contributors of unified entities, and not to these. */
function outcomeOfUnified(
  located: LocatedRelationship,
  before: ExistingRelationship | undefined,
  unified: ReadonlyMap<string, string>,
): Outcome | undefined {
  const reasons = endsOf(located.finding.relationship).flatMap((id) => unified.get(id) ?? [])
  return reasons.length === 0 ? undefined : { ...refused(located, reasons), relationship: before?.id }
}

/** Writes relationships with their origins and, for a feed, its contribution. */
async function write(
  ctx: Context,
  parsed: readonly ParsedRelationship[],
  existing: ReadonlyMap<string, ExistingRelationship>,
  contributor: Contributor | undefined,
): Promise<Outcome[]> {
  const { rows, isMade, isChanged } = await writeRelationships(
    ctx,
    resourceOf(ctx, 'relationships'),
    parsed.map(({ item }) => item),
    { isImport: true },
  )
  const stored = parsed.map(({ located }, i) => ({ located, row: rows[i] ?? { id: '' } }))
  await noteOrigins(
    ctx,
    'relationships',
    stored.flatMap(({ located: { finding }, row }): Origin[] => {
      const { id, origin } = finding.relationship
      const isKnown = existing.has(id ?? '')
      return origin ? [{ id: String(row.id), ...origin, ...(isKnown && { created: undefined }) }] : []
    }),
  )
  if (contributor) {
    await noteRelationships(
      ctx,
      contributor,
      stored.map(({ located: { finding }, row }) => ({
        id: String(row.id),
        holder: finding.relationship.isPart ? finding.relationship.data.source : null,
      })),
    )
  }
  return stored.map(({ located, row }): Outcome => {
    const outcome = isMade(row) ? 'created' : isChanged(row) ? 'updated' : 'unchanged'
    return { ...aboutOf(located), relationship: String(row.id), outcome, details: located.finding.losses ?? [] }
  })
}

/** Compares a relationship to the stored version; without any version, it counts as newer. */
function ageOf({ data, origin }: FoundRelationship, before: ExistingRelationship, versionedBy: VersionedBy): Age {
  const version = versionedBy && data[versionedBy]
  if (typeof version === 'string' && before.version) return compareVersions(version, before.version)
  const modified = versionedBy === 'modified' && version === undefined ? origin?.modified : undefined
  return modified !== undefined && !before.version ? compareVersions(modified, before.modified) : 'newer'
}

const aboutOf = ({ position, finding }: LocatedRelationship) => ({
  position,
  place: finding.at,
  kind: 'relationship' as const,
})

const refused = (located: LocatedRelationship, details: readonly string[]): Outcome => ({
  ...aboutOf(located),
  outcome: 'refused',
  details,
})

function parse(
  ctx: Context,
  located: LocatedRelationship,
  source: string | null,
  { tlpOverride, sourceReliability }: ImportSettings,
): ParsedRelationship | Outcome {
  const { origin: _, ...relationship } = located.finding.relationship
  const meta = {
    ...(sourceReliability && { source_reliability: sourceReliability }),
    ...relationship.meta,
    ...(tlpOverride && { tlp_color: tlpOverride }),
  }
  const sent = { ...relationship, meta, ...(source !== null && { sources: [source] }) }
  const read = parseItem(resourceOf(ctx, 'relationships'), sent)
  return 'faults' in read ? refused(located, read.faults) : { located, item: read.item as unknown as RelationshipItem }
}

/** A stored relationship, as far as an import has to know it. */
interface ExistingRelationship {
  readonly id: string
  readonly version: string | null
  readonly modified: string
  /** Whether the caller's own source is not one of its sources. */
  readonly is_foreign: boolean
}

async function findExisting(
  ctx: Context,
  all: readonly LocatedRelationship[],
  versionedBy: VersionedBy,
): Promise<Map<string, ExistingRelationship>> {
  const ids = all.flatMap(({ finding }) => finding.relationship.id ?? [])
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ExistingRelationship>`
    select t.id, t.data ->> ${versionedBy ?? ''}::text as version, ${lifetime}, not exists (
      select from unnest(t.vis) as k(key) join sources as s on s.number = ${sourceOf(sql`k.key`)}
      where s.id = ${sightOf(ctx).home}::uuid) as is_foreign
    from relationships as t left join relationship_origins as o on o.source = t.id
    where t.id = any(${ids}::uuid[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}
