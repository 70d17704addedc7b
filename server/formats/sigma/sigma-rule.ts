import { type YamlDocument, type YamlFields, yamlDocuments, yamlFields, yamlList, yamlText } from './yaml.ts'

/** A Sigma rule, as far as it says something about itself. */
export interface SigmaRule {
  readonly line: number
  /** The document of the rule, as it was written. */
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
}

/** Whether a text looks like a Sigma rule. */
export const isSigma = (text: string): boolean =>
  /^title[ \t]*:/m.test(text) &&
  (/^correlation[ \t]*:/m.test(text) || (has(text, 'logsource') && has(text, 'detection')))

const has = (text: string, name: 'logsource' | 'detection'): boolean =>
  name === 'logsource' ? /^logsource[ \t]*:/m.test(text) : /^detection[ \t]*:/m.test(text)

/** Reads the rules of a file. What a document with `action: global` says applies to those after it. */
export function sigmaRules(text: string): SigmaRule[] {
  let shared: YamlFields = new Map()
  return yamlDocuments(text).flatMap((document) => {
    const own = yamlFields(document.text.split('\n'))
    const action = yamlText(own.get('action'))
    if (action === 'global') shared = own
    if (action === 'reset') shared = new Map()
    return action === 'global' || action === 'reset' ? [] : [ruleOf(document, new Map([...shared, ...own]))]
  })
}

function ruleOf({ text, line }: YamlDocument, fields: YamlFields): SigmaRule {
  const textIn = (name: string) => yamlText(fields.get(name))
  return {
    line,
    text: text.trim(),
    id: textIn('id'),
    title: textIn('title'),
    description: textIn('description'),
    author: textIn('author'),
    status: textIn('status').toLowerCase(),
    level: textIn('level').toLowerCase(),
    date: textIn('date'),
    modified: textIn('modified'),
    tags: yamlList(fields.get('tags')),
    references: yamlList(fields.get('references')),
    isComplete: fields.has('detection') || fields.has('correlation'),
  }
}
