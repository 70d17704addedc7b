import { TLP } from '../../../domain/tlp.ts'
import type { EntityData } from '../../../intelligence/entities/entity-data.ts'
import type { EntityMeta } from '../../../intelligence/entities/meta.ts'
import { asItem, composeData, titlesOf } from './compose-data.ts'
import { type Colour, colourOf, composeMeta } from './compose-meta.ts'
import { type Choices, type Contributor, inPrecedence, type LinkedObservable } from './contributor.ts'
import type { FieldOrigin, Provenance } from './provenance.ts'
import { type Bounds, type Found, saidBy, unionOf } from './values.ts'

/** How many observables and attachments a unified entity can have at most. */
const MAX_LINKS: Bounds = { items: 20_000, bytes: 2 ** 20 }

/** What a unified entity consists of. */
export interface Composed {
  readonly data: EntityData & { readonly id: string }
  readonly meta: EntityMeta
  /** The rank of its colour. */
  readonly rank: number
  readonly taxonomies: readonly number[]
  readonly attacks: readonly string[]
  /** In the order of their ids. */
  readonly observables: readonly LinkedObservable[]
  readonly attachments: readonly string[]
  /** What it is found by: the title first, then those of all other contributors. */
  readonly titles: readonly string[]
  readonly provenance: Provenance
}

/**
 * Composes the unified entity with a STIX id from its contributors. Their order does not matter, and contributors above the resulting
 * colour contribute nothing.
 */
export function composeUnified(all: readonly Contributor[], choices: Choices, stixId: string): Composed {
  const ordered = inPrecedence(all, choices)
  const colour = colourOf(ordered, choices)
  const contributors = ordered.filter(({ rank }) => rank <= colour.rank)
  const data = composeData(contributors, choices)
  const meta = composeMeta(contributors, choices)
  const observables = linksOf(contributors, ({ observables }) => observables.map(({ id }) => id))
  const attachments = linksOf(contributors, (contributor) => contributor.attachments)
  const { type = '' } = contributors[0] ?? {}
  const { taxonomies, attacks, ...members } = asItem(meta)
  return {
    data: { ...asItem(data), id: stixId, type } as Composed['data'],
    meta: { ...members, tlp_color: colour.value } as EntityMeta,
    rank: colour.rank,
    taxonomies: (taxonomies ?? []) as number[],
    attacks: (attacks ?? []) as string[],
    observables: withLinkTypes((observables?.value ?? []) as number[], contributors),
    attachments: (attachments?.value ?? []) as string[],
    titles: [...new Set([String(data.get('title')?.value), ...contributors.flatMap(titlesOf).sort()])],
    provenance: {
      fields: {
        ...originsOf('data.', data),
        'meta.tlp_color': colour.origin,
        ...originsOf('meta.', meta),
        ...(observables && { observables: observables.origin }),
        ...(attachments && { attachments: attachments.origin }),
      },
      why_not: whyNot(ordered, colour),
    },
  }
}

const linksOf = (
  contributors: readonly Contributor[],
  read: (contributor: Contributor) => readonly (number | string)[],
): Found | undefined => unionOf(saidBy(contributors, read), MAX_LINKS)

/** A link has a type if all contributors with one agree. */
function withLinkTypes(ids: readonly number[], contributors: readonly Contributor[]): LinkedObservable[] {
  const types = new Map<number, string | null>()
  for (const { id, linkType } of contributors.flatMap(({ observables }) => observables)) {
    if (linkType === null) continue
    types.set(id, (types.get(id) ?? linkType) === linkType && types.get(id) !== null ? linkType : null)
  }
  return ids.toSorted((a, b) => a - b).map((id) => ({ id, linkType: types.get(id) ?? null }))
}

const originsOf = (prefix: string, found: ReadonlyMap<string, Found>): Record<string, FieldOrigin> =>
  Object.fromEntries([...found].map(([name, { origin }]) => [prefix + name, origin]))

function whyNot(contributors: readonly Contributor[], { rank, value }: Colour): Record<string, string> {
  const above = contributors.filter((contributor) => contributor.rank > rank)
  return Object.fromEntries(
    above.map(({ id, rank: own }) => [
      id,
      `Its colour, ${TLP[own] ?? 'RED'}, is more restrictive than that of the unified entity, ${value ?? 'NONE'}.`,
    ]),
  )
}
