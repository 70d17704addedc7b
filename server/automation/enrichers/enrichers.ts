import { sql } from 'kysely'
import { z } from 'zod'
import { TLP_ORDER } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { bool, computed, int, json, real, ref, string, strings, text, timestamp } from '../../engine/field.ts'
import { ordered } from '../../engine/ordered.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { sourceReliability, tlpInput } from '../../intelligence/entities/vocabulary.ts'
import { observableTypesInput } from '../../intelligence/observables/type-input.ts'
import { resumesAt } from '../circuit.ts'
import { enricherOperations } from './enricher-operations.ts'
import { enricherRoutes } from './enricher-routes.ts'
import { ENRICHER_STATES, quota, quotaOf, reasonOf, stateOf } from './enricher-state.ts'
import { keepingExtra } from './keep-extra.ts'

const MAX_SECONDS = 31_536_000

const limits = z
  .array(z.object({ calls: z.int().min(1).max(1_000_000_000), seconds: z.int().min(1).max(MAX_SECONDS) }))
  .max(10)

const sourceUrls = z.record(
  string(1, 100),
  string(1, 2000).regex(
    /^https?:\/\/[^/?#\s$]+([/?#]|$)/,
    `must be an http or https address whose host contains no \${input}`,
  ),
)

/** How many results are in a state, of those under keys that the caller holds. */
const resultsIn = (state: string) => (ctx: Context) =>
  sql`select count(*) from enrichments as f where f.enricher = t.id and f.state = ${sql.lit(state)} and ${holdsKey(ctx, sql`f.vis`)}`

export const enrichers = defineResource({
  collection: 'enrichers',
  title: 'Enricher',
  doc: 'Looks observables up with a function, for example at a service. What it finds belongs to its own source.',
  key: ['name'],
  fields: {
    name: text()
      .accepts(z.string().regex(/^[A-Za-z0-9_]{1,200}$/, 'must be at most 200 letters, digits and underscores'))
      .default('')
      .describe('Unique. Derived from `enricher` if it is not given.'),
    enricher: text(1, 200).required().describe('The name of the function; see `/enrichers/functions`.'),
    description: text(0, 10_000).default(''),
    is_active: bool().required().describe('Only active enrichers look observables up.'),
    supported_observable_types: strings()
      .accepts(observableTypesInput)
      .required()
      .describe('The types that it looks up, a part of those of its function.'),
    parameters: json(z.record(string(1, 200), z.unknown()))
      .default({})
      .describe('The parameters of the function. Secrets are returned as the pass-through token.'),
    cache_validity: int(0, MAX_SECONDS)
      .default(604_800)
      .describe('For how many seconds a result, or that there is none, is used again.'),
    rate_limit: int(1, 1000).nullable().describe('The most calls per second.'),
    execution_cap: int(0).nullable().describe('The most calls per calendar month (UTC).'),
    limits: json(limits)
      .default([])
      .describe('Further limits: at most `calls` in any `seconds`. Those of the function if not given.'),
    concurrency: int(1, 20).default(2).describe('How many look-ups run at the same time, in all processes together.'),
    max_tlp: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
      'Observables above this colour are not looked up. If not given, GREEN for functions that call a service, otherwise null, which is no limit.',
    ),
    cost_per_call: real()
      .accepts(z.number().min(0).max(1_000_000))
      .nullable()
      .describe('For forecasts, in any currency.'),
    source_urls: json(sourceUrls)
      .default({})
      .describe(
        `Pages about an observable by type; \${input} stands for its value. Those of the function if not given.`,
      ),
    source_reliability: text().accepts(sourceReliability).nullable(),
    tlp_color: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
      'The least colour of what it finds. A finding is never below the colour of its observable.',
    ),
    version: int(1).default(1).writeOnly(),
    extra: json(z.record(string(0, 200), z.unknown()))
      .default({})
      .describe('Other properties of clients, which are also accepted and returned at the top level.'),
    source: ref('sources').readOnly().describe('The source of its findings, created with the enricher.'),
    task: ref('tasks').nullable().readOnly().describe('Its task, whose runs look observables up again.'),
    state: computed('text', z.enum(ENRICHER_STATES), stateOf).describe(
      'WAITING: its limits allow no call now. UNREACHABLE: the service failed repeatedly and is probed from time to time. SUSPENDED: the service refuses the credentials. NOT_INSTALLED: the function does not exist.',
    ),
    state_reason: computed('text', z.string(), reasonOf),
    suspended_at: timestamp().nullable().readOnly(),
    resumes_at: computed('timestamptz', z.string(), () => resumesAt).describe('When it continues on its own.'),
    quota: computed('jsonb', quota, quotaOf).describe('How many calls each limit allows and how many were used.'),
    last_call_at: timestamp().nullable().readOnly(),
    last_run: ref('task_runs').nullable().readOnly(),
    waiting_count: computed(
      'bigint',
      z.int(),
      'select count(*) from enrichment_requests as q where q.enricher = t.id',
    ).describe('Look-ups in its queue.'),
    found_count: computed('bigint', z.int(), resultsIn('FOUND')).describe(
      'Its results with findings, at the colours of its source that you can see.',
    ),
    empty_count: computed('bigint', z.int(), resultsIn('EMPTY')),
    failed_count: computed('bigint', z.int(), resultsIn('FAILED')),
    parameter_secrets: text().nullable().hidden(),
    ...stamps,
  },
  operations: enricherOperations,
  routes: (standard) => [...enricherRoutes, ...standard.map(keepingExtra)],
  example: {
    name: 'reputation',
    enricher: 'builtin:own_service',
    is_active: true,
    supported_observable_types: ['ipv4', 'domain'],
    parameters: { url: 'https://reputation.example/look-up' },
    limits: [{ calls: 500, seconds: 86_400 }],
    source_reliability: 'B',
    tlp_color: 'GREEN',
  },
})
