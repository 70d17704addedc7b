import { sql } from 'kysely'
import { z } from 'zod'
import { observableOf } from '../../domain/observables/read.ts'
import { OBSERVABLE_TYPE_ALIASES, OBSERVABLE_TYPES } from '../../domain/observables/types.ts'
import { computed, Field, found, oneOf, refs, searched, string, text } from '../../engine/field.ts'
import { toId } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import type { Along, Calculation } from '../../engine/storage.ts'
import { seek } from '../../search/sql/compile.ts'
import { MALICIOUSNESS, type Maliciousness } from '../entities/observables-in.ts'
import { operations } from './operations.ts'
import { observableFields } from './search-fields.ts'
import { notesOn } from './set-meta.ts'
import {
  alongCameAt,
  alongChangedAt,
  asSeen,
  byMaliciousness,
  cameAt,
  cameBy,
  changedAt,
  changedBy,
  isMalicious,
  isVisible,
  isVisibleOne,
  itsSources,
} from './sight.ts'
import { hasValue } from './spellings.ts'

const TYPES = [...OBSERVABLE_TYPES, ...Object.keys(OBSERVABLE_TYPE_ALIASES)] as unknown as [string, ...string[]]

const sources = searched(
  'the id or URL of a source',
  (value) => toId('sources', value) as string | undefined,
  (ctx, values) => sql`exists (select from (${itsSources(ctx)}) as s where s.id = any(${values}::uuid[]))`,
)

const type = computed('text', z.string(), 't.type', (name) => OBSERVABLE_TYPE_ALIASES[name] ?? name)

const meta = z.looseObject({ maliciousness: z.enum(MALICIOUSNESS).optional() })

/** A field that depends on the reader: `seen` has it, in one document with the others. */
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

/** When and by whom it came into the reader's sight; that others had it before does not show. */
const stamps = {
  created_at: shownTime.describe('When it became visible to you.'),
  created_by: found('users', 'null').describe('Who brought it into your sight.'),
  last_updated_at: shownTime.describe('When what you see of it last changed.'),
  last_updated_by: found('users', 'null').describe('Who last changed what you see of it.'),
}

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
    meta: new Field({
      ...asShown('jsonb', meta).props,
      output: z.looseObject({ maliciousness: z.enum(MALICIOUSNESS) }),
      access: 'read-write',
      isNullable: false,
      fallback: {},
    }).describe(
      'The verdict of your own groups, or else the strongest among the sources that you see; setting it sets that of your group. Other properties are kept with it.',
    ),
    entities: refs('entities', 'entity_observables', { inverse: true }),
    sources: refs('sources', 'observable_sources', {
      isSeenWithOwner: true,
      shown: (ctx) => sql`(select coalesce(json_agg(s.id order by s.id), '[]') from (${itsSources(ctx)}) as s)`,
    }),
    ...stamps,
    seen: computed('jsonb', z.unknown(), (ctx) => asSeen(ctx)).hidden(),
    notes: computed('jsonb', z.unknown(), (ctx) => notesOn(ctx)).hidden(),
  },
  places: {
    type,
    value: searched('a value', (value) => string().safeParse(value).data, hasValue),
    sources,
    'meta.maliciousness': searched(
      `one of ${MALICIOUSNESS.join(', ')}`,
      (value) => MALICIOUSNESS.find((level) => level === value),
      (ctx, levels) => isMalicious(ctx, 't', levels as Maliciousness[]),
      byMaliciousness,
    ),
    created_at: moment((ctx) => cameAt(ctx), alongCameAt),
    created_by: byUser(cameBy),
    last_updated_at: moment((ctx) => changedAt(ctx), alongChangedAt),
    last_updated_by: byUser(changedBy),
  },
  faultsIn: ({ type, value }) => {
    const read = observableOf(type, value)
    return 'fault' in read ? [read] : []
  },
  relations: ['entities'],
  visible: isVisible,
  visibleOne: isVisibleOne,
  search: (ctx, query) => seek(ctx, observableFields, query),
  operations,
  example: { type: 'domain', value: 'login.bank.example', meta: { maliciousness: 'high' } },
})
