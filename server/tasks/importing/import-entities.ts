import { sql } from 'kysely'
import { sightOf } from '../../auth/sight.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { textsIn } from '../../formats/stix2/stix-object.ts'
import type { EntityItem } from '../../resources/entities/compose.ts'
import { keepObjects } from '../../resources/entities/kept-objects.ts'
import { linkObservables, sortOut } from '../../resources/entities/observable-links.ts'
import { writeEntities } from '../../resources/entities/write.ts'
import { lifetime, noteOrigins, type Origin } from '../../resources/origins.ts'
import { attach } from './attach.ts'
import type { Draft } from './drafts.ts'
import type { Outcome } from './outcome.ts'
import { PLACEHOLDER_LIMIT, roomFor, type Stored } from './placeholder-limit.ts'
import { type Age, ageOf as compareVersions } from './version-order.ts'

/** Which property of the data tells the older of two versions of an entity; undefined where what comes later counts. */
export type VersionedBy = 'modified' | 'timestamp' | undefined

/** An entity that is there already. */
interface Standing {
  readonly id: string
  readonly stix_id: string
  readonly is_unresolved: boolean
  readonly is_visible: boolean
  /** Whether it is of another source than the caller's own. */
  readonly is_foreign: boolean
  readonly version: string | null
  /** When its version was made, where the data says nothing of that. */
  readonly modified: string
  /** The tags that its document brought; null where that is not known. */
  readonly brought: readonly string[] | null
  readonly tags: readonly string[]
  readonly attacks: readonly string[]
  readonly taxonomies: readonly number[]
  readonly attachments: readonly string[]
}

/**
 * Stores entities of a document. One that is there already gets what is new in a later version, and observables, objects,
 * attachments, tags and so on top of those that it has: what people made of it in the meantime stays, and so does its source.
 * With `isOwnOnly`, those of other sources stay as they are.
 */
export async function importEntities(
  ctx: Context,
  drafts: readonly Draft[],
  versionedBy: VersionedBy,
  isOwnOnly = false,
  placeholders = PLACEHOLDER_LIMIT,
): Promise<Stored> {
  const standing = await findStanding(ctx, drafts, versionedBy)
  const room = await roomFor(ctx, drafts, placeholders)
  const sorted = drafts.map(room.told).map((draft) => ({ draft, before: standing.get(String(draft.item.data.id)) }))
  const isLeft = (before: Standing | undefined) => isOwnOnly && before?.is_foreign && !before.is_unresolved
  const usable = sorted.filter(
    ({ before }) => !before || before.is_unresolved || (before.is_visible && !isLeft(before)),
  )
  const current = usable.filter(({ draft, before }) => ageOf(draft, before, versionedBy) !== 'older')
  const attached = await attach(
    ctx,
    current.map(({ draft }) => draft),
    isOwnOnly,
  )
  const written = current.filter(({ draft, before }) => ageOf(draft, before, versionedBy) === 'newer')
  const items = written.map(({ draft, before }) => {
    const links = attached.get(String(draft.item.data.id)) ?? []
    if (before && !before.is_unresolved) return onTopOf(before, draft, links)
    return links.length === 0 ? draft.item : { ...draft.item, attachments: links }
  })
  const { rows, created, isChanged } =
    items.length > 0 ? await writeEntities(ctx, resourceOf(ctx, 'entities'), items, room) : NONE
  // Somebody made or removed one of them in the meantime: what it belongs to has to be looked at again.
  if (created !== written.filter(({ before }) => !before || before.is_unresolved).length) {
    throw Object.assign(new Error('Entities changed during the import.'), { code: '40001' })
  }
  const ids = new Map(written.map(({ draft }, i) => [draft, String(rows[i]?.id)]))
  for (const { draft, before } of current) if (before && !ids.has(draft)) ids.set(draft, before.id)
  await linkToKnown(ctx, current, ids)
  await noteTheirOrigins(ctx, written, ids)
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
    if (entity === undefined) return { ...about, entity: before?.id, outcome: 'outdated', details: draft.losses }
    if (!before || before.is_unresolved) return { ...about, outcome: 'created', details: draft.losses }
    const isTouched = changed.has(entity) || kept.has(entity)
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
      t.vis >> 3 is distinct from (
        select s.number from sources as s where s.id = ${sightOf(ctx).home}::uuid) as is_foreign,
      t.data ->> ${versionedBy ?? ''}::text as version, ${lifetime}, o.tags as brought,
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

/** An update that takes nothing away but what the document said before and no longer says. */
function onTopOf(
  before: Standing,
  { item, filled }: Draft,
  attachments: NonNullable<EntityItem['attachments']>,
): EntityItem {
  const { tags = [], attacks = [], taxonomies = [], ...rest } = item.meta ?? {}
  return {
    data: item.data,
    meta: {
      ...Object.fromEntries(Object.entries(rest).filter(([name]) => !filled.includes(name))),
      tags: [...new Set([...before.tags.filter((tag) => !before.brought?.includes(tag)), ...tags])],
      attacks: [...new Set([...before.attacks, ...attacks])],
      taxonomies: [...before.taxonomies, ...taxonomies],
    },
    attachments: [...before.attachments.map((id) => ({ id })), ...attachments],
  }
}

async function linkToKnown(
  ctx: Context,
  current: readonly { readonly draft: Draft; readonly before: Standing | undefined }[],
  ids: ReadonlyMap<Draft, string>,
): Promise<void> {
  const known = current.filter(({ before }) => before && !before.is_unresolved)
  const wanted = known.flatMap(({ draft }) =>
    (draft.item.observables ?? []).map((observable) => ({ entity: ids.get(draft) ?? '', observable })),
  )
  await linkObservables(ctx, sortOut(wanted))
}
