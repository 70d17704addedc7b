import type { Enrichers } from './enrichers.ts'

/** The colours from the least to the most restricted. */
export const COLOURS = ['NONE', 'WHITE', 'GREEN', 'AMBER', 'RED'] as const
export type Colour = (typeof COLOURS)[number]

interface Exclusion {
  readonly types: readonly string[]
  readonly entries: readonly string[]
}

/** What decides about disclosure, as it is stored at one moment. */
export interface Moment {
  /** The rank of the least restricted colour at which a user sees an observable; undefined if they do not see it or may not look up. */
  rankOf(user: number, value: string): number | undefined
  isExcluded(type: string, value: string): boolean
  /** The highest rank that an enricher may look up. */
  ceilingOf(enricher: number): number
}

interface Stored {
  readonly ways: readonly { readonly value: string; readonly vis: number }[]
  readonly sights: readonly { readonly user: number; readonly number: number; readonly colour: Colour }[]
  readonly lists: readonly Exclusion[]
  readonly ceilings: readonly { readonly id: number; readonly max_tlp: Colour | null }[]
}

const hostOf = (type: string, value: string): string => (type === 'uri' ? new URL(value).hostname : value)

/** Reads it from the tables, without any code of the product that decides the same. */
export async function readMoment({ pool }: Enrichers): Promise<Moment> {
  const { rows } = await pool.query<{ stored: Stored }>(`
    select json_build_object(
      'ways', (select coalesce(json_agg(w), '[]') from (
        select o.value, r.vis from observables as o join observable_records as r on r.observable = o.id
        union
        select o.value, e.vis from observables as o
        join entity_observables as l on l.target = o.id join entities as e on e.id = l.source) as w),
      'sights', (select coalesce(json_agg(s), '[]') from (
        select m.target as "user", s.number, a.allowed_tlp as colour
        from group_users as m join group_sources as a on a.source = m.source join sources as s on s.id = a.target
        join users as u on u.id = m.target and u.is_active) as s),
      'lists', (select coalesce(json_agg(x), '[]') from (select types, entries from exclusion_lists where is_active) as x),
      'ceilings', (select coalesce(json_agg(c), '[]') from (select id, max_tlp from enrichers) as c)) as stored`)
  const [row] = rows
  if (!row) throw new TypeError('Nothing was read.')
  const { ways, sights, lists, ceilings } = row.stored
  const allowed = new Map<string, number>()
  for (const { user, number, colour } of sights) {
    const key = `${user} ${number}`
    allowed.set(key, Math.max(allowed.get(key) ?? 0, COLOURS.indexOf(colour)))
  }
  return {
    rankOf: (user, value) => {
      const ranks = ways
        .filter((way) => way.value === value)
        .map(({ vis }) => ({ rank: vis % 8, most: allowed.get(`${user} ${Math.floor(vis / 8)}`) ?? -1 }))
        .filter(({ rank, most }) => rank <= most)
      return ranks.length === 0 ? undefined : Math.min(...ranks.map(({ rank }) => rank))
    },
    isExcluded: (type, value) =>
      lists.some(
        ({ types, entries }) =>
          (types.length === 0 || types.includes(type)) &&
          entries.some((entry) => value === entry || `.${hostOf(type, value)}`.endsWith(`.${entry}`)),
      ),
    ceilingOf: (enricher) => {
      const found = ceilings.find(({ id }) => id === enricher)?.max_tlp
      return found ? COLOURS.indexOf(found) : COLOURS.length - 1
    },
  }
}
