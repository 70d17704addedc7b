import type { AnyRow, Context } from '../../engine/context.ts'
import { retry } from '../../engine/errors.ts'
import { resourceOf } from '../../engine/select.ts'
import { textsIn } from '../../formats/stix2/stix-object.ts'
import type { EntityItem } from '../../intelligence/entities/compose.ts'
import { keepObjects } from '../../intelligence/entities/kept-objects.ts'
import { distinctLinks, linkObservables } from '../../intelligence/entities/link-observables.ts'
import { unifiedAmong } from '../../intelligence/entities/refuse-unified.ts'
import type { SearchPreparation } from '../../intelligence/entities/search-preparation.ts'
import { writeEntities } from '../../intelligence/entities/write.ts'
import { noteOrigins, type Origin } from '../../intelligence/origins.ts'
import { attach } from './attach.ts'
import { type Contributor, type Parts, without } from './contributions.ts'
import { aboutOf, type EntityPlan, planEntities } from './entity-plan.ts'
import { type ExistingEntity, findExisting, isKnown, type MatchedEntity, observablesIn } from './existing-entity.ts'
import type { Outcome } from './outcome.ts'
import type { ImportSettings, ParsedEntity } from './parse-entity.ts'
import { PLACEHOLDER_LIMIT, type PlaceholderBudget, placeholderBudget, type Stored } from './placeholder-budget.ts'
import { deleteEntities, markWithdrawn } from './retract.ts'
import { planRetractions, type Retractions } from './retractions.ts'
import type { VersionedBy } from './version-order.ts'

/**
 * Stores entities of a document. A known entity takes over a newer version and gains observables, attachments, tags and so on; what
 * users added to it stays, and so does its source. With `isOwnOnly`, entities of other sources are not changed. A contributor also
 * removes what it wrote earlier and no longer says.
 */
export async function importEntities(
  ctx: Context,
  entities: readonly ParsedEntity[],
  versionedBy: VersionedBy,
  { isOwnOnly = false, contributor }: Pick<ImportSettings, 'isOwnOnly' | 'contributor'>,
  placeholderLimit = PLACEHOLDER_LIMIT,
  prepared?: SearchPreparation,
): Promise<Stored> {
  const existing = await findExisting(ctx, entities, versionedBy)
  const budget = await placeholderBudget(ctx, entities, placeholderLimit)
  const matched = entities
    .map(budget.withLosses)
    .map((parsed): MatchedEntity => ({ parsed, existing: existing.get(String(parsed.item.data.id)) }))
  const stixIds = [...existing.values()].filter(({ is_unified }) => is_unified).map(({ stix_id }) => stix_id)
  const plan = planEntities(matched, versionedBy, isOwnOnly, contributor, await unifiedAmong(ctx, { stixIds }))
  const retractions = await planRetractions(ctx, plan.current, contributor)
  const attached = await attach(
    ctx,
    plan.current.map(({ parsed }) => parsed),
    isOwnOnly,
  )
  const { ids, isChanged } = await write(ctx, plan, retractions, attached, { budget, prepared })
  await linkToExisting(ctx, plan.current, ids)
  await noteEntityOrigins(ctx, plan.written, ids)
  const written = new Set(plan.written.map(({ parsed }) => parsed))
  await retractions.apply(ids, written, attached)
  await deleteEntities(ctx, plan.deleted)
  await setMarks(ctx, plan.usable, written, ids, contributor)
  const kept = await keepObjects(
    ctx,
    plan.current.flatMap(({ parsed }) =>
      (parsed.located.finding.entity.kept ?? []).map((each) => ({ ...each, entity: ids.get(parsed) ?? '' })),
    ),
  )
  const isTouched = (id: string) => isChanged(id) || kept.has(id) || retractions.changed.has(id)
  const outcomes = matched.map((match) => plan.outcomeWithoutWrite(match) ?? writtenOutcome(match, ids, isTouched))
  return { outcomes, placeholders: written.size > 0 ? budget.count : 0 }
}

