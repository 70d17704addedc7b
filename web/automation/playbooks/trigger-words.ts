import { entityTypeName } from '../../domain/entity-types.ts'
import { fieldLabel } from '../../forms/labels.ts'
import { type Schedule, scheduleInWords } from '../../forms/schedule.ts'
import { allOf, anyOf } from '../in-words.ts'
import { splitTypes } from './editor/types-in-query.ts'
import { OBJECTS, type Trigger } from './playbook.ts'

const KINDS = { create: 'created', update: 'changed' } as const

/** What starts a playbook, in one sentence. */
export function triggerInWords(trigger: Trigger): string {
  const { type, collection } = trigger
  if (type === 'manual') return `By hand, on ${OBJECTS[collection].many}`
  const { types, matches } = matchesInWords(trigger)
  if (type === 'schedule') {
    const when = timesInWords((trigger.execution_schedule ?? null) as Schedule)
    const objects = types === '' ? OBJECTS[collection].many : `${OBJECTS[collection].many} of type ${types}`
    return `${when}, for ${objects}${matches.length > 0 ? ` that ${allOf(matches.map(({ many }) => many))}` : ''}`
  }
  const object = types || OBJECTS[collection].one
  const how = anyOf((trigger.kinds ?? []).map((kind) => KINDS[kind]))
  const event = `When ${/^[aeiou]/.test(object) ? 'an' : 'a'} ${object} is ${how || 'changed'}`
  const { changed_fields: fields = [] } = trigger
  return [
    `${event}${matches.length > 0 ? ` that ${allOf(matches.map(({ one }) => one))}` : ''}`,
    ...(fields.length > 0 ? [`if ${anyOf(fields.map((field) => fieldLabel(field).toLowerCase()))} changed`] : []),
  ].join(', ')
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const DAILY = /^(\d{1,2}) (\d{1,2}) \* \* ([0-6*])$/

/** A schedule in words, where cron means a time of each day or of a day of the week. */
function timesInWords(schedule: Schedule): string {
  const [, minute = '', hour = '', day = ''] = DAILY.exec(schedule?.cron ?? '') ?? []
  if (minute === '') return scheduleInWords(schedule)
  return `Every ${DAYS[Number(day)] ?? 'day'} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')} ${schedule?.time_zone}`
}

/** The types of entities that a query asks for, and what else has to be true of an object, and of several. */
function matchesInWords({ collection, query, relational_query }: Trigger) {
  const { types, rest } = collection === 'entities' ? splitTypes(query ?? '') : { types: [], rest: query ?? '' }
  return {
    types: anyOf(types.map((each) => entityTypeName(each).toLowerCase())),
    matches: [
      ...(rest === '' ? [] : [{ one: `matches ${rest}`, many: `match ${rest}` }]),
      ...(relational_query ? [{ one: 'is reached by relations', many: 'are reached by relations' }] : []),
    ],
  }
}
