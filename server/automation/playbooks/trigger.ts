import { z } from 'zod'
import { schedule } from '../../domain/schedule.ts'
import { string } from '../../engine/field.ts'
import { storedQuery, storedRelations } from '../../intelligence/queries/stored-query.ts'
import type { RelationalQuery } from '../../intelligence/relational/relational-query.ts'
import { OBJECT_COLLECTIONS } from './step.ts'

export const TRIGGER_TYPES = ['change', 'schedule', 'manual'] as const
export const CHANGE_KINDS = ['create', 'update'] as const
export const REPEATS = ['once', 'each_change'] as const

/** How many objects a schedule starts runs on at most. */
export const MAX_SCHEDULED = 1000
const MAX_CHANGED_FIELDS = 50

const collection = z.enum(OBJECT_COLLECTIONS).default('entities')
const repeat = z.enum(REPEATS).default('once')
const queries = {
  query: storedQuery.nullable().default(null),
  relational_query: storedRelations.nullable().default(null),
}

const change = z.object({
  type: z.literal('change'),
  collection,
  kinds: z
    .array(z.enum(CHANGE_KINDS))
    .min(1)
    .overwrite((kinds) => [...new Set(kinds)])
    .default([...CHANGE_KINDS]),
  ...queries,
  changed_fields: z.array(string(1, 200)).max(MAX_CHANGED_FIELDS).default([]),
  repeat,
})

const scheduled = z.object({
  type: z.literal('schedule'),
  collection,
  execution_schedule: schedule,
  ...queries,
  most: z.int().min(1).max(MAX_SCHEDULED).default(100),
  repeat,
})

const manual = z.object({ type: z.literal('manual'), collection })

/** What starts a playbook, as clients send it. */
export const triggerInput = z.discriminatedUnion('type', [change, scheduled, manual]).superRefine((given, check) => {
  const refuse = (name: string, message: string) => check.addIssue({ code: 'custom', path: [name], message })
  if (given.type === 'manual') return
  const { collection, relational_query } = given
  if (relational_query !== null && collection !== 'entities')
    refuse('relational_query', 'must be null, because relations lead to entities only')
  // Datasets may have queries of their own, which would be compiled for each playbook after each change.
  if (relational_query?.start.datasets) refuse('relational_query', 'must not start from datasets. Use a query instead')
  if (given.type === 'change' && given.changed_fields.length > 0 && collection === 'observables')
    refuse('changed_fields', 'must be empty, because it is not known which fields of observables changed')
})

/** What starts a playbook, in responses. */
export const triggerOutput = z.object({
  type: z.enum(TRIGGER_TYPES),
  collection: z.enum(OBJECT_COLLECTIONS).describe('What it runs on.'),
  kinds: z.array(z.enum(CHANGE_KINDS)).optional(),
  query: z.string().nullable().optional().describe('A Lucene query that the object must match.'),
  relational_query: z.looseObject({}).nullable().optional().describe('Relations by which the entity must be reached.'),
  changed_fields: z
    .array(z.string())
    .optional()
    .describe('Fields such as `meta.tags`, one of which must have changed; empty for any. Of a new object, all have.'),
  execution_schedule: z.looseObject({}).optional(),
  most: z.int().optional().describe('How many objects a schedule starts runs on at a time.'),
  repeat: z
    .enum(REPEATS)
    .optional()
    .describe('Whether a version of the playbook runs once on an object, or at each change or scheduled time.'),
})

/** What starts a playbook, as it is stored. */
export type Trigger = z.output<typeof triggerInput>
export type ChangeTrigger = Extract<Trigger, { type: 'change' }>
export type ScheduleTrigger = Extract<Trigger, { type: 'schedule' }>

/** The queries that an object must match. */
export interface TriggerQueries {
  readonly collection: Trigger['collection']
  readonly query: string | null
  readonly relational_query: RelationalQuery | null
}
