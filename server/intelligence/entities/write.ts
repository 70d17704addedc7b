import { isDeepStrictEqual } from 'node:util'
import { makeStixId } from '../../domain/stix-ids.ts'
import { parseTimestamp } from '../../domain/timestamp.ts'
import { duplicateFaults } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { withDerivedMembers } from '../../engine/document.ts'
import { badRequest, conflict, retry } from '../../engine/errors.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { makeId } from '../../engine/ids.ts'
import { inTurns } from '../../engine/in-turns.ts'
import { checkReferences } from '../../engine/links.ts'
import { visible } from '../../engine/select.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { sourcesOf } from '../../identity/source-of.ts'
import { applyRules, ensureRuledWords, recordWritten, seeingWritten } from '../entity-rules/apply-rules.ts'
import { type Enforcement, prepareRules } from '../entity-rules/enforce.ts'
import { shapeFor, withAttributes } from '../shaping/shape.ts'
import { compose, downgradeFor, type EntityItem } from './compose.ts'
import { createdRow } from './created-row.ts'
import { currentSources } from './current-sources.ts'
import { summaryOf } from './data-summary.ts'
import { defaultsFor, withConfidence } from './defaults.ts'
import { ensureWords } from './dictionary.ts'
import type { EntityData } from './entity-data.ts'
import { linkEntities, observablesOf, type Written } from './link-entities.ts'
import { linkRemaining } from './link-observables.ts'
import { metaMembers, type NewEntity } from './meta.ts'
import { keepPlaceholders, type Referrer } from './placeholders.ts'
import { resolve, resolveNew, storedAttacks } from './references.ts'
import { refuseUnified } from './refuse-unified.ts'
import { preparedVector, type SearchPreparation } from './search-preparation.ts'
import type { EntityRow } from './state.ts'
import { insertEntities, lockEntities, type StoredEntity, updateEntities } from './store.ts'

/** The result of writing entities. */
interface Outcome {
  readonly rows: AnyRow[]
  readonly created: number
  /** Whether a row was created or changed; changes of its links alone do not count. */
  isChanged(row: AnyRow): boolean
}

interface WriteOptions {
  readonly mustBeNew?: boolean
  /** Whether an unknown STIX id may get a placeholder. */
  readonly mayBeCreated?: (stixId: string) => boolean
  readonly prepared?: SearchPreparation | undefined
  /** Whether attacks may be unknown, because they come out of documents. */
  readonly mayHaveUnknownAttacks?: boolean
}

