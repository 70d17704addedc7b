import { CONTENT_TYPES } from '../../domain/content-types.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { tlpName } from '../../domain/tlp.ts'
import { inSentence } from '../../ui/in-sentence.ts'
import { allOf, anyOf, inQuotes } from '../in-words.ts'
import type { Names } from './names.ts'
import { type Condition, outcomeName, type Step, type StepKind } from './playbook.ts'

type Tell = (step: Step, names: Names) => string

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const quoted = (value: unknown): string => inQuotes(defangText(String(value ?? '')))
const named = (names: Names, collection: string, values: unknown): readonly string[] =>
  names.list(collection, values).map(defangText)
const withNoun = (noun: string, found: readonly string[]): readonly string[] =>
  found.length === 0 ? [] : [`${found.length === 1 ? noun : `${noun}s`} ${allOf(found)}`]
const sentence = (parts: readonly string[], otherwise: string): string =>
  parts.length === 0 ? otherwise : `${parts[0]?.charAt(0).toUpperCase()}${allOf(parts).slice(1)}`

const tags = (verb: string, values: unknown): readonly string[] =>
  withNoun('tag', texts(values).map(defangText)).map((found) => `${verb} the ${found}`)

const places = (step: Step, names: Names): readonly string[] => [
  ...withNoun('dataset', named(names, 'datasets', step.datasets)),
  ...withNoun('workspace', named(names, 'workspaces', step.workspaces)),
  ...withNoun('report', named(names, 'entities', step.reports)),
]

/** What each kind does, with its parameters. */
const TELL: Readonly<Record<string, Tell>> = {
  condition: (step) => {
    const parts = typeof step.query === 'string' && step.query !== '' ? [`the object matches ${step.query}`] : []
    const asked = Array.isArray(step.outcomes) ? (step.outcomes as readonly Condition[]) : []
    const outcomes = asked.map(({ step: id, outcome }) => `${id} was ${anyOf(texts(outcome).map(outcomeName))}`)
    const all = [...parts, ...outcomes]
    return all.length === 0 ? 'Go on only under a condition' : `Go on only if ${allOf(all)}`
  },
  enrich: ({ enrichers }, names) => asking('Ask', named(names, 'enrichers', enrichers), 'enrichers'),
  detonate: ({ detonators }, names) => asking('Detonate in', named(names, 'detonators', detonators), 'a sandbox'),
  extract: ({ observables, attacks }) => {
    const found = [...(observables === false ? [] : ['observables']), ...(attacks === false ? [] : ['techniques'])]
    return `Find ${allOf(found) || 'nothing'} in the text`
  },
  tag: ({ added, removed }) => sentence([...tags('add', added), ...tags('remove', removed)], 'Add or remove tags'),
  classify: (step, names) => {
    const all = (way: string) => [
      ...named(names, 'taxonomies', step[`${way}_taxonomies`]),
      ...named(names, 'attacks', step[`${way}_attacks`]),
    ]
    const [added, removed] = [all('added'), all('removed')]
    return sentence(
      [
        ...(added.length > 0 ? [`classify as ${allOf(added)}`] : []),
        ...(removed.length > 0 ? [`remove ${allOf(removed)}`] : []),
      ],
      'Classify',
    )
  },
  set: ({ tlp_color, confidence }) =>
    sentence(
      [
        ...(typeof tlp_color === 'string' ? [`set TLP:${tlpName(tlp_color)}`] : []),
        ...(typeof confidence === 'string' ? [`set the confidence to ${confidence}`] : []),
      ],
      'Set TLP or confidence',
    ),
  rate: ({ maliciousness, with_verdict }) => {
    const only = texts(with_verdict)
    if (typeof maliciousness !== 'string') return 'Rate the observables'
    return `Rate ${only.length > 0 ? `${anyOf(only)} ` : ''}observables as ${maliciousness}`
  },
  add_to: (step, names) => {
    const found = places(step, names)
    return `Add to ${found.length === 0 ? 'a dataset, workspace or report' : allOf(found)}`
  },
  remove_from: (step, names) => {
    const found = places(step, names)
    return `Remove from ${found.length === 0 ? 'a dataset or workspace' : allOf(found)}`
  },
  create_entity: ({ type, title }) =>
    `Create ${typeof type === 'string' ? entityTypeName(type).toLowerCase() : 'an entity'}${title ? ` ${quoted(title)}` : ''}`,
  ticket: ({ title }) => `Open or update the ticket${title ? ` ${quoted(title)}` : ''}`,
  comment: ({ workspace }, names) =>
    `Comment on ${allOf(named(names, 'workspaces', workspace).map((each) => `workspace ${each}`)) || 'the ticket'}`,
  notify: ({ users }, names) => `Notify ${allOf(named(names, 'users', users)) || 'users'}`,
  mail: ({ users, subject }, names) =>
    `Send mail to ${allOf(named(names, 'users', users)) || 'users'}${subject ? `: ${quoted(subject)}` : ''}`,
  webhook: ({ url }) =>
    `Call ${typeof url === 'string' && url !== '' ? (URL.canParse(url) ? new URL(url).host : url) : 'a webhook'}`,
  export: ({ content_type }) =>
    `Export${typeof content_type === 'string' ? ` as ${CONTENT_TYPES.find(({ urn }) => urn === content_type)?.doc ?? content_type}` : ''}`,
  stop: ({ reason }) => `Stop${reason ? `: ${defangText(String(reason))}` : ''}`,
}

const asking = (verb: string, found: readonly string[], otherwise: string): string =>
  `${verb} ${allOf(found) || otherwise} and wait`

/** What a step does, in words: its own name if it has one. */
export function stepInWords(step: Step, kind: StepKind | undefined, names: Names): string {
  if (step.name) return defangText(step.name)
  return TELL[step.kind]?.(step, names) ?? kind?.title ?? step.kind
}

function conditionsInWords(step: Step, earlier: readonly Step[], kinds: readonly StepKind[]): string | undefined {
  const parts = step.only_if.map((condition) => conditionInWords(condition, earlier, kinds))
  return parts.length === 0 ? undefined : `If ${allOf(parts)}`
}

function conditionInWords(
  { step, outcome = [], query }: Condition,
  earlier: readonly Step[],
  kinds: readonly StepKind[],
): string {
  if (step === undefined) return `it matches ${query || '…'}`
  const words = anyOf(outcome.map(outcomeName)) || '…'
  const hasOutcome = ({ kind }: Step) => {
    const all = kinds.find((each) => each.kind === kind)?.outcomes ?? {}
    return outcome.every((each) => Object.hasOwn(all, each))
  }
  const isPlain = earlier.filter(hasOutcome).length === 1
  const place = earlier.findIndex(({ id }) => id === step)
  return isPlain && place >= 0 ? words : `${words} (step ${place < 0 ? step : place + 1})`
}

/** When a step is done and what it does, such as “If malicious” and “add the tag seen”. */
export interface StepSentence {
  readonly condition: string | undefined
  readonly words: string
}

/** A step as a sentence, given the steps of its playbook and its place among them. */
export function stepSentence(
  steps: readonly Step[],
  place: number,
  kinds: readonly StepKind[],
  names: Names,
): StepSentence {
  const step = steps[place]
  if (!step) return { condition: undefined, words: '' }
  const condition = conditionsInWords(step, steps.slice(0, place), kinds)
  const words = stepInWords(
    step,
    kinds.find(({ kind }) => kind === step.kind),
    names,
  )
  return { condition, words: condition !== undefined && step.name === null ? inSentence(words) : words }
}
