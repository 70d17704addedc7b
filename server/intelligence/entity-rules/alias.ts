import { RE2JS, RE2JSException } from 're2js'

/** The names that every template may use, besides the named groups of the expression on the title. */
const OWN_NAMES = ['title', 'type', 'source'] as const

const MAX_PROGRAM_SIZE = 1000
/** Longer titles are cut before they are compared: matching takes time in proportion to their length. */
const MAX_TITLE_LENGTH = 500
const MAX_ALIAS_LENGTH = 1000

const NAME = /\{([^{}]*)\}/g

interface Named {
  readonly title: string
  readonly type: string
  readonly source: string
}

/** A compiled template: the alias of an entity, or undefined if its title does not match. */
export type AliasMaker = (named: Named) => string | undefined

/** Why an expression on titles cannot be used, or undefined. It runs on an engine whose time is linear in the text. */
export function patternFault(pattern: string): string | undefined {
  try {
    return RE2JS.compile(pattern).programSize() > MAX_PROGRAM_SIZE ? 'the regular expression is too complex' : undefined
  } catch (error) {
    if (error instanceof RE2JSException) return `the regular expression is invalid: ${error.message.slice(0, 200)}`
    throw error
  }
}

/** The names in a template that neither every template nor the expression provides. */
export function unknownNames(template: string, pattern: string | null): readonly string[] {
  const known = new Set<string>([...OWN_NAMES, ...groupsOf(pattern)])
  return [...template.matchAll(NAME)].map(([, name = '']) => name).filter((name) => !known.has(name))
}

const groupsOf = (pattern: string | null): string[] =>
  pattern === null || patternFault(pattern) !== undefined ? [] : Object.keys(RE2JS.compile(pattern).namedGroups())

/** Compiles the template of a rule. With an expression, titles that do not match get no alias. */
export function aliasMaker({ template, pattern }: { template: string; pattern: string | null }): AliasMaker {
  const expression = pattern === null ? null : RE2JS.compile(pattern)
  const groups = groupsOf(pattern)
  return ({ title, type, source }) => {
    const values = new Map<string, string>(Object.entries({ title, type, source }))
    if (expression) {
      const matcher = expression.matcher(title.slice(0, MAX_TITLE_LENGTH).toWellFormed())
      if (!matcher.find()) return undefined
      for (const group of groups) values.set(group, matcher.group(group) ?? '')
    }
    const alias = template.replaceAll(NAME, (_, name: string) => values.get(name) ?? '').trim()
    return alias === '' ? undefined : alias.slice(0, MAX_ALIAS_LENGTH).toWellFormed()
  }
}