/** Creates entities, and updates those whose STIX ids exist, in a fixed number of statements. */
export async function writeEntities(
  ctx: Context,
  resource: Resource,
  items: readonly EntityItem[],
  { mustBeNew = false, mayBeCreated, prepared, mayHaveUnknownAttacks = false }: WriteOptions = {},
): Promise<Outcome> {
  refuseDuplicates(items)
  const metas = items.map(({ meta }) => meta)
  const shape = await shapeFor(ctx.db, items.map(dataOf))
  const sourceOf = await sourcesOf(ctx, items, await currentSources(ctx, resource, items))
  const stixIds = items.map(({ data }) => data.id)
  const resolved = await resolve(ctx, metas, mayHaveUnknownAttacks ? undefined : storedAttacks(ctx, resource, stixIds))
  const downgrade = await downgradeFor(ctx, metas)
  const defaults = await defaultsFor(ctx, items)
  await checkReferences(ctx, resource, items.map(referencesOf))
  const now = parseTimestamp(new Date().toISOString()) ?? ''
  const rules = await prepareRules(ctx)
  const composed = await inTurns(items, (item, i): Written => {
    const id = makeId()
    const named = withStixId(item.data, defaults.namespace)
    const data = withAttributes(shape, withConfidence(named, defaults.confidence))
    const source = sourceOf(item)
    const { taxonomies, attacks } = resolved[i] ?? { taxonomies: [], attacks: [] }
    const meta = withDerivedMembers(metaMembers, item.meta ?? {}, {
      data: item.data,
      now,
      tlp: defaults.tlp,
    } satisfies NewEntity)
    const isAsSent = data === named
    const entity = compose({
      id,
      data,
      meta,
      sourceNumber: source.number,
      downgrade,
      taxonomies,
      attacks,
      search: isAsSent && prepared ? preparedVector(prepared, item.data, { taxonomies, attacks }) : undefined,
    })
    return { item, entity, summary: summaryOf(data), source: source.id, taxonomies, isNew: true }
  })
  const drafts = await applyRules(rules, composed, 'whole')
  const observables = observablesOf(drafts)
  // An observable named by its id may be the same as one named by type and value.
  const isPlain = !observables.pairs.some(({ id }) => id > 0)
  const made = await insertEntities(
    ctx,
    drafts.map(({ entity }) => entity),
    isPlain && observables.wanted.length > 0 ? observables : undefined,
    shape,
  )
  const isLinked = isPlain && made.count === drafts.length
  const linked = isLinked
    ? { links: observables, ids: await linkRemaining(ctx, observables, made.observables) }
    : undefined
  const known = drafts.filter(({ entity }) => !made.isMade(entity.id))
  const updated = known.length === 0 ? [] : await overwrite(ctx, resource, known, downgrade, rules)
  // A placeholder counts as new: its entity is created by the caller who sends it.
  const arrived = updated.filter(({ row }) => row?.is_unresolved).length
  if (mustBeNew && updated.length > arrived) {
    throw conflict(`The element already exists: data.id '${updated[0]?.entity.stix_id}'.`)
  }
  const byStixId = new Map(updated.map((each) => [each.entity.stix_id, each]))
  const written = drafts.map((draft) => byStixId.get(draft.entity.stix_id) ?? draft)
  await ensureWords(
    ctx,
    written.map(({ entity }) => entity.id),
    made.epoch,
    prepared?.dictionary,
  )
  const ruled = written.filter(({ enforced }) => enforced)
  await ensureRuledWords(ctx, ruled, made.epoch)
  await keepPlaceholders(ctx, written.map(referrerOf), mayBeCreated)
  const links = await linkEntities(ctx, resource, written, linked)
  await recordWritten(ctx, rules, written, hasChanged)
  const joined = ruled.filter(
    ({ enforced, isNew }) => isNew && enforced?.rules.some(({ datasets }) => datasets.length > 0),
  )
  const read = await fetchRows(
    seeingWritten(ctx, ruled),
    resource,
    [...updated, ...joined].map(({ entity }) => entity.id),
  )
  const readById = new Map(read.map((row) => [row.id, row]))
  const rows = written.map((each, i) => readById.get(each.entity.id) ?? createdRow(ctx, each, links[i] ?? [], made.now))
  const byId = new Map(updated.map((each) => [each.entity.id, each]))
  const isChanged = ({ id }: AnyRow): boolean => {
    const known = byId.get(String(id))
    return !known || hasChanged(known)
  }
  return { rows, created: made.count + arrived, isChanged }
}

const withStixId = (data: EntityData, namespace: string): Named =>
  isNamed(data) ? data : { ...data, id: makeStixId(namespace, data.type, makeId()) }

type Named = EntityData & { readonly id: string }

const isNamed = (data: EntityData): data is Named => data.id !== undefined

/** Updates existing entities; what a request leaves out stays as it is. */
async function overwrite(
  ctx: Context,
  resource: Resource,
  drafts: readonly Written[],
  downgrade: 'RED' | 'AMBER',
  rules: Enforcement | undefined,
): Promise<readonly Written[]> {
  const rows = await lockEntities(
    ctx,
    'stix_id',
    drafts.map(({ entity }) => entity.stix_id),
    visible(ctx, resource),
  )
  await refuseUnified(
    ctx,
    rows.filter(({ is_unified }) => is_unified).map(({ id }) => id),
  )
  const byStixId = new Map(rows.map((row) => [row.stix_id, row]))
  const revised = drafts.map((draft) => {
    const row = byStixId.get(draft.entity.stix_id)
    // Another request deleted it between two statements: run the whole request again.
    if (!row) throw retry('An entity vanished.')
    if (row.is_unresolved) return { ...draft, entity: { ...draft.entity, id: row.id }, row, isNew: false }
    if (!row.is_visible) throw conflict('The element already exists.')
    return revise(draft.plain ?? draft, row, downgrade)
  })
  // Rules have acted on what a placeholder becomes, and not yet on existing entities.
  const existing = revised.filter(({ row }) => !row?.is_unresolved)
  const enforced = new Map((await applyRules(rules, existing, 'whole')).map((each, i) => [existing[i], each]))
  const written = revised.map((each) => enforced.get(each) ?? each)
  await updateEntities(ctx, written.filter(hasChanged).map(withBefore))
  return written
}

