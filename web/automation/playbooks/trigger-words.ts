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
  if (type === 'schedule') {
    const when = timesInWords((trigger.execution_schedule ?? null) as Schedule)
    return [`${when}, for ${OBJECTS[collection].many}`, ...matchesInWords(trigger)].join(', ')
  }
  const { one } = OBJECTS[collection]
  const how = anyOf((trigger.kinds ?? []).map((kind) => KINDS[kind]))
  return [`When ${/^[aeo]/.test(one) ? 'an' : 'a'} ${one} is ${how || 'changed'}`, ...matchesInWords(trigger)].join(
    ', ',
  )
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const DAILY = /^(\d{1,2}) (\d{1,2}) \* \* ([0-6*])$/

/** A schedule in words, where cron means a time of each day or of a day of the week. */
function timesInWords(schedule: Schedule): string {
  const [, minute = '', hour = '', day = ''] = DAILY.exec(schedule?.cron ?? '') ?? []
  if (minute === '') return scheduleInWords(schedule)
  return `Every ${DAYS[Number(day)] ?? 'day'} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')} ${schedule?.time_zone}`
}

function matchesInWords({ collection, query, relational_query, changed_fields = [] }: Trigger): readonly string[] {
  const { types, rest } = collection === 'entities' ? splitTypes(query ?? '') : { types: [], rest: query ?? '' }
  const matches = [
    ...(rest === '' ? [] : [`matches ${rest}`]),
    ...(relational_query ? ['is reached by relations'] : []),
  ]
  return [
    ...(types.length > 0 ? [`of type ${anyOf(types.map((each) => entityTypeName(each).toLowerCase()))}`] : []),
    ...(matches.length > 0 ? [`that ${allOf(matches)}`] : []),
    ...(changed_fields.length > 0
      ? [`if ${anyOf(changed_fields.map((field) => fieldLabel(field).toLowerCase()))} changed`]
      : []),
  ]
}
