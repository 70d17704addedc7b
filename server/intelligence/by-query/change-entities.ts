import { attackOf } from '../../attack/classification/references.ts'
import { textFrom } from '../../domain/text-from.ts'
import type { Context, Item } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { inTurns } from '../../engine/in-turns.ts'
import { relink } from '../../engine/links.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { compose, downgradeFor } from '../entities/compose.ts'
import { summaryOf } from '../entities/data-summary.ts'
import { ensureWords } from '../entities/dictionary.ts'
import type { Written } from '../entities/link-entities.ts'
import { CONFIDENCE_WORDS } from '../entities/records/confidence.ts'
import { findTaxonomies } from '../entities/references.ts'
import { addTags } from '../entities/search-preparation.ts'
import { colourOf, type EntityRow } from '../entities/state.ts'
import { lockEntities, updateEntities } from '../entities/store.ts'
import { applyRules, recordWritten } from '../entity-rules/apply-rules.ts'
import { prepareRules } from '../entity-rules/enforce.ts'
import type { Change } from './payloads.ts'
import { unknownAttacks } from './unknown-attacks.ts'

interface Difference<T> {
  readonly added: readonly T[]
  readonly removed: readonly T[]
}

/** A change whose references are resolved to ids. */
export interface ResolvedChange extends Pick<Change, 'confidence' | 'tlp_color'> {
  readonly tags: Difference<string>
  readonly taxonomies: Difference<number>
  readonly attacks: Difference<string>
  readonly downgrade: 'RED' | 'AMBER'
}

/** Resolves the references of a change. Responds 400 if one does not exist, or is both added and removed. */
export async function resolveChange(ctx: Context, change: Change): Promise<ResolvedChange> {
  const { confidence, tlp_color } = change
  const nodes = [...change.added_taxonomies, ...change.removed_taxonomies]
  const known = nodes.length === 0 ? new Map<string, number>() : await findTaxonomies(ctx, nodes)
  const faults: string[] = []
  const found = <T>(field: keyof Change, values: readonly unknown[], read: (value: unknown) => T | undefined): T[] => {
    const list = values.map((value, i) => {
      const id = read(value)
      if (id === undefined) faults.push(`${field}[${i}]: there is no '${textFrom(value).slice(0, 200)}'`)
      return id
    })
    return [...new Set(list.filter((id) => id !== undefined))]
  }
  const taxonomyOf = (value: unknown) => known.get(textFrom(value))
  const tags = { added: change.added_tags, removed: change.removed_tags }
  const taxonomies = {
    added: found('added_taxonomies', change.added_taxonomies, taxonomyOf),
    removed: found('removed_taxonomies', change.removed_taxonomies, taxonomyOf),
  }
  const attacks = {
    added: found('added_attacks', change.added_attacks, attackOf),
    removed: found('removed_attacks', change.removed_attacks, attackOf),
  }
  faults.push(...(await unknownAttacks(ctx, change)))
  for (const [name, { added, removed }] of Object.entries({ tags, taxonomies, attacks })) {
    const gone = new Set<string | number>(removed)
    const both = added.find((value) => gone.has(value))
    if (both !== undefined) faults.push(`removed_${name}: '${both}' is in added_${name} as well`)
  }
  if (faults.length > 0) throw badRequest(faults)
  return {
    tags,
    taxonomies,
    attacks,
    downgrade: await downgradeFor(ctx, [{ tlp_color }]),
    ...(confidence !== undefined && { confidence }),
    ...(tlp_color !== undefined && { tlp_color }),
  }
}

/** Changes the visible ones of these entities as PATCH does, and returns how many were different before. */
export async function changeEntities(ctx: Context, change: ResolvedChange, ids: readonly string[]): Promise<number> {
  const resource = resourceOf(ctx, 'entities')
  const rows = await lockEntities(ctx, 'id', ids, visible(ctx, resource))
  const revised = await inTurns(rows, (row) => {
    // A placeholder has no content to change, and a unified entity none of its own.
    const next = row.is_visible && !row.is_unresolved && !row.is_unified ? revise(row, change) : undefined
    return next ? [next] : []
  })
  const rules = await prepareRules(ctx)
  const changed = await applyRules(rules, revised.flat(), 'changes')
  await addTags(ctx, change.tags.added)
  const epoch = await updateEntities(
    ctx,
    changed.map(({ entity, row }) => ({ ...entity, before: row?.meta ?? {} })),
  )
  const ruled = changed.filter(({ enforced }) => enforced)
  if (ruled.length > 0) {
    await ensureWords(
      ctx,
      ruled.map(({ entity }) => entity.id),
      epoch,
    )
  }
  const moved = changed.filter(({ row, taxonomies }) => !isSame(taxonomies, row?.meta.taxonomies ?? []))
  await relink(
    ctx,
    resource,
    new Map(moved.map(({ entity, taxonomies }): [string, Item] => [entity.id, { taxonomies: taxonomies.map(linkTo) }])),
  )
  await recordWritten(ctx, rules, changed, () => true)
  return changed.length
}

const linkTo = (id: number) => ({ id })

/** The entity after the change, or undefined if the change makes no difference. */
function revise(row: EntityRow, change: ResolvedChange): Written | undefined {
  const { downgrade } = change
  const { meta: before } = row
  const colour = before.tlp_color ?? null
  const tlp_color = change.tlp_color === undefined ? colour : change.tlp_color
  const tags = applied(before.tags, change.tags)
  const attacks = applied(before.attacks, change.attacks)
  const taxonomies = applied(before.taxonomies, change.taxonomies).sort((a, b) => a - b)
  const data = withConfidence(row.data, change.confidence)
  const isOld =
    data === row.data &&
    colourOf({ tlp_color }, downgrade) === colour &&
    isSame(tags, before.tags) &&
    isSame(attacks, before.attacks) &&
    isSame(taxonomies, before.taxonomies)
  if (isOld) return undefined
  const meta = { ...before, tags, tlp_color }
  const sourceNumber = sourceOf(row.vis)
  return {
    row,
    item: { data },
    summary: summaryOf(data),
    source: row.source,
    isNew: false,
    taxonomies,
    entity: compose({ id: row.id, data, meta, sourceNumber, downgrade, taxonomies, attacks }),
  }
}

const applied = <T>(list: readonly T[], { added, removed }: Difference<T>): T[] => [
  ...new Set([...list.filter((value) => !removed.includes(value)), ...added]),
]

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i])

/** Sets the confidence in the form that the entity already uses: a word or a record. */
function withConfidence(data: EntityRow['data'], value: Change['confidence']): EntityRow['data'] {
  if (value === undefined) return data
  const { confidence } = data
  if (typeof confidence === 'object' && confidence !== null) {
    return confidence.value === value ? data : { ...data, confidence: { ...confidence, value } }
  }
  if (data.type === 'custom-entity' && confidence === undefined) {
    return { ...data, confidence: { type: 'confidence', value } }
  }
  const word = CONFIDENCE_WORDS.find((known) => known === value.toLowerCase())
  return word === undefined || word === confidence ? data : { ...data, confidence: word }
}
