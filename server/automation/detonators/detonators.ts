import { sql } from 'kysely'
import { z } from 'zod'
import { TLP_ORDER } from '../../domain/tlp.ts'
import { bool, computed, int, json, ref, string, strings, text, timestamp } from '../../engine/field.ts'
import { ordered } from '../../engine/ordered.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { sourceReliability, tlpInput } from '../../intelligence/entities/vocabulary.ts'
import { observableTypesInput } from '../../intelligence/observables/type-input.ts'
import { resumesAt } from '../circuit.ts'
import { DETONATION_TYPES } from './adapter.ts'
import { detonatorOperations } from './detonator-operations.ts'
import { detonatorRoutes } from './detonator-routes.ts'
import { countedToday, DETONATOR_STATES, reasonOf, stateOf } from './detonator-state.ts'
import { isInstalled, ofAdapter } from './find-adapter.ts'
import { hasConsented, shownTerms } from './terms.ts'

const MAX_SECONDS = 31_536_000

export const detonators = defineResource({
  collection: 'detonators',
  title: 'Detonator task',
  doc: 'A sandbox that runs files and opens addresses. What its reports say belongs to its own source.',
  key: ['name'],
  fields: {
    name: text()
      .accepts(z.string().regex(/^[A-Za-z0-9_]{1,200}$/, 'must be at most 200 letters, digits and underscores'))
      .default('')
      .describe('Unique, and never changed. If not given, the name of the adapter, with a number for a further one.'),
    adapter: text(0, 200)
      .default('')
      .describe('The adapter, such as `cape`; its name is also accepted as `name`. It cannot be changed.'),
    task_name: text(0, 500).default('').describe('What people call it. The title of the adapter if not given.'),
    task_type: computed('text', z.string(), `'detonator.' || t.adapter`),
    description: text(0, 10_000).default(''),
    is_active: bool().default(false).describe('Only active detonators submit samples.'),
    is_installed: computed('boolean', z.boolean(), (ctx) => isInstalled(ctx)).describe(
      'Whether this installation has the adapter.',
    ),
    detonation_per_day_limit: int(0)
      .nullable()
      .describe('The most submissions per day in UTC; null for no limit. Samples that the vendor knows do not count.'),
    today_detonation_count: computed('integer', z.int(), () => countedToday).describe(
      'The submissions of this day in UTC.',
    ),
    parameters: json(z.record(string(1, 200), z.unknown()))
      .default({})
      .describe('The parameters of the adapter; see `ui_form_schema`. Secrets are returned as the pass-through token.'),
    selected_extract_types: strings()
      .accepts(observableTypesInput)
      .describe('The types of observables that are taken from reports. All that the adapter can find if not given.'),
    supported_detonation_types: computed('jsonb', z.array(z.enum(DETONATION_TYPES)), (ctx) =>
      ofAdapter(ctx, ({ supportedTypes }) => supportedTypes),
    ),
    supported_extract_types: computed('jsonb', z.array(z.string()), (ctx) =>
      ofAdapter(ctx, ({ extractTypes }) => extractTypes),
    ).describe('The types of observables that its reports can yield.'),
    terms: computed('jsonb', z.array(shownTerms), (ctx) => ofAdapter(ctx, ({ terms }) => terms)).describe(
      'What each user has to accept before they submit samples.',
    ),
    is_consented: computed('boolean', z.boolean(), (ctx) => hasConsented(ctx, sql`${ctx.caller.id}`)).describe(
      'Whether you have accepted the present terms.',
    ),
    ui_form_schema: computed('jsonb', z.array(z.looseObject({})), (ctx) => ofAdapter(ctx, ({ form }) => form)).describe(
      'The fields of the parameters and of the options of a submission, as a form.',
    ),
    source: ref('sources').readOnly().describe('The source of its results, created with the detonator.'),
    max_tlp: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
      'Samples above this colour are not submitted. GREEN if not given; null is no limit.',
    ),
    tlp_color: ordered(TLP_ORDER, text().accepts(tlpInput).nullable()).describe(
      'The least colour of its results. A result is never below the colour of its sample.',
    ),
    source_reliability: text().accepts(sourceReliability).nullable(),
    cache_validity: int(0, MAX_SECONDS)
      .default(604_800)
      .describe('For how many seconds a result is used again in place of another submission of the same sample.'),
    state: computed('text', z.enum(DETONATOR_STATES), stateOf).describe(
      'WAITING: the vendor allows no call now. UNREACHABLE: the vendor failed repeatedly and is probed from time to time. SUSPENDED: the vendor refuses the credentials. NOT_INSTALLED: the adapter does not exist.',
    ),
    state_reason: computed('text', z.string(), reasonOf),
    suspended_at: timestamp().nullable().readOnly(),
    resumes_at: computed('timestamptz', z.string(), () => resumesAt).describe('When it continues on its own.'),
    parameter_secrets: text().nullable().hidden(),
    ...stamps,
  },
  operations: detonatorOperations,
  routes: (standard) => [...detonatorRoutes, ...standard],
  example: {
    name: 'sandbox',
    adapter: 'cape',
    task_name: 'Sandbox of the laboratory',
    parameters: { url: 'https://cape.example.org' },
    detonation_per_day_limit: 100,
    max_tlp: 'GREEN',
  },
})
