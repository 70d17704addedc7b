import type { Contributor } from './contributions.ts'
import { type ExistingEntity, isKnown, type MatchedEntity } from './existing-entity.ts'
import type { Outcome } from './outcome.ts'
import type { ParsedEntity } from './parse-entity.ts'
import { type Age, compareVersions, type VersionedBy } from './version-order.ts'

/** What happens to each entity of a batch. */
export interface EntityPlan {
  readonly matched: readonly MatchedEntity[]
  /** Entities that the importer may write. */
  readonly usable: readonly MatchedEntity[]
  /** Usable entities that are to be stored and are not outdated; unchanged versions still add links. */
  readonly current: readonly MatchedEntity[]
  /** Current entities that are new or have a newer version. */
  readonly written: readonly MatchedEntity[]
  /** Ids of stored entities that go because their sender withdrew them. */
  readonly deleted: readonly string[]
  /** The outcome of an entity that is not written; undefined for all others. */
  outcomeWithoutWrite(match: MatchedEntity): Outcome | undefined
}

/** Why a known object was left unchanged. */
export const FOREIGN = 'It belongs to another source and was not changed.'
export const KEPT = 'Its sender withdrew it. It was kept because the feed is set to keep withdrawn entities.'
const DELETED = 'Its sender withdrew it. It was deleted because the feed is set to delete withdrawn entities.'
const TAKEN = 'An entity with this data.id already exists, and you may not see it.'

/** Decides from the stored entities what happens to those of a document. `unified` tells by STIX ids which cannot be written, and why. */
export function planEntities(
  matched: readonly MatchedEntity[],
  versionedBy: VersionedBy,
  isOwnOnly: boolean,
  contributor: Contributor | undefined,
  unified: ReadonlyMap<string, string>,
): EntityPlan {
  const isForeign = (existing: ExistingEntity | undefined) => isOwnOnly && isKnown(existing) && existing.is_foreign
  const usable = matched.filter(
    ({ existing }) =>
      !isKnown(existing) || (existing.is_visible && !unified.has(existing.stix_id) && !isForeign(existing)),
  )
  const latest = usable.filter(({ parsed, existing }) => ageOf(parsed, existing, versionedBy) !== 'older')
  const fates = new Map(latest.map((match) => [match.parsed, fateOf(match, contributor)]))
  const current = latest.filter(({ parsed }) => fates.get(parsed) === 'written')
  return {
    matched,
    usable,
    current,
    written: current.filter(({ parsed, existing }) => ageOf(parsed, existing, versionedBy) === 'newer'),
    deleted: latest.flatMap(({ parsed, existing }) => (fates.get(parsed) === 'deleted' && existing ? existing.id : [])),
    outcomeWithoutWrite: ({ parsed, existing }) => {
      const about = aboutOf(parsed)
      const fate = fates.get(parsed)
      if (isKnown(existing) && !existing.is_visible) return { ...about, outcome: 'refused', details: [TAKEN] }
      const reason = unified.get(existing?.stix_id ?? '')
      if (reason !== undefined) return { ...about, entity: existing?.id, outcome: 'refused', details: [reason] }
      const unchanged = { ...about, entity: existing?.id, outcome: 'unchanged', details: [] } as const
      if (isForeign(existing)) return { ...unchanged, notes: [...(about.notes ?? []), FOREIGN] }
      if (fate === 'kept') return { ...unchanged, notes: [KEPT] }
      if (fate === 'deleted')
        return { ...about, outcome: existing ? 'updated' : 'unchanged', details: [], notes: [DELETED] }
      return fate ? undefined : { ...about, entity: existing?.id, outcome: 'outdated', details: parsed.losses }
    },
  }
}

/** The part of an outcome that does not depend on what happened. */
export const aboutOf = ({ located: { position, finding }, item }: ParsedEntity) => ({
  position,
  place: finding.at,
  kind: 'entity' as const,
  stixId: item.data.id,
  notes: finding.notes,
})

/** Compares a parsed entity to the stored version; without any version, it counts as newer. */
function ageOf({ item, located }: ParsedEntity, existing: ExistingEntity | undefined, versionedBy: VersionedBy): Age {
  const version = versionedBy && item.data[versionedBy]
  const modified = versionedBy === 'modified' ? located.finding.entity.origin?.modified : undefined
  if (!isKnown(existing)) return 'newer'
  if (typeof version === 'string' && existing.version) return compareVersions(version, existing.version)
  return version === undefined && modified !== undefined && !existing.version
    ? compareVersions(modified, existing.modified)
    : 'newer'
}

/** What happens to a version that is not outdated: the feed decides about those that their sender withdrew. */
function fateOf(
  { parsed, existing }: MatchedEntity,
  contributor: Contributor | undefined,
): 'written' | 'kept' | 'deleted' {
  const isWithdrawn = parsed.located.finding.entity.isWithdrawn === true && contributor?.isNewest === true
  if (!isWithdrawn || contributor?.withdrawn === 'mark') return 'written'
  if (contributor?.withdrawn === 'delete') return 'deleted'
  return isKnown(existing) ? 'kept' : 'written'
}
