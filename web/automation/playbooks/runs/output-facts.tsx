import type { ReactNode } from 'react'
import { defangText } from '../../../domain/defang-text.ts'
import { labelOf } from '../../../forms/labels.ts'
import { PageLink } from '../../../ui/page-link.tsx'
import type { Names } from '../names.ts'
import { outcomeName } from '../playbook.ts'
import { inputValues } from '../references.ts'

type Fact = readonly [name: string, value: ReactNode]
type Json = Readonly<Record<string, unknown>>

/** Outputs that are the id of an object with a page. */
const PAGES: Readonly<Record<string, readonly [page: string, noun: string]>> = {
  ticket: ['/tickets', 'Ticket'],
  entity: ['/entities', 'Open entity'],
  workspace: ['/workspaces', 'Workspace'],
  task_run: ['/runs', 'Open run'],
  detonations: ['/detonations', 'Detonation'],
  malicious_observables: ['/observables', 'Observable'],
}

const LABELS: Readonly<Record<string, string>> = {
  look_ups: 'Look-ups',
  would_look_up: 'New look-ups',
  would_submit: 'New submissions',
  task_run: 'Task run',
}

const MAX_LISTED = 20

/** What came of a step as facts, with links to what it made. */
export const outputFacts = (output: Json | null, input: Json, names: Names): readonly Fact[] =>
  Object.entries(output ?? {})
    .filter(([, value]) => value !== null && value !== 0 && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]): Fact => [LABELS[name] ?? labelOf(name), shownOutput(name, value, input, names)])

function shownOutput(name: string, value: unknown, input: Json, names: Names): ReactNode {
  if (name === 'added_to' || name === 'removed_from') return <Places ids={listOf(value)} input={input} names={names} />
  const page = PAGES[name]
  if (!page || typeof value === 'boolean') return shownValue(value)
  const [to, noun] = page
  const ids = listOf(value)
  return (
    <Links
      links={ids.map((id) => ({
        to: `${to}/${id}`,
        text: /^\d+$/.test(id) ? `${noun} ${id}` : ids.length > 1 ? id.slice(0, 8) : noun,
      }))}
    />
  )
}

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).map(String)

interface PlacesProps {
  readonly ids: readonly string[]
  readonly input: Json
  readonly names: Names
}

/** The datasets, workspaces and reports where something changed. */
function Places({ ids, input, names }: PlacesProps) {
  const links = ids.map((id) => {
    const collection = inputValues(input.datasets).includes(id)
      ? 'datasets'
      : inputValues(input.workspaces).includes(id)
        ? 'workspaces'
        : 'entities'
    return { to: `/${collection}/${id}`, text: names.list(collection, id)[0] ?? id }
  })
  return <Links links={links} />
}

const Links = ({ links }: { readonly links: readonly { readonly to: string; readonly text: string }[] }) => (
  <>
    {links.slice(0, MAX_LISTED).map(({ to, text }, i) => (
      <span key={to}>
        {i > 0 && ', '}
        <PageLink to={to}>{defangText(text)}</PageLink>
      </span>
    ))}
    {links.length > MAX_LISTED && ` and ${links.length - MAX_LISTED} more`}
  </>
)

/** A value as people read it. */
function shownValue(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(shownValue).join(', ')
  return defangText(typeof value === 'string' ? value : JSON.stringify(value))
}

/** The parameters of a step as facts; what is not set is left out. */
export const inputFacts = (
  input: Json,
  collectionOf: (name: string) => string | undefined,
  names: Names,
): readonly Fact[] =>
  Object.entries(input)
    .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]): Fact => {
      const collection = collectionOf(name)
      if (collection !== undefined) return [labelOf(name), names.list(collection, value).map(defangText).join(', ')]
      return [labelOf(name), name === 'outcomes' ? outcomesInWords(value) : shownValue(value)]
    })

const outcomesInWords = (value: unknown): string =>
  (Array.isArray(value) ? (value as readonly { step: string; outcome: readonly string[] }[]) : [])
    .map(({ step, outcome }) => `${step}: ${outcome.map(outcomeName).join(' or ')}`)
    .join('; ')