/** Applies the item of a request to an existing entity. */
function revise({ item, source, entity, taxonomies }: Written, row: EntityRow, downgrade: 'RED' | 'AMBER'): Written {
  const nodes = item.meta?.taxonomies === undefined ? row.meta.taxonomies : taxonomies
  const revised = compose({
    id: row.id,
    data: { ...item.data, id: row.stix_id },
    meta: { ...row.meta, ...item.meta },
    sourceNumber: sourceOf(item.sources ? entity.vis : row.vis),
    downgrade,
    taxonomies: nodes,
    attacks: item.meta?.attacks === undefined ? row.meta.attacks : entity.meta.attacks,
  })
  const summary = summaryOf(revised.data)
  return {
    item,
    entity: revised,
    summary,
    source: item.sources ? source : row.source,
    taxonomies: nodes,
    row,
    isNew: false,
  }
}

/** Updates an entity whose row is locked. Gives the context in which the caller reads it back. */
export async function reviseEntity(
  ctx: Context,
  resource: Resource,
  row: EntityRow,
  item: EntityItem,
  prepared?: SearchPreparation,
): Promise<Context> {
  const shape = await shapeFor(ctx.db, [item.data])
  const [resolved] = await resolveNew(ctx, item.meta, row.meta.attacks)
  const downgrade = await downgradeFor(ctx, [item.meta])
  const source = item.sources
    ? (await sourcesOf(ctx, [item], () => [row.source]))(item)
    : { id: row.source, number: sourceOf(row.vis) }
  await checkReferences(ctx, resource, [referencesOf(item)])
  const { taxonomies = [], attacks = [] } = resolved ?? {}
  const entity = compose({
    id: row.id,
    data: { ...item.data, id: item.data.id ?? row.stix_id },
    meta: item.meta ?? {},
    sourceNumber: source.number,
    downgrade,
    taxonomies,
    attacks,
  })
  const summary = summaryOf(entity.data)
  const plain: Written = { item, entity, summary, source: source.id, taxonomies, row, isNew: false }
  const rules = await prepareRules(ctx)
  const written = await applyRules(rules, [plain], row.is_unresolved ? 'whole' : 'changes')
  if (written.some(hasChanged)) {
    const epoch = await updateEntities(ctx, written.map(withBefore), shape)
    const isAsPrepared = written[0] === plain
    await ensureWords(ctx, [row.id], epoch, isAsPrepared ? prepared?.dictionary : undefined)
  }
  await keepPlaceholders(ctx, written.map(referrerOf))
  await linkEntities(ctx, resource, written)
  await recordWritten(ctx, rules, written, hasChanged)
  return seeingWritten(ctx, written)
}

const withBefore = ({ entity, row }: Written): StoredEntity & { before: object } => ({
  ...entity,
  before: row?.meta ?? {},
})

/** Whether there is anything to write: most of what feeds send repeatedly is unchanged. */
function hasChanged({ entity, row }: Written): boolean {
  if (!row || row.is_unresolved) return true
  const isSame = (name: 'stix_id' | 'vis' | 'data' | 'meta') => isDeepStrictEqual(entity[name], row[name])
  return !(isSame('stix_id') && isSame('vis') && isSame('data') && isSame('meta'))
}

const referrerOf = ({ entity, summary, row }: Written): Referrer => ({
  entity: entity.id,
  vis: entity.vis,
  ids: summary.references,
  isKnown: row !== undefined && !row.is_unresolved,
})

const dataOf = ({ data }: EntityItem): EntityData => data

const NOTHING: Item = {}

/** The references of an entity by id; most have none. */
function referencesOf({ observables, attachments, datasets }: EntityItem): Item {
  const known = observables?.some(({ id }) => id !== undefined) ? observables : undefined
  return known || attachments || datasets ? { observables: known, attachments, datasets } : NOTHING
}

function refuseDuplicates(items: readonly EntityItem[]): void {
  const faults = duplicateFaults(items, ({ data }) => data.id, 'data.id')
  if (faults.length > 0) throw badRequest(faults)
}
