import { sql } from 'kysely'
import { z } from 'zod'
import { observableOf } from '../../domain/observables/read.ts'
import { OBSERVABLE_TYPE_ALIASES, OBSERVABLE_TYPES } from '../../domain/observables/types.ts'
import { computed, json, oneOf, refs, searched, string, text } from '../../engine/field.ts'
import { toId } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import { MALICIOUSNESS } from '../entities/observables-in.ts'
import { seek } from '../searching/compile.ts'
import { observableFields } from '../searching/observable-fields.ts'
import { stamps } from '../stamps.ts'
import { operations } from './operations.ts'
import { isVisible, itsSources } from './sight.ts'
import { hasValue } from './spellings.ts'

const TYPES = [...OBSERVABLE_TYPES, ...Object.keys(OBSERVABLE_TYPE_ALIASES)] as unknown as [string, ...string[]]

const sources = searched(
  'the id or URL of a source',
  (value) => toId('sources', value) as string | undefined,
  (ctx, values) => sql`exists (select from (${itsSources(ctx)}) as s where s.id = any(${values}::uuid[]))`,
)

const type = computed('text', z.string(), 't.type', (name) => OBSERVABLE_TYPE_ALIASES[name] ?? name)

export const observables = defineResource({
  collection: 'observables',
  title: 'Observable',
  doc: 'A value that can be seen in the wild: an address, a domain, a hash. Each exists once, in one spelling.',
  key: ['type', 'value'],
  permission: 'extracts',
  fields: {
    type: oneOf(TYPES).required(),
    value: text(1, 65_536).required(),
    display_value: computed('text', z.string(), 't.value').describe(
      'The value to be shown to people: defanged, card numbers masked.',
    ),
    meta: json(z.looseObject({ maliciousness: z.enum(MALICIOUSNESS).default('unknown') })).default({
      maliciousness: 'unknown',
    }),
    entities: refs('entities', 'entity_observables', { inverse: true }),
    sources: refs('sources', 'observable_sources', {
      isSeenWithOwner: true,
      shown: (ctx) => sql`(select coalesce(json_agg(s.id order by s.id), '[]') from (${itsSources(ctx)}) as s)`,
    }),
    ...stamps,
  },
  places: { type, value: searched('a value', (value) => string().safeParse(value).data, hasValue), sources },
  faultsIn: ({ type, value }) => {
    const read = observableOf(type, value)
    return 'fault' in read ? [read] : []
  },
  relations: ['entities'],
  visible: isVisible,
  search: (ctx, query) => seek(ctx, observableFields, query),
  operations,
  example: { type: 'domain', value: 'login.bank.example', meta: { maliciousness: 'high' } },
})
