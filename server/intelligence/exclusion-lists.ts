import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { type Exclusion, entryFault, exclusionsOf, MAX_ENTRY_LENGTH } from '../domain/exclusions.ts'
import { OBSERVABLE_TYPES } from '../domain/observables/types.ts'
import type { Context } from '../engine/context.ts'
import type { Operations } from '../engine/definition.ts'
import { badRequest } from '../engine/errors.ts'
import { bool, name, string, strings, text } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { standard } from '../engine/standard.ts'
import { observableTypeInput } from './observables/type-input.ts'

/** The maximum number of entries of one list and of all lists together, which are kept in memory. */
export const EXCLUSION_LIMITS = { entries: 10_000, total: 50_000 }

const entries = z
  .array(string(0, MAX_ENTRY_LENGTH))
  .max(EXCLUSION_LIMITS.entries)
  .superRefine((given, check) => {
    for (const [i, entry] of given.entries()) {
      const fault = entryFault(entry)
      if (fault !== undefined) check.addIssue({ code: 'custom', path: [i], message: fault })
    }
  })

export const exclusionLists = defineResource({
  collection: 'exclusion_lists',
  title: 'Exclusion list',
  doc: 'Observables that are not extracted from text, such as your own domains, private networks and well-known sites.',
  permission: 'configurations',
  key: ['name'],
  fields: {
    name: name(),
    description: text(0, 10_000).default(''),
    is_active: bool().default(true).describe('Whether the list takes effect.'),
    types: strings()
      .accepts(z.array(observableTypeInput).max(OBSERVABLE_TYPES.length))
      .describe('The observable types that the list applies to. An empty list applies to all types.'),
    entries: strings()
      .accepts(entries)
      .describe(
        'Values, domains (`example.com` or `*.example.com`, each with all subdomains), addresses, and networks in CIDR notation. ' +
          'Domains and networks also exclude URLs and e-mail addresses that contain them.',
      ),
    ...stamps,
  },
  example: {
    name: 'Our own network',
    description: 'Our own infrastructure, which reports about us mention.',
    is_active: true,
    types: ['domain', 'ipv4', 'uri'],
    entries: ['corvus.example', '*.bank.example', '198.51.100.0/24', '2001:db8::/32', 'https://pages.example/ours'],
  },
  operations: {
    ...standard,
    create: (ctx, resource, item) => requireTotalWithinLimit(ctx, standard.create(ctx, resource, item)),
    upsert: (ctx, resource, items) => requireTotalWithinLimit(ctx, standard.upsert(ctx, resource, items)),
    update: (ctx, resource, id, patch) => requireTotalWithinLimit(ctx, standard.update(ctx, resource, id, patch)),
  } satisfies Operations,
})

/** Refuses a write after which all lists together have too many entries, so that the transaction is rolled back. */
async function requireTotalWithinLimit<T>({ db }: Context, written: Promise<T>): Promise<T> {
  const result = await written
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(cardinality(entries)), 0)::integer as total from exclusion_lists`.execute(db)
  if ((rows[0]?.total ?? 0) <= EXCLUSION_LIMITS.total) return result
  throw badRequest(`entries: all lists together can have at most ${EXCLUSION_LIMITS.total} entries`)
}

interface Cached {
  readonly version: string
  readonly exclusion: Exclusion
}

/** The lists that were read last. The version identifies the state of the lists and the database. */
const cache: { latest?: Cached } = {}

/** The exclusions of all active lists, read again after a list has changed. */
export async function readExclusions(db: Kysely<unknown>): Promise<Exclusion> {
  const { rows } = await sql<{ version: string }>`
    select current_database() || coalesce(string_agg(',' || id || '.' || xmin::text, '' order by id), '') as version
    from exclusion_lists`.execute(db)
  const version = rows[0]?.version ?? ''
  if (cache.latest?.version === version) return cache.latest.exclusion
  const lists = await sql<{ name: string; types: string[]; entries: string[] }>`
    select name, types, entries
    from exclusion_lists
    where is_active
    order by id`.execute(db)
  const exclusion = exclusionsOf(lists.rows)
  cache.latest = { version, exclusion }
  return exclusion
}
