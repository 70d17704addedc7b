import { sql } from 'kysely'
import { sightOf } from '../../auth/sight.ts'
import { typeOfStixId } from '../../domain/stix-ids.ts'
import { createSchema, parseItems } from '../../engine/body.ts'
import { ApiError } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf } from '../../engine/select.ts'
import type { Finding } from '../../formats/finding.ts'
import { type RelationshipItem, writeRelationships } from '../../resources/relationships/operations.ts'
import type { Given } from './drafts.ts'
import type { VersionedBy } from './import-entities.ts'
import type { Located, Outcome } from './outcome.ts'

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
): Promise<Outcome[]> {
  const resource = resourceOf(ctx, 'relationships')
  const source = given.source ?? sightOf(ctx).home
  const known = await endsAmong(ctx, all)
  const versions = versionedBy ? await versionsOf(ctx, all, versionedBy) : new Map<string, string>()
  const drafts: Draft[] = []
  const outcomes: Outcome[] = []
  const refuse = (located: Located<RelationshipFinding>, details: readonly string[]) =>
    outcomes.push({ ...aboutOf(located), outcome: 'refused', details })
  for (const located of all) {
    const { relationship, losses = [] } = located.finding
    const { source: from, target: to } = relationship.data
    const lacking = [from, to].filter((id) => !known.has(id) && typeOfStixId(id) === undefined)
    const version = versionedBy && relationship.data[versionedBy]
    const before = versions.get(relationship.id ?? '')
    if (lacking.length > 0)
      refuse(
        located,
        lacking.map((id) => `There is no '${id.slice(0, 200)}' in entities.`),
      )
    else if (from === to) refuse(located, ['Its two ends are the same entity.'])
    else if (before !== undefined && typeof version === 'string' && version < before) {
      outcomes.push({ ...aboutOf(located), outcome: 'outdated', details: losses })
    } else {
      const read = readItem(ctx, located, source)
      if ('faults' in read) refuse(located, read.faults)
      else drafts.push(read)
    }
  }
  if (drafts.length === 0) return outcomes
  const { rows, isMade, isChanged } = await writeRelationships(
    ctx,
    resource,
    drafts.map(({ item }) => item),
    { isImport: true },
  )
  return [
    ...outcomes,
    ...drafts.map(({ located }, i): Outcome => {
      const row = rows[i] ?? { id: '' }
      const outcome = isMade(row) ? 'created' : isChanged(row) ? 'updated' : 'unchanged'
      const { losses = [] } = located.finding
      return { ...aboutOf(located), relationship: String(row.id), outcome, details: losses }
    }),
  ]
}

const aboutOf = ({ position, finding }: Located<RelationshipFinding>) => ({
  position,
  place: finding.at,
  kind: 'relationship' as const,
})

function readItem(
  ctx: Context,
  located: Located<RelationshipFinding>,
  source: string | null,
): Draft | { readonly faults: readonly string[] } {
  const resource = resourceOf(ctx, 'relationships')
  const sent = { ...located.finding.relationship, ...(source !== null && { sources: [source] }) }
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

async function versionsOf(
  ctx: Context,
  all: readonly Located<RelationshipFinding>[],
  versionedBy: string,
): Promise<Map<string, string>> {
  const ids = all.flatMap(({ finding }) => finding.relationship.id ?? [])
  const { rows } = await sql<{ id: string; version: string | null }>`
    select id, data ->> ${versionedBy}::text as version from relationships where id = any(${ids}::uuid[])`.execute(
    ctx.db,
  )
  return new Map(rows.flatMap(({ id, version }) => (version === null ? [] : [[id, version] as const])))
}
