import { sql } from 'kysely'
import { retry } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { textsIn } from '../../formats/stix2/stix-object.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import type { EntityItem } from '../../intelligence/entities/compose.ts'
import { keepObjects } from '../../intelligence/entities/kept-objects.ts'
import type { SearchPreparation } from '../../intelligence/entities/learn.ts'
import { linkObservables, sortOut } from '../../intelligence/entities/observable-links.ts'
import { writeEntities } from '../../intelligence/entities/write.ts'
import { lifetime, noteOrigins, type Origin } from '../../intelligence/origins.ts'
import { attach } from './attach.ts'
import { type Contributor, type Parts, without } from './contributions.ts'
import type { Draft, Given } from './drafts.ts'
import type { Outcome } from './outcome.ts'
import { partingOf } from './parting.ts'
import { PLACEHOLDER_LIMIT, roomFor, type Stored } from './placeholder-limit.ts'
import { observablesIn, type Sorted, type Standing } from './standing.ts'
import { deleteEntities, markWithdrawn } from './take-away.ts'
import { type Age, ageOf as compareVersions } from './version-order.ts'

/** Which property of the data tells the older of two versions of an entity; undefined where what comes later counts. */
export type VersionedBy = 'modified' | 'timestamp' | undefined

/**
 * Stores entities of a document. One that is there already gets what is new in a later version, and observables, objects,
 * attachments, tags and so on top of those that it has: what people made of it in the meantime stays, and so does its source.
 * With `isOwnOnly`, those of other sources stay as they are. A contributor takes away what it wrote earlier and no longer says.
 */
export async function importEntities(
  ctx: Context,
  drafts: readonly Draft[],
  versionedBy: VersionedBy,
  { isOwnOnly = false, contributor }: Pick<Given, 'isOwnOnly' | 'contributor'>,
  placeholders = PLACEHOLDER_LIMIT,
  prepared?: SearchPreparation,
): Promise<Stored> {
  const standing = await findStanding(ctx, drafts, versionedBy)
  const room = await roomFor(ctx, drafts, placeholders)
  const sorted = drafts
    .map(room.told)
    .map((draft): Sorted => ({ draft, before: standing.get(String(draft.item.data.id)) }))
  const isLeft = (before: Standing | undefined) => isOwnOnly && before?.is_foreign && !before.is_unresolved
  const usable = sorted.filter(
    ({ before }) => !before || before.is_unresolved || (before.is_visible && !isLeft(before)),
  )
  const latest = usable.filter(({ draft, before }) => ageOf(draft, before, versionedBy) !== 'older')
  const fates = new Map(latest.map((each) => [each.draft, fateOf(each, contributor)]))
  const current = latest.filter(({ draft }) => fates.get(draft) === 'written')
  const parting = await partingOf(ctx, current, contributor)
  const attached = await attach(
    ctx,
    current.map(({ draft }) => draft),
    isOwnOnly,
  )
  const written = current.filter(({ draft, before }) => ageOf(draft, before, versionedBy) === 'newer')
  const items = written.map(({ draft, before }) => {
    const links = attached.get(String(draft.item.data.id)) ?? []
    if (before && !before.is_unresolved) return onTopOf(before, draft, links, parting.lost(draft, before, links))
    return links.length === 0 ? draft.item : { ...draft.item, attachments: links }
  })
  const { rows, created, isChanged } =
    items.length > 0 ? await writeEntities(ctx, resourceOf(ctx, 'entities'), items, { ...room, prepared }) : NONE
  // Somebody made or removed one of them in the meantime: what it belongs to has to be looked at again.
  if (created !== written.filter(({ before }) => !before || before.is_unresolved).length) {
    throw retry('Entities changed during the import.')
  }
  const ids = new Map(written.map(({ draft }, i) => [draft, String(rows[i]?.id)]))
  for (const { draft, before } of current) if (before && !ids.has(draft)) ids.set(draft, before.id)
  await linkToKnown(ctx, current, ids)
  await noteTheirOrigins(ctx, written, ids)
  const drawn = new Set(written.map(({ draft }) => draft))
  await parting.settle(ids, drawn, attached)
  const gone = latest.filter(({ draft }) => fates.get(draft) === 'deleted').flatMap(({ before }) => before?.id ?? [])
  await deleteEntities(ctx, gone)
  await setMarks(ctx, usable, drawn, ids, contributor)
  const kept = await keepObjects(
    ctx,
    current.flatMap(({ draft }) =>
      (draft.located.finding.entity.kept ?? []).map((each) => ({ ...each, entity: ids.get(draft) ?? '' })),
    ),
  )
  const changed = new Set(rows.filter(isChanged).map(({ id }) => String(id)))
  const outcomes = sorted.map(({ draft, before }): Outcome => {
    const entity = ids.get(draft)
    const about = { ...aboutOf(draft), entity }
    if (before && !before.is_unresolved && !before.is_visible) return { ...about, outcome: 'refused', details: [TAKEN] }
    if (before && isLeft(before)) {
      return {
        ...about,
        entity: before.id,
        outcome: 'unchanged',
        details: [],
        notes: [...(about.notes ?? []), FOREIGN],
      }
    }
    const fate = fates.get(draft)
    if (fate === 'kept') return { ...about, entity: before?.id, outcome: 'unchanged', details: [], notes: [KEPT] }
    if (fate === 'deleted')
      return { ...about, outcome: before ? 'updated' : 'unchanged', details: [], notes: [DELETED] }
    if (entity === undefined) return { ...about, entity: before?.id, outcome: 'outdated', details: draft.losses }
    if (!before || before.is_unresolved) return { ...about, outcome: 'created', details: draft.losses }
    const isTouched = changed.has(entity) || kept.has(entity) || parting.changed.has(entity)
    return { ...about, outcome: isTouched ? 'updated' : 'unchanged', details: draft.losses }
  })
  return { outcomes, placeholders: items.length > 0 ? room.made : 0 }
}

