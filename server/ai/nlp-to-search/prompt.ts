import type { Message } from '../calling/question.ts'
import { aboutMark, untrusted } from '../prompting/untrusted.ts'
import type { Dropped } from './answer.ts'
import type { Asked } from './asked-times.ts'
import { toLocal } from './local-time.ts'
import type { SearchableField, SearchableFields, Searched } from './searchable-fields.ts'
import type { Vocabulary } from './vocabulary.ts'

const RULES = `You translate a question of a threat analyst into conditions for a search. You do not answer the question.
- Name only fields of the list. Conditions are joined by "match"; put alternatives on different fields into a group with "match": "any".
- Several values of one condition are alternatives. Negate with "not".
- Operators: "is" for whole values and for words in texts; "contains" and "starts_with" for parts; "at_least", "at_most", "more_than", "less_than" and "between" for numbers and ordered values; "during", "before" and "after" for times; "exists".
- Never calculate dates. Say times in "time": {"kind": "last" or "next", "amount": 7, "unit": "day"} counts from now; {"kind": "calendar", "amount": -1, "unit": "week"} is last week, 0 the current one; {"kind": "dates", "from": "2026-01-05", "to": "2026-02"} are dates that the question says itself. Members that do not apply are null.
- Put whatever no condition can express into "not_expressed", in the words of the question. Do not guess.
Example, for "malware or tools seen this month that are not about phishing": {"match": "all", "conditions": [{"field": "type", "operator": "is", "values": ["malware", "tool"], "time": null, "not": false}, {"field": "created_at", "operator": "during", "values": [], "time": {"kind": "calendar", "amount": 0, "unit": "month", "from": null, "to": null}, "not": false}, {"field": "tags", "operator": "is", "values": ["phishing"], "time": null, "not": true}], "groups": [], "not_expressed": []}`

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

interface Asking {
  readonly query: string
  readonly searched: Searched
  readonly fields: SearchableFields
  readonly vocabulary: Vocabulary
  readonly asked: Asked
  /** The mark of text that others wrote. */
  readonly mark: string
}

/** The messages for a question. They contain no entities, and what others wrote is marked. */
export function messagesFor({ query, searched, fields, vocabulary, asked, mark }: Asking): Message[] {
  const all = [...fields.values()].filter(({ isAlias }) => !isAlias)
  const ours = all.filter(({ isOwn, doc }) => !isOwn && doc !== undefined)
  const plain = all.filter(({ isOwn, doc }) => !isOwn && doc === undefined)
  const own = all.filter(({ isOwn }) => isOwn)
  const now = new Date(toLocal(asked.zone, asked.at))
  const system = [
    RULES,
    `It is ${WEEKDAY.format(now)}, ${now.toISOString().slice(0, 16).replace('T', ' ')} in ${asked.zone}. The search is for ${searched}.`,
    `Fields:\n${ours.map(lineOf).join('\n')}`,
    ...(plain.length > 0
      ? [`Further fields, which only some types have: ${plain.map(({ name }) => name).join(', ')}.`]
      : []),
    aboutMark(mark),
  ].join('\n\n')
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['Fields that the organisation defined', own.slice(0, MOST_FIELDS).map(lineOf)],
    ['Fields found in documents', vocabulary.places.slice(0, MOST_FIELDS).map(({ name, type }) => `${name} (${type})`)],
    ['Frequent tags', vocabulary.tags],
    ['Names of sources', vocabulary.sources],
    ['Terms of taxonomies', vocabulary.taxonomies],
  ]
  return [
    { role: 'system', content: system },
    ...lists
      .filter(([, items]) => items.length > 0)
      .map(([name, items]) => untrusted(mark, { name, text: items.map(onLine).join('\n') })),
    untrusted(mark, { name: 'The question', text: query }),
  ]
}

export const MOST_FIELDS = 100
const MAX_LISTED = 100

const onLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 300)

function lineOf({ name, kind, doc, choices }: SearchableField): string {
  const values = choices && choices.values.length <= MAX_LISTED ? ` ${choices.values.join(', ')}` : ''
  return onLine(`${name} (${kind})${doc ? `: ${doc}` : ''}${values}`)
}

/** What is asked once more, with an answer and what is wrong with it. */
export const repairFor = (mark: string, answer: unknown, faults: readonly Dropped[]): Message[] => [
  { role: 'assistant', content: JSON.stringify(answer).slice(0, MAX_REPAIRED) },
  {
    role: 'user',
    content:
      'Some conditions cannot be used; they follow with the reasons. Answer again with all conditions: correct these if the question allows it, and keep the others as they are.',
  },
  untrusted(mark, {
    name: 'Conditions that cannot be used',
    text: faults
      .slice(0, MOST_FAULTS)
      .map(({ clause, reason }) => onLine(`${clause}: ${reason}`))
      .join('\n'),
  }),
]

const MAX_REPAIRED = 20_000
const MOST_FAULTS = 20