/** Creates and updates the written entities; gives the ids of all current ones. */
async function write(
  ctx: Context,
  { written, current }: EntityPlan,
  retractions: Retractions,
  attached: Awaited<ReturnType<typeof attach>>,
  { budget, prepared }: { readonly budget: PlaceholderBudget; readonly prepared: SearchPreparation | undefined },
) {
  const items = written.map(({ parsed, existing }) => {
    const links = attached.get(String(parsed.item.data.id)) ?? []
    if (isKnown(existing)) return merged(existing, parsed, links, retractions.lost(parsed, existing, links))
    return links.length === 0 ? parsed.item : { ...parsed.item, attachments: links }
  })
  const options = { mayBeCreated: budget.allows, prepared, mayHaveUnknownAttacks: true }
  const { rows, created, isChanged } =
    items.length > 0 ? await writeEntities(ctx, resourceOf(ctx, 'entities'), items, options) : NOTHING_WRITTEN
  // Another transaction created or deleted one of them meanwhile, so the plan no longer fits.
  if (created !== written.filter(({ existing }) => !isKnown(existing)).length) {
    throw retry('Entities changed during the import.')
  }
  const ids = new Map(written.map(({ parsed }, i) => [parsed, String(rows[i]?.id)]))
  for (const { parsed, existing } of current) if (existing && !ids.has(parsed)) ids.set(parsed, existing.id)
  const changed = new Set(rows.filter(isChanged).map(({ id }) => String(id)))
  return { ids, isChanged: (id: string) => changed.has(id) }
}

const NOTHING_WRITTEN = { rows: [] as AnyRow[], created: 0, isChanged: () => false }

function writtenOutcome(
  { parsed, existing }: MatchedEntity,
  ids: ReadonlyMap<ParsedEntity, string>,
  isTouched: (id: string) => boolean,
): Outcome {
  const entity = ids.get(parsed) ?? ''
  const outcome = !isKnown(existing) ? 'created' : isTouched(entity) ? 'updated' : 'unchanged'
  return { ...aboutOf(parsed), entity, outcome, details: parsed.losses }
}

/** Records the origin of written entities. */
async function noteEntityOrigins(
  ctx: Context,
  written: readonly MatchedEntity[],
  ids: ReadonlyMap<ParsedEntity, string>,
): Promise<void> {
  const origins = written.flatMap(({ parsed, existing }): Origin[] => {
    const { origin, meta } = parsed.located.finding.entity
    const tags = textsIn(meta?.tags).map((tag) => tag.trim())
    if (!origin && tags.length === 0 && !existing?.brought) return []
    // A known entity was created here, or already has an origin.
    return [{ id: ids.get(parsed) ?? '', ...origin, ...(isKnown(existing) && { created: undefined }), tags }]
  })
  await noteOrigins(ctx, 'entities', origins)
}

/** Marks entities that were withdrawn though their data does not say so, and unmarks those that returned. */
async function setMarks(
  ctx: Context,
  usable: readonly MatchedEntity[],
  written: ReadonlySet<ParsedEntity>,
  ids: ReadonlyMap<ParsedEntity, string>,
  contributor: Contributor | undefined,
): Promise<void> {
  const isWithdrawn = ({ parsed }: MatchedEntity) => parsed.located.finding.entity.isWithdrawn === true
  const marked = usable.filter((match) => isWithdrawn(match) && written.has(match.parsed))
  await markWithdrawn(
    ctx,
    marked.flatMap(({ parsed }) => ids.get(parsed) ?? []),
    true,
  )
  if (!contributor?.isNewest) return
  const returned = usable.filter(
    (match) =>
      match.existing?.is_withdrawn && !isWithdrawn(match) && (written.has(match.parsed) || !match.existing.is_revoked),
  )
  await markWithdrawn(
    ctx,
    returned.flatMap(({ existing }) => existing?.id ?? []),
    false,
  )
}

/** An update that removes only what the data itself, or the feed that wrote it, no longer says. */
function merged(
  existing: ExistingEntity,
  { item, filled }: ParsedEntity,
  attachments: NonNullable<EntityItem['attachments']>,
  lost: Parts,
): EntityItem {
  const { tags = [], attacks = [], taxonomies = [], ...rest } = item.meta ?? {}
  return {
    data: item.data,
    meta: {
      ...Object.fromEntries(Object.entries(rest).filter(([name]) => !filled.includes(name))),
      tags: [...new Set([...without(existing.tags, lost.tags), ...tags])],
      attacks: [...new Set([...without(existing.attacks, lost.attacks), ...attacks])],
      taxonomies: [...without(existing.taxonomies, lost.taxonomies), ...taxonomies],
    },
    attachments: [...without(existing.attachments, lost.attachments).map((id) => ({ id })), ...attachments],
  }
}

async function linkToExisting(
  ctx: Context,
  current: readonly MatchedEntity[],
  ids: ReadonlyMap<ParsedEntity, string>,
): Promise<void> {
  const wanted = current
    .filter(({ existing }) => isKnown(existing))
    .flatMap(({ parsed }) => observablesIn(parsed).map((observable) => ({ entity: ids.get(parsed) ?? '', observable })))
  await linkObservables(ctx, distinctLinks(wanted))
}
