import { attackOf } from '../../attack/classification/references.ts'
import type { Context } from '../../engine/context.ts'
import type { Link } from '../../engine/reference.ts'
import { findTaxonomies } from '../../intelligence/entities/references.ts'
import {
  type Contribution,
  type Contributor,
  findContributions,
  idsOfObservables,
  lostOf,
  NONE,
  noteContributions,
  ownOf,
  type Parts,
  without,
} from './contributions.ts'
import { type ExistingEntity, isKnown, type MatchedEntity, observablesIn } from './existing-entity.ts'
import type { ParsedEntity } from './parse-entity.ts'
import { unlinkObservables } from './retract.ts'

/** Removes from a batch of entities what their feed wrote earlier and no longer says. */
export interface Retractions {
  /** The ids of entities that lost observables. */
  readonly changed: ReadonlySet<string>
  /** The parts that the update of an entity leaves out; observables are not among them. */
  lost(parsed: ParsedEntity, existing: ExistingEntity, attachments: readonly Link[]): Parts
  /** Unlinks observables, and records what the feed contributes from now on. */
  apply(
    ids: ReadonlyMap<ParsedEntity, string>,
    written: ReadonlySet<ParsedEntity>,
    attachments: ReadonlyMap<string, readonly Link[]>,
  ): Promise<void>
}

/** For imports that do not come from a feed: everything stays but tags that the document had before. */
const FROM_DOCUMENT: Retractions = {
  changed: new Set(),
  lost: (_, existing) => documentTags(existing),
  apply: async () => undefined,
}

const documentTags = ({ brought }: ExistingEntity): Parts => ({ ...NONE, tags: brought ?? [] })

/** Looks up what a contributor wrote of these entities before. */
export async function planRetractions(
  ctx: Context,
  current: readonly MatchedEntity[],
  contributor: Contributor | undefined,
): Promise<Retractions> {
  if (!contributor) return FROM_DOCUMENT
  const { isWhole } = contributor
  const contributions = await findContributions(
    ctx,
    contributor,
    current.flatMap(({ existing }) => (isKnown(existing) ? existing.id : [])),
  )
  const said = await partsReader(ctx, current)
  const isAdding = ({ located }: ParsedEntity) => !contributor.isNewest || located.finding.entity.isAddition === true
  const changed = new Set<string>()
  return {
    changed,
    lost: (parsed, existing, attachments) => {
      if (isAdding(parsed)) return NONE
      const known = contributions.get(existing.id)
      return known?.is_known ? lostOf(known, said(parsed, attachments, []), isWhole) : documentTags(existing)
    },
    apply: async (ids, written, attachments) => {
      const observablesOf = await namedObservables(ctx, current, ids)
      const unlinked: { entity: string; observable: number }[] = []
      const notes = current.flatMap(({ parsed, existing }): Omit<Contribution, 'is_known'>[] => {
        const entity = ids.get(parsed)
        if (entity === undefined) return []
        const { own, attached } = observablesOf(parsed)
        const parts = said(parsed, attachments.get(String(parsed.item.data.id)) ?? [], [...own, ...attached])
        const known = isKnown(existing) ? contributions.get(entity) : undefined
        if (existing && written.has(parsed) && !isAdding(parsed)) {
          const lost = lostOf(known, parts, isWhole).observables
          if (lost.length > 0) changed.add(entity)
          unlinked.push(...lost.map((observable) => ({ entity, observable })))
        }
        return [contributionOf(entity, existing, known, parts, attached, { isWhole, isAdding: isAdding(parsed) })]
      })
      await unlinkObservables(ctx, unlinked)
      await noteContributions(ctx, contributor, notes)
    },
  }
}

/** Makes a function that gives the parts of a parsed entity, with its taxonomies as ids. */
async function partsReader(ctx: Context, current: readonly MatchedEntity[]) {
  const names = new Set(current.flatMap(({ parsed }) => parsed.item.meta?.taxonomies ?? []))
  const nodes = names.size > 0 ? await findTaxonomies(ctx, [...names]) : new Map<string, number>()
  return ({ item }: ParsedEntity, attachments: readonly Link[], observables: readonly number[]): Parts => ({
    tags: (item.meta?.tags ?? []).map((tag) => tag.trim()),
    attacks: (item.meta?.attacks ?? []).flatMap((name) => attackOf(name) ?? []),
    taxonomies: (item.meta?.taxonomies ?? []).flatMap((name) => nodes.get(String(name)) ?? []),
    attachments: attachments.map(({ id }) => String(id)),
    observables,
  })
}

/** What a feed contributes to an entity after this import. */
function contributionOf(
  entity: string,
  existing: ExistingEntity | undefined,
  known: Contribution | undefined,
  said: Parts,
  attached: readonly number[],
  { isWhole, isAdding }: { readonly isWhole: boolean; readonly isAdding: boolean },
): Omit<Contribution, 'is_known'> {
  const parts = ownOf(isKnown(existing) ? existing : NONE, known, said)
  const joined = new Set(attached)
  const own = { ...parts, observables: parts.observables.filter((id) => !joined.has(id)) }
  const linked = parts.observables.filter((id) => joined.has(id))
  const earlier = known && !isWhole ? known.attached : []
  const all = isAdding && known ? unionOf(known, own) : own
  return { entity, ...all, attached: without([...new Set([...earlier, ...linked])], all.observables) }
}

const unionOf = (one: Parts, other: Parts): Parts => ({
  tags: [...new Set([...one.tags, ...other.tags])],
  attacks: [...new Set([...one.attacks, ...other.attacks])],
  taxonomies: [...new Set([...one.taxonomies, ...other.taxonomies])],
  attachments: [...new Set([...one.attachments, ...other.attachments])],
  observables: [...new Set([...one.observables, ...other.observables])],
})

/** The ids of the observables of entities: those that the entity names, and those that only a relationship attaches to it. */
async function namedObservables(
  ctx: Context,
  current: readonly MatchedEntity[],
  ids: ReadonlyMap<ParsedEntity, string>,
): Promise<(parsed: ParsedEntity) => { readonly own: readonly number[]; readonly attached: readonly number[] }> {
  const inEntity = current.flatMap(({ parsed }) =>
    observablesIn(parsed).flatMap((observable) =>
      observable.id === undefined ? [{ entity: ids.get(parsed) ?? '', observable }] : [],
    ),
  )
  const joined = current.flatMap(({ parsed }) =>
    (parsed.located.finding.entity.joined ?? []).map((observable) => ({ entity: ids.get(parsed) ?? '', observable })),
  )
  const own = await idsOfObservables(ctx, inEntity)
  const others = await idsOfObservables(ctx, joined)
  return (parsed) => {
    const entity = ids.get(parsed) ?? ''
    const attached = others.get(entity) ?? new Set()
    return { own: [...(own.get(entity) ?? [])].filter((id) => !attached.has(id)), attached: [...attached] }
  }
}
