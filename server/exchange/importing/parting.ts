import type { Link } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import { attackOf, findTaxonomies } from '../../intelligence/entities/references.ts'
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
import type { Draft } from './drafts.ts'
import { observablesIn, type Sorted, type Standing } from './standing.ts'
import { unlinkObservables } from './take-away.ts'

/** How a batch of entities parts with what their feed wrote of them and no longer says. */
export interface Parting {
  /** The entities that something was taken from. */
  readonly changed: ReadonlySet<string>
  /** What an entity loses that is not linked in tables of its own. */
  lost(draft: Draft, before: Standing, links: readonly Link[]): Parts
  /** Takes observables away, and notes what is the feed's from now on. */
  settle(
    ids: ReadonlyMap<Draft, string>,
    written: ReadonlySet<Draft>,
    links: ReadonlyMap<string, readonly Link[]>,
  ): Promise<void>
}

/** Nothing is taken away: what was imported once stays. */
const NOTHING: Parting = { changed: new Set(), lost: (_, before) => broughtBy(before), settle: async () => undefined }

/** Tags that the document had when it was last imported: what else is no longer said stays. */
const broughtBy = ({ brought }: Standing): Parts => ({ ...NONE, tags: brought ?? [] })

/** Finds out what a contributor wrote of these entities before. */
export async function partingOf(
  ctx: Context,
  current: readonly Sorted[],
  contributor: Contributor | undefined,
): Promise<Parting> {
  if (!contributor) return NOTHING
  const { isWhole, isNewest } = contributor
  const held = await findContributions(
    ctx,
    contributor,
    current.flatMap(({ before }) => (before && !before.is_unresolved ? before.id : [])),
  )
  const names = new Set(current.flatMap(({ draft }) => draft.item.meta?.taxonomies ?? []))
  const nodes = names.size > 0 ? await findTaxonomies(ctx, [...names]) : new Map<string, number>()
  const changed = new Set<string>()
  const said = ({ item }: Draft, links: readonly Link[], observables: readonly number[]): Parts => ({
    tags: (item.meta?.tags ?? []).map((tag) => tag.trim()),
    attacks: (item.meta?.attacks ?? []).flatMap((name) => attackOf(name) ?? []),
    taxonomies: (item.meta?.taxonomies ?? []).flatMap((name) => nodes.get(String(name)) ?? []),
    attachments: links.map(({ id }) => String(id)),
    observables,
  })
  const isAdding = ({ located }: Draft) => !isNewest || located.finding.entity.isAddition === true
  return {
    changed,
    lost: (draft, before, links) => {
      if (isAdding(draft)) return NONE
      const known = held.get(before.id)
      return known?.is_known ? lostOf(known, said(draft, links, []), isWhole) : broughtBy(before)
    },
    settle: async (ids, written, links) => {
      const named = await observablesOf(ctx, current, ids)
      const gone: { entity: string; observable: number }[] = []
      const notes = current.flatMap(({ draft, before }): Omit<Contribution, 'is_known'>[] => {
        const entity = ids.get(draft)
        if (entity === undefined) return []
        const { own, attached } = named(draft)
        const parts = said(draft, links.get(String(draft.item.data.id)) ?? [], [...own, ...attached])
        const known = before && !before.is_unresolved ? held.get(entity) : undefined
        if (before && written.has(draft) && !isAdding(draft)) {
          const lost = lostOf(known, parts, isWhole).observables
          if (lost.length > 0) changed.add(entity)
          gone.push(...lost.map((observable) => ({ entity, observable })))
        }
        return [noteOf(entity, before, known, parts, { own, attached }, isWhole, isAdding(draft))]
      })
      await unlinkObservables(ctx, gone)
      await noteContributions(ctx, contributor, notes)
    },
  }
}

interface Named {
  readonly own: readonly number[]
  readonly attached: readonly number[]
}

function noteOf(
  entity: string,
  before: Standing | undefined,
  known: Contribution | undefined,
  said: Parts,
  { attached }: Named,
  isWhole: boolean,
  isAdding: boolean,
): Omit<Contribution, 'is_known'> {
  const there: Parts = before && !before.is_unresolved ? before : NONE
  const parts = ownOf(there, known, said)
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

/** The ids of the observables that entities name, apart by whether the entity itself does or only a relationship with it. */
async function observablesOf(
  ctx: Context,
  current: readonly Sorted[],
  ids: ReadonlyMap<Draft, string>,
): Promise<(draft: Draft) => Named> {
  const wanted = current.flatMap(({ draft }) =>
    observablesIn(draft).flatMap((observable) =>
      observable.id === undefined ? [{ entity: ids.get(draft) ?? '', observable }] : [],
    ),
  )
  const joined = current.flatMap(({ draft }) =>
    (draft.located.finding.entity.joined ?? []).map((observable) => ({ entity: ids.get(draft) ?? '', observable })),
  )
  const [all, others] = [await idsOfObservables(ctx, wanted), await idsOfObservables(ctx, joined)]
  return (draft) => {
    const entity = ids.get(draft) ?? ''
    const attached = others.get(entity) ?? new Set()
    return { own: [...(all.get(entity) ?? [])].filter((id) => !attached.has(id)), attached: [...attached] }
  }
}
