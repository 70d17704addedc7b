import { sql } from 'kysely'
import { z } from 'zod'
import { observableOf } from '../../domain/observables/read.ts'
import { OBSERVABLE_TYPE_ALIASES, OBSERVABLE_TYPES } from '../../domain/observables/types.ts'
import type { Item } from '../../engine/context.ts'
import { computed, found, oneOf, refs, searched, string, text } from '../../engine/field.ts'
import { Field } from '../../engine/field-class.ts'
import { toId } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import type { Along, Calculation } from '../../engine/storage.ts'
import { seek } from '../../search/sql/compile.ts'
import { MALICIOUSNESS, type Maliciousness } from '../entities/observables-in.ts'
import { observableOperations } from './observable-operations.ts'
import { observableFields } from './search-fields.ts'
import { notesOn } from './set-meta.ts'
import {
  alongCreatedAt,
  alongLastUpdatedAt,
  asSeen,
  byMaliciousness,
  createdAt,
  createdBy,
  isMalicious,
  isVisible,
  isVisibleOne,
  lastUpdatedAt,
  lastUpdatedBy,
  visibleSources,
} from './sight.ts'
import { hasValue } from './spellings.ts'

const TYPES = [...OBSERVABLE_TYPES, ...Object.keys(OBSERVABLE_TYPE_ALIASES)] as unknown as [string, ...string[]]

const sources = searched(
  'the id or URL of a source',
  (value) => toId('sources', value) as string | undefined,
  (ctx, values) => sql`exists (select from (${visibleSources(ctx)}) as s where s.id = any(${values}::uuid[]))`,
)

const type = computed('text', z.string(), 't.type', (name) => OBSERVABLE_TYPE_ALIASES[name] ?? name)

const meta = z.looseObject({ maliciousness: z.enum(MALICIOUSNESS).optional() })

/** A field that depends on the reader. Its value comes from the document `seen`, which calculates all of them at once. */
const asShown = <O extends z.ZodType>(type: string, output: O) => computed(type, output, 'null')

const moment = (value: Calculation, along: Along) => {
  const { props } = computed('timestamptz', z.string(), value)
  return new Field({ ...props, storage: { ...props.storage, along }, isNullable: false })
}

const byUser = (user: Calculation) => {
  const { props } = computed('integer', z.int(), user)
  return new Field({ ...props, storage: { ...props.storage, to: 'users' } })
}

const shownTime = new Field({ ...asShown('timestamptz', z.iso.datetime({ offset: true })).props, isNullable: false })

/** When and by whom the observable became visible to the reader. Earlier records of others must not show. */
const stamps = {
  created_at: shownTime.describe('When it became visible to you.'),
  created_by: found('users', 'null').describe('The user who made it visible to you.'),
  last_updated_at: shownTime.describe('When the part that you can see last changed.'),
  last_updated_by: found('users', 'null').describe('The user who last changed the part that you can see.'),
}

/** What is wrong with a value of its type. */
function valueErrors(value: unknown, { type }: Item) {
  const read = observableOf(type, value)
  return 'fault' in read && read.field === 'value' ? [{ path: [], message: read.fault }] : []
}

export const observables = defineResource({
  collection: 'observables',
  title: 'Observable',
  doc: 'A value that can be observed, such as an address, a domain or a hash. Each exists once, in its canonical spelling.',
  key: ['type', 'value'],
  permission: 'extracts',
  fields: {
    type: oneOf(TYPES).required(),
    value: text(1, 65_536).required().checkedBy(valueErrors),
    display_value: computed('text', z.string(), 't.value').describe(
      'The value for display: links are defanged and card numbers masked.',
    ),
    meta: new Field({
      ...asShown('jsonb', meta).props,
      output: z.looseObject({ maliciousness: z.enum(MALICIOUSNESS) }),
      access: 'read-write',
      isNullable: false,
      fallback: {},
    }).describe(
      'The verdict of your own groups or, without one, the strongest among the sources that you see. Setting it sets the verdict of your group. Other properties are kept.',
    ),
    entities: refs('entities', 'entity_observables', { inverse: true }).linkable(),
    sources: refs('sources', 'observable_sources', {
      isSeenWithOwner: true,
      shown: (ctx) => sql`(select coalesce(json_agg(s.id order by s.id), '[]') from (${visibleSources(ctx)}) as s)`,
    }),
    ...stamps,
    seen: computed('jsonb', z.unknown(), (ctx) => asSeen(ctx)).hidden(),
    notes: computed('jsonb', z.unknown(), (ctx) => notesOn(ctx)).hidden(),
  },
  visible: { condition: isVisible, rowCondition: isVisibleOne },
  search: {
    filters: {
      type,
      value: searched('a value', (value) => string().safeParse(value).data, hasValue),
      sources,
      'meta.maliciousness': searched(
        `one of ${MALICIOUSNESS.join(', ')}`,
        (value) => MALICIOUSNESS.find((level) => level === value),
        (ctx, levels) => isMalicious(ctx, 't', levels as Maliciousness[]),
        byMaliciousness,
      ),
      created_at: moment((ctx) => createdAt(ctx), alongCreatedAt),
      created_by: byUser(createdBy),
      last_updated_at: moment((ctx) => lastUpdatedAt(ctx), alongLastUpdatedAt),
      last_updated_by: byUser(lastUpdatedBy),
    },
    query: (ctx, query) => seek(ctx, observableFields, query),
  },
  operations: observableOperations,
  example: { type: 'domain', value: 'login.bank.example', meta: { maliciousness: 'high' } },
})
