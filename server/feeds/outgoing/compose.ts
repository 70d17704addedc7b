import { sql } from 'kysely'
import { z } from 'zod'
import type { Schedule } from '../../domain/schedule.ts'
import { faultsOf, messageOf } from '../../engine/body.ts'
import { itemPath } from '../../engine/bulk-errors.ts'
import type { Context, Item } from '../../engine/context.ts'
import { ApiError, badRequest } from '../../engine/errors.ts'
import { link } from '../../engine/link.ts'
import type { FeedContent } from '../../formats/format.ts'
import { CONTENT_TYPES, contentTypeOf } from '../../formats/formats.ts'
import { entityTypes } from '../../intelligence/entities/entity-data.ts'
import { readShape } from '../../intelligence/shaping/shape.ts'
import { separateSecrets } from '../transports/transport-secrets.ts'
import { OUTGOING_TRANSPORTS } from '../transports/transports.ts'
import type { OutgoingFeed } from './feed.ts'

/** The stored state of a feed before it is written. */
export type State = Pick<
  OutgoingFeed,
  | 'id'
  | 'name'
  | 'content_type'
  | 'transport_type'
  | 'transport_configuration'
  | 'transport_secrets'
  | 'update_strategy'
  | 'consolidation'
  | 'anonymisation'
  | 'owner'
  | 'keys'
> & { readonly execution_schedule: Schedule | null }

/** The stored feeds, locked until the request ends. */
export async function statesOf(ctx: Context, field: 'id' | 'name', values: readonly unknown[]): Promise<State[]> {
  const { rows } = await sql<State>`
    select id, name, content_type, transport_type, transport_configuration, transport_secrets, update_strategy, consolidation, anonymisation,
      execution_schedule, owner, keys
    from outgoing_feeds
    where ${sql.ref(field)} = any(${values}::${sql.raw(field === 'id' ? 'integer' : 'text')}[])
    order by id
    for no key update`.execute(ctx.db)
  return rows
}

/**
 * Turns feeds of a request into feeds to store, with complete documents. A 400 lists all errors beyond those of single fields, for all
 * feeds at once.
 */
export async function compose(
  ctx: Context,
  items: readonly Item[],
  stateOf: (item: Item) => State | undefined,
): Promise<Item[]> {
  const known = await knownTypes(ctx, items)
  const faults: string[] = []
  const composed = items.map((item, i) => {
    const at = itemPath(items, i)
    const state = stateOf(item)
    faults.push(...typeFaults(item, known, at), ...ruleFaults({ ...state, ...given(item) }, at))
    try {
      return composeOne(ctx, item, state, at)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      faults.push(...error.details)
      return item
    }
  })
  if (faults.length > 0) throw badRequest(faults)
  return composed
}

const given = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null && value !== undefined))

function composeOne({ vault }: Context, { intel_sets, ...sent }: Item, state: State | undefined, at: number[]): Item {
  const item = { ...sent, datasets: sent.datasets ?? intel_sets }
  const type = (sent.transport_type ?? state?.transport_type) as OutgoingFeed['transport_type']
  const { transport_configuration: document } = sent
  if (document === undefined && state?.transport_type === type) return item
  const wanted = (document ?? {}) as Item
  // The configuration of another transport no longer applies.
  const configuration = separateSecrets(vault, OUTGOING_TRANSPORTS[type], wanted, state, at)
  return { ...item, ...configuration, ...groupsIn(item, wanted, at) }
}

const groups = z.array(link('groups'))

/** Existing clients name the groups in the configuration of the transport. */
function groupsIn(item: Item, { authorized_groups }: Item, at: number[]): Item {
  if (authorized_groups === undefined || item.authorised_groups !== undefined) return {}
  const parsed = groups.safeParse(authorized_groups, { error: messageOf })
  if (parsed.success) return { authorised_groups: parsed.data }
  throw badRequest(faultsOf(parsed.error, [...at, 'transport_configuration', 'authorized_groups']))
}

/** Whether a feed is a collection of the TAXII server. */
export const isCollection = ({ transport_type }: Pick<State, 'transport_type'>): boolean =>
  OUTGOING_TRANSPORTS[transport_type]?.isCollection === true

/** The errors of combinations that are not allowed. */
function ruleFaults(feed: Item, at: number[]): string[] {
  const { content_type, update_strategy } = feed as Partial<State>
  const place = at.map((i) => `[${i}].`).join('')
  const content = contentTypeOf(content_type ?? '')?.feed
  const lacks = (strategy: State['update_strategy']) =>
    update_strategy === strategy && content !== undefined && !content.strategies.includes(strategy)
  return [
    ...(lacks('DIFF')
      ? [`${place}update_strategy: DIFF needs a content type that is a table: ${urnsWith(isDiffable).join(', ')}`]
      : []),
    ...(lacks('APPEND')
      ? [
          `${place}update_strategy: must be REPLACE for ${urnsWith(isWhole).join(' and ')}, which write events as a whole`,
        ]
      : []),
    ...(isCollection(feed as State) && !content?.hasVersions
      ? [
          `${place}content_type: must be ${urnsWith(hasVersions).join(' or ')}, because the feed is a collection of TAXII 2.1`,
        ]
      : []),
  ]
}

const isDiffable = ({ strategies }: FeedContent): boolean => strategies.includes('DIFF')
const isWhole = ({ strategies }: FeedContent): boolean => !strategies.includes('APPEND')
const hasVersions = (content: FeedContent): boolean => content.hasVersions === true

/** The content types of feeds that meet a condition. */
const urnsWith = (condition: (content: FeedContent) => boolean): string[] =>
  CONTENT_TYPES.filter(({ feed }) => feed && condition(feed)).map(({ urn }) => urn)

async function knownTypes(ctx: Context, items: readonly Item[]): Promise<ReadonlySet<string>> {
  const isAsked = items.some(({ entity_types }) => Array.isArray(entity_types) && entity_types.length > 0)
  return new Set([...entityTypes, ...(isAsked ? (await readShape(ctx.db)).types.keys() : [])])
}

function typeFaults({ entity_types }: Item, known: ReadonlySet<string>, at: number[]): string[] {
  const place = at.map((i) => `[${i}].`).join('')
  return ((entity_types ?? []) as string[]).flatMap((type, i) =>
    known.has(type) ? [] : [`${place}entity_types[${i}]: '${type.slice(0, 80)}' is not an entity type`],
  )
}