const NONE = { rows: [], created: 0, isChanged: () => false }
const TAKEN = 'There is an entity with this data.id already, and you may not see it.'

/** Why something that is known was left as it is. */
export const FOREIGN = 'It belongs to another source, and stays as it is.'

const aboutOf = ({ located: { position, finding }, item }: Draft) => ({
  position,
  place: finding.at,
  kind: 'entity' as const,
  stixId: item.data.id,
  notes: finding.notes,
})

async function findStanding(
  ctx: Context,
  drafts: readonly Draft[],
  versionedBy: VersionedBy,
): Promise<Map<string, Standing>> {
  const { rows } = await sql<Standing>`
    select t.id, t.stix_id, t.is_unresolved, ${visible(ctx, resourceOf(ctx, 'entities'))} as is_visible, t.tags, t.attacks,
      ${sourceOf(sql`t.vis`)} is distinct from (
        select s.number from sources as s where s.id = ${sightOf(ctx).home}::uuid) as is_foreign,
      t.data ->> ${versionedBy ?? ''}::text as version, ${lifetime}, o.tags as brought, t.is_withdrawn,
      coalesce(t.data -> 'revoked' = 'true'::jsonb, false) as is_revoked,
      array(select l.target from entity_observables as l where l.source = t.id) as observables,
      array(select l.target from entity_taxonomies as l where l.source = t.id) as taxonomies,
      array(select l.target from entity_attachments as l where l.source = t.id) as attachments
    from entities as t left join entity_origins as o on o.source = t.id
    where t.stix_id = any(${drafts.flatMap(({ item }) => item.data.id ?? [])}::text[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.stix_id, row]))
}

/** Whether a draft is of a version before or after the one that is there; where nothing tells, it is taken for a newer one. */
function ageOf({ item, located }: Draft, before: Standing | undefined, versionedBy: VersionedBy): Age {
  const version = versionedBy && item.data[versionedBy]
  const made = versionedBy === 'modified' ? located.finding.entity.origin?.modified : undefined
  if (!before || before.is_unresolved) return 'newer'
  if (typeof version === 'string' && before.version) return compareVersions(version, before.version)
  return version === undefined && made !== undefined && !before.version
    ? compareVersions(made, before.modified)
    : 'newer'
}

/** Notes where entities that were written come from. */
async function noteTheirOrigins(
  ctx: Context,
  written: readonly { readonly draft: Draft; readonly before: Standing | undefined }[],
  ids: ReadonlyMap<Draft, string>,
): Promise<void> {
  const origins = written.flatMap(({ draft, before }): Origin[] => {
    const { origin, meta } = draft.located.finding.entity
    const tags = textsIn(meta?.tags).map((tag) => tag.trim())
    const isKnown = before !== undefined && !before.is_unresolved
    if (!origin && tags.length === 0 && !before?.brought) return []
    // What is known here was created here, or is known to come from elsewhere already.
    return [{ id: ids.get(draft) ?? '', ...origin, ...(isKnown && { created: undefined }), tags }]
  })
  await noteOrigins(ctx, 'entities', origins)
}

/** What becomes of an entity of a document: one that its sender withdrew may stay as it is, or go. */
function fateOf({ draft, before }: Sorted, contributor: Contributor | undefined): 'written' | 'kept' | 'deleted' {
  const isWithdrawn = draft.located.finding.entity.isWithdrawn === true && contributor?.isNewest === true
  if (!isWithdrawn || contributor?.withdrawn === 'mark') return 'written'
  if (contributor?.withdrawn === 'delete') return 'deleted'
  return before && !before.is_unresolved ? 'kept' : 'written'
}

export const KEPT = 'Its sender withdrew it; it stays, as the feed is set to keep such entities.'
export const DELETED = 'Its sender withdrew it; it is deleted, as the feed is set to.'

/** Marks what is withdrawn without its data saying so, and takes the mark from what is there again. */
async function setMarks(
  ctx: Context,
  usable: readonly Sorted[],
  written: ReadonlySet<Draft>,
  ids: ReadonlyMap<Draft, string>,
  contributor: Contributor | undefined,
): Promise<void> {
  const isWithdrawn = ({ draft }: Sorted) => draft.located.finding.entity.isWithdrawn === true
  const marked = usable.filter((each) => isWithdrawn(each) && written.has(each.draft))
  await markWithdrawn(
    ctx,
    marked.flatMap(({ draft }) => ids.get(draft) ?? []),
    true,
  )
  if (!contributor?.isNewest) return
  const back = usable.filter(
    (each) => each.before?.is_withdrawn && !isWithdrawn(each) && (written.has(each.draft) || !each.before.is_revoked),
  )
  await markWithdrawn(
    ctx,
    back.flatMap(({ before }) => before?.id ?? []),
    false,
  )
}

/** An update that takes nothing away but what the data itself no longer says, and what its feed wrote and no longer says. */
function onTopOf(
  before: Standing,
  { item, filled }: Draft,
  attachments: NonNullable<EntityItem['attachments']>,
  lost: Parts,
): EntityItem {
  const { tags = [], attacks = [], taxonomies = [], ...rest } = item.meta ?? {}
  return {
    data: item.data,
    meta: {
      ...Object.fromEntries(Object.entries(rest).filter(([name]) => !filled.includes(name))),
      tags: [...new Set([...without(before.tags, lost.tags), ...tags])],
      attacks: [...new Set([...without(before.attacks, lost.attacks), ...attacks])],
      taxonomies: [...without(before.taxonomies, lost.taxonomies), ...taxonomies],
    },
    attachments: [...without(before.attachments, lost.attachments).map((id) => ({ id })), ...attachments],
  }
}

async function linkToKnown(
  ctx: Context,
  current: readonly { readonly draft: Draft; readonly before: Standing | undefined }[],
  ids: ReadonlyMap<Draft, string>,
): Promise<void> {
  const known = current.filter(({ before }) => before && !before.is_unresolved)
  const wanted = known.flatMap(({ draft }) =>
    observablesIn(draft).map((observable) => ({ entity: ids.get(draft) ?? '', observable })),
  )
  await linkObservables(ctx, sortOut(wanted))
}
