import { type Kysely, sql } from 'kysely'
import { keyOf } from '../../server/identity/access/visibility.ts'
import { contentOf, detailOf, hashOf, runOf, taskOf } from './holding-ids.ts'
import type { Insert } from './inserter.ts'
import { type Instance, id, text } from './instance.ts'
import { rows } from './people.ts'
import { ALLOWED, type Ceiling } from './world.ts'

const PAST = '2026-01-01T00:00:00Z'
const FUTURE = '2100-01-01T00:00:00Z'
/** A part of the budget of the month 2099-12: it counts in every run of the tests. */
const LATER = Date.UTC(2099, 11, 1)

/** Writes enrichers, what they found, and what they are still to look up. */
export async function insertEnrichers(
  db: Kysely<unknown>,
  insert: Insert,
  instances: readonly Instance[],
): Promise<void> {
  await insertFunctions(insert)
  const columns =
    'id integer, name text, enricher text, is_active boolean, supported_observable_types text[], source uuid, task integer, last_run uuid, suspended_at timestamptz, suspended_reason text, waits_until timestamptz, wait_reason text, faults integer, open_until timestamptz, last_fault text, cost_per_call real, created_by integer'
  await insert('enrichers', columns, (instance) =>
    instance.world.holdings.enrichers.map(({ name, source, condition }) => {
      const reason = text(instance, `${name}reason`)
      return {
        id: id(instance, name),
        name: text(instance, name),
        enricher: 'builtin:own_service',
        is_active: condition !== 'inactive',
        supported_observable_types: ['domain', 'email', 'uri'],
        source: id(instance, source),
        task: id(instance, taskOf(name)),
        last_run: id(instance, runOf(name)),
        ...(condition === 'suspended' && { suspended_at: PAST, suspended_reason: reason }),
        ...(condition === 'waiting' && { waits_until: FUTURE, wait_reason: reason }),
        faults: condition === 'unreachable' ? 4 : 0,
        ...(condition === 'unreachable' && { open_until: FUTURE, last_fault: reason }),
        cost_per_call: 0.5,
        created_by: id(instance, 'writer'),
      }
    }),
  )
  await insert(
    'enricher_budgets',
    'enricher integer, seconds integer, calls integer, starts bigint[], used integer[]',
    (instance) =>
      instance.world.holdings.enrichers.map(({ name, used }) => ({
        enricher: id(instance, name),
        seconds: 0,
        calls: 3,
        starts: used > 0 ? [LATER] : [],
        used: used > 0 ? [used] : [],
      })),
  )
  await insertResults(insert)
  await setKeys(db, instances)
}

async function insertFunctions(insert: Insert): Promise<void> {
  await insert('enricher_definitions', 'id integer, name text, description text, definition jsonb', (instance) =>
    instance.world.holdings.enricherDefinitions.map(({ name }) => ({
      id: id(instance, name),
      name: text(instance, name),
      description: '',
      definition: { title: text(instance, name), types: ['domain'] },
    })),
  )
  await insert('enricher_tables', 'id integer, name text, description text, format text, key_column text', (instance) =>
    instance.world.holdings.enricherTables.map(({ name }) => ({
      id: id(instance, name),
      name: text(instance, name),
      description: '',
      format: 'csv',
      key_column: 'key',
    })),
  )
}

async function insertResults(insert: Insert): Promise<void> {
  const columns =
    'id integer, enricher integer, observable integer, vis integer, state text, reason text, findings jsonb, warnings text[], looked_up_at timestamptz, expires_at timestamptz, raw text, raw_size bigint, run uuid, requested_by integer'
  await insert('enrichments', columns, (instance) =>
    instance.world.holdings.enrichments.map((each) => {
      const { name, enricher, observable, state, isValid, hasRaw, requester } = each
      const isAnswer = state === 'FOUND' || state === 'EMPTY'
      return {
        id: id(instance, name),
        enricher: id(instance, enricher),
        observable: id(instance, observable),
        vis: 0,
        state,
        reason: state === 'FAILED' || state === 'SKIPPED' ? text(instance, detailOf(name)) : null,
        findings: state === 'FOUND' ? [{ kind: 'tag', value: text(instance, detailOf(name)) }] : [],
        warnings: [],
        looked_up_at: isAnswer || state === 'FAILED' ? PAST : null,
        expires_at: isAnswer ? (isValid ? FUTURE : PAST) : null,
        raw: hasRaw ? hashOf(instance, name) : null,
        raw_size: hasRaw ? text(instance, contentOf(name)).length : null,
        run: id(instance, runOf(enricher)),
        requested_by: id(instance, requester),
      }
    }),
  )
  await insert('enrichment_requests', 'enricher integer, observable integer, attempts integer', (instance) =>
    instance.world.holdings.enrichments
      .filter(({ isQueued }) => isQueued)
      .map(({ enricher, observable }) => ({
        enricher: id(instance, enricher),
        observable: id(instance, observable),
        attempts: 0,
      })),
  )
  await insert(
    'observable_links',
    'id integer, observable integer, target integer, relation text, vis integer, enricher integer',
    (instance) =>
      instance.world.holdings.observableLinks.map(({ name, enricher, observable, target }) => ({
        id: id(instance, name),
        observable: id(instance, observable),
        target: id(instance, target),
        relation: name,
        vis: 0,
        enricher: id(instance, enricher),
      })),
  )
}

/** Sets the keys of results and links, by the numbers of the sources of their enrichers. */
async function setKeys(db: Kysely<unknown>, instances: readonly Instance[]): Promise<void> {
  const ranked = (instance: Instance, list: readonly { readonly name: string; readonly colour: Ceiling }[]) =>
    list.map(({ name, colour }) => ({ id: id(instance, name), rank: ALLOWED.indexOf(colour) }))
  const keyed = [
    ['enrichments', instances.flatMap((each) => ranked(each, each.world.holdings.enrichments))],
    ['observable_links', instances.flatMap((each) => ranked(each, each.world.holdings.observableLinks))],
  ] as const
  for (const [table, all] of keyed) {
    await sql`
      update ${sql.table(table)} as t set vis = ${keyOf(sql`s.number`, sql`i.rank`)}
      from ${rows(all, 'id integer, rank integer')}, enrichers as e join sources as s on s.id = e.source
      where t.id = i.id and e.id = t.enricher`.execute(db)
  }
}
