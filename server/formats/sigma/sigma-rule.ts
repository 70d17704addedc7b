import { type RuleFields, ruleFields, withMembers } from './rule-fields.ts'

/** A Sigma rule, as far as it says something about itself. */
export interface SigmaRule {
  readonly line: number
  /** The document of the rule, as it was written, after the one that it shares with others. */
  readonly text: string
  readonly id: string
  readonly title: string
  readonly description: string
  readonly author: string
  readonly status: string
  readonly level: string
  readonly date: string
  readonly modified: string
  readonly tags: readonly string[]
  readonly references: readonly string[]
  /** Whether it says what to detect. */
  readonly isComplete: boolean
  /** Why it is not valid YAML, and was read only in part. */
  readonly fault: string | null
}

/** Whether a text looks like a Sigma rule. */
export const isSigma = (text: string): boolean =>
  /^title[ \t]*:/m.test(text) &&
  (/^correlation[ \t]*:/m.test(text) || (has(text, 'logsource') && has(text, 'detection')))

const has = (text: string, name: 'logsource' | 'detection'): boolean =>
  name === 'logsource' ? /^logsource[ \t]*:/m.test(text) : /^detection[ \t]*:/m.test(text)

/** The number of rules that have what one document says for all. Without a limit, a small file could become a very large one. */
const MAX_SHARING = 1000

/** Reads the rules of a file, one by one. What a document with `action: global` says applies to those after it. */
export function* sigmaRules(text: string): Generator<SigmaRule> {
  let shared: Shared | undefined
  let sharing = 0
  for (const document of documentsIn(text)) {
    const own = ruleFields(document.text)
    const action = own.texts.get('action')
    if (action === 'global') [shared, sharing] = [{ ...own, text: document.text }, 0]
    else if (action === 'reset') shared = undefined
    else yield ruleOf(document, own, sharing++ < MAX_SHARING ? shared : undefined)
  }
}

/** The tags of each rule in a text. This is much faster than reading the rules. */
export function* sigmaTags(text: string): Generator<readonly string[]> {
  let shared: readonly string[] = []
  let sharing = 0
  for (const document of documentsIn(text)) {
    const { texts, lists } = ruleFields(withMembers(document.text, (name) => name === 'tags' || name === 'action'))
    const tags = lists.get('tags')
    const action = texts.get('action')
    if (action === 'global') [shared, sharing] = [tags ?? [], 0]
    else if (action === 'reset') shared = []
    else yield tags ?? (sharing++ < MAX_SHARING ? shared : [])
  }
}

/** What a document says for all rules after it. */
type Shared = RuleFields & Pick<RuleDocument, 'text'>

/** A document in a stream of documents, and the number of its first line. */
interface RuleDocument {
  readonly text: string
  readonly line: number
}

/** Splits a stream of YAML documents. Those without anything but comments and directives are left out. */
function documentsIn(text: string): RuleDocument[] {
  const found: { lines: string[]; line: number }[] = [{ lines: [], line: 1 }]
  for (const [i, line] of text.split(/\r\n?|\n/).entries()) {
    if (/^(?:---|\.\.\.)(?:[ \t]|$)/.test(line)) found.push({ lines: [], line: i + 2 })
    else found.at(-1)?.lines.push(line)
  }
  return found
    .filter(({ lines }) => lines.some((line) => !/^(?:%|[ \t]*(?:#|$))/.test(line)))
    .map(({ lines, line }) => ({ text: lines.join('\n'), line }))
}

function ruleOf({ text, line }: RuleDocument, own: RuleFields, shared?: Shared): SigmaRule {
  const textIn = (name: string) => (own.names.has(name) ? own : shared)?.texts.get(name) ?? ''
  const listIn = (name: string) => (own.names.has(name) ? own : shared)?.lists.get(name) ?? []
  const has = (name: string) => own.names.has(name) || shared?.names.has(name) === true
  return {
    line,
    text: shared ? `${shared.text.trim()}\n---\n${text.trim()}` : text.trim(),
    // The id of what is shared is not that of each rule.
    id: own.texts.get('id') ?? '',
    title: textIn('title'),
    description: textIn('description'),
    author: textIn('author'),
    status: textIn('status').toLowerCase(),
    level: textIn('level').toLowerCase(),
    date: textIn('date'),
    modified: textIn('modified'),
    tags: listIn('tags'),
    references: listIn('references'),
    isComplete: has('detection') || has('correlation'),
    fault: own.fault,
  }
}
