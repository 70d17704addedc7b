import { sql } from 'kysely'
import { z } from 'zod'
import { latestStateOf } from '../../background/owned-tasks.ts'
import { schedule } from '../../domain/schedule.ts'
import { bool, computed, int, json, name, oneOf, ref, refs, text, timestamp } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { criteriaInput, criteriaOutput, MAX_DAYS, showCriteria, TIME_FIELDS } from './criteria.ts'
import { enrichmentRuleOperations } from './enrichment-rule-operations.ts'
import { previewRule } from './preview.ts'
import { problemOf } from './problem.ts'
import { STOP_AT } from './stop-at.ts'

export const MAX_ENRICHERS = 100

export const enrichmentRules = defineResource({
  collection: 'enrichment_rules',
  title: 'Enrichment rule',
  doc: 'Looks up the observables of new data with enrichers, and those of existing data on demand or on a schedule. A rule acts for the user who last saved it.',
  key: ['name'],
  fields: {
    name: name(),
    description: text(0, 10_000).nullable(),
    is_active: bool().required().describe('Inactive rules look nothing up.'),
    criteria: json(criteriaOutput)
      .accepts(criteriaInput)
      .default([])
      .shownAs(showCriteria)
      .describe(
        'Alternatives, one of which must match: an entity of the observable, or, if `entity_type` is null, what a source itself says of it. A member that is null matches everything. Without criteria, everything matches.',
      ),
    enrichers: refs('enrichers', 'enrichment_rule_enrichers', {
      shown: () => sql`(
        select coalesce(json_agg(l.target order by l.position, l.target), '[]')
        from enrichment_rule_enrichers as l where l.source = t.id)`,
    })
      .accepts(z.array(link('enrichers')).max(MAX_ENRICHERS))
      .describe('Each looks up the observables whose types it supports.'),
    stop_at: oneOf(STOP_AT)
      .nullable()
      .describe(
        'The enrichers are asked one after the other, the cheapest first, until one gives a verdict that is at least this strong; `safe` is the weakest. Null asks all of them.',
      ),
    is_retroactive: bool().default(false).describe('Whether runs of its task look up existing data.'),
    execution_schedule: json(schedule)
      .nullable()
      .default(null)
      .describe('When existing data is looked up. Only for retroactive rules.'),
    time_field: oneOf(TIME_FIELDS)
      .nullable()
      .describe(
        'The time that `time_period` is about: when an entity was stored, when its threat began, or when it was observed.',
      ),
    time_period: int(1, MAX_DAYS)
      .nullable()
      .describe('Runs look up the data of this number of days; null for all. Requires `time_field`.'),
    task: ref('tasks').nullable().readOnly().describe('The task that looks up existing data.'),
    status: computed('text', z.string().nullable(), latestStateOf('t.task')).describe('The state of its latest run.'),
    problem: computed('text', z.string().nullable(), problemOf).describe(
      'Why the rule does not look up everything that it should; null if it does.',
    ),
    enqueued_count: computed('bigint', z.int(), 't.enqueued_count').describe('How many look-ups it has asked for.'),
    last_enqueued_at: timestamp().nullable().readOnly().describe('When it last asked for a look-up.'),
    owner: ref('users').nullable().hidden(),
    ...stamps,
  },
  operations: enrichmentRuleOperations,
  routes: (standard) => [previewRule, ...standard],
  example: {
    name: 'Look up indicators',
    is_active: true,
    criteria: [{ entity_type: 'indicator', tlp: 'GREEN' }],
    enrichers: [],
    is_retroactive: true,
    time_field: 'ingestion',
    time_period: 30,
  },
})
