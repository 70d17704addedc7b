import { z } from 'zod'
import { string } from '../../../engine/field.ts'
import type { Query } from '../../../search/query/ast.ts'
import { expressionSize, MAX_EXPRESSIONS_SIZE } from '../../../search/query/expression-test.ts'
import { parseQuery } from '../../../search/query/parse.ts'
import { PatternError } from '../../../search/query/patterns.ts'
import { QueryError } from '../../../search/query/query-error.ts'
import { fieldsIn, partsOf } from './query-fields.ts'

const MAX_DEPTH = 10
const MAX_CONDITIONS = 100
const MAX_PATH_LENGTH = 300

/** A condition on the values at a path. */
interface TreeCondition {
  readonly path: string
  readonly operator: 'matches' | 'does_not_match'
  readonly value?: string | number | boolean | undefined
  readonly expression?: string | undefined
}

interface TreeGroup {
  readonly operator: 'AND' | 'OR'
  readonly conditions: readonly (TreeCondition | TreeGroup)[]
}

/** Criteria on the content of an entity: a Lucene query, or a tree of conditions. */
export type ContentCriteria = string | TreeGroup

const condition = z
  .strictObject({
    path: string(1, MAX_PATH_LENGTH).describe('The path of a value, such as `data.title` or `meta.tags`.'),
    operator: z.enum(['matches', 'does_not_match']),
    value: z
      .union([string(1, 2000), z.number(), z.boolean()])
      .optional()
      .describe('The whole value; case is ignored.'),
    expression: string(1, 2000)
      .optional()
      .describe('A regular expression for the whole value, as in the query language: `. * + ? | ( ) [ ] { }`.'),
  })
  .superRefine(({ path, value, expression }, check) => {
    const name = nameOf(path)
    if (name === undefined || partsOf(name) === undefined) {
      const message = `'${path.slice(0, 80)}' cannot be read: criteria read the data, meta, tags, taxonomies and observables of the entity itself`
      check.addIssue({ code: 'custom', path: ['path'], message })
    }
    if ((value === undefined) === (expression === undefined))
      check.addIssue({ code: 'custom', path: ['value'], message: 'give either a value or an expression' })
    const fault = expression === undefined ? undefined : faultOf(expression)
    if (fault !== undefined) check.addIssue({ code: 'custom', path: ['expression'], message: fault })
  })

const group: z.ZodType<TreeGroup> = z.strictObject({
  operator: z.enum(['AND', 'OR']),
  get conditions() {
    return z
      .array(
        z.unknown().transform((sent, check): TreeCondition | TreeGroup => {
          const isGroup = typeof sent === 'object' && sent !== null && 'conditions' in sent
          const parsed = (isGroup ? group : condition).safeParse(sent)
          if (parsed.success) return parsed.data
          for (const { path, message } of parsed.error.issues) check.addIssue({ code: 'custom', path, message })
          return z.NEVER
        }),
      )
      .min(1)
      .max(MAX_CONDITIONS)
  },
})

/** The criteria of a request. Refuses what cannot be parsed or must not be read, with its column or path. */
export const contentCriteria = z
  .unknown()
  .transform((sent, check): ContentCriteria | null => {
    if (typeof sent === 'string') {
      const fault = sent.trim() === '' ? undefined : queryFault(sent)
      if (fault !== undefined) check.addIssue({ code: 'custom', message: fault })
      return sent.trim() === '' ? null : sent
    }
    if (depthOf(sent) > MAX_DEPTH) {
      check.addIssue({ code: 'custom', message: `groups can be nested at most ${MAX_DEPTH} levels deep` })
      return z.NEVER
    }
    const parsed = group.safeParse(sent)
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) check.addIssue({ code: 'custom', path, message })
      return z.NEVER
    }
    if (conditionsIn(parsed.data) > MAX_CONDITIONS)
      check.addIssue({ code: 'custom', message: `there can be at most ${MAX_CONDITIONS} conditions` })
    return parsed.data
  })
  .meta({ description: 'A Lucene query as text, or a tree of groups `{operator: AND|OR, conditions: […]}`.' })

function depthOf(sent: unknown): number {
  let level: unknown[] = [sent]
  for (let depth = 0; ; depth++) {
    level = level.flatMap((each) => {
      const inner = typeof each === 'object' && each !== null && 'conditions' in each ? each.conditions : undefined
      return Array.isArray(inner) ? inner : []
    })
    if (level.length === 0 || depth > MAX_DEPTH) return depth
  }
}

const conditionsIn = (tree: TreeCondition | TreeGroup): number =>
  'conditions' in tree ? tree.conditions.reduce((sum, each) => sum + conditionsIn(each), 0) : 1

function queryFault(text: string): string | undefined {
  try {
    const query = parseQuery(text)
    for (const name of fieldsIn(query)) {
      if (name === null || partsOf(name) !== undefined) continue
      return `'${name.slice(0, 80)}' cannot be read: criteria read the data, meta, tags, taxonomies and observables of the entity itself (column ${columnOf(text, name)})`
    }
    const fault = expressionsIn(query).map(faultOf).find(Boolean)
    return fault === undefined ? undefined : `a regular expression is invalid: ${fault}`
  } catch (error) {
    if (error instanceof QueryError) return error.messageWithColumn
    throw error
  }
}

const columnOf = (text: string, name: string): number => Math.max(0, text.replaceAll('\\', '').indexOf(name)) + 1

const expressionsIn = (query: Query): readonly string[] =>
  query.kind === 'bool'
    ? query.clauses.flatMap((clause) => expressionsIn(clause.query))
    : query.kind === 'boost'
      ? expressionsIn(query.query)
      : query.kind === 'regexp'
        ? [query.pattern]
        : []

function faultOf(expression: string): string | undefined {
  try {
    return expressionSize(expression) > MAX_EXPRESSIONS_SIZE ? 'it is too complex' : undefined
  } catch (error) {
    if (error instanceof PatternError) return error.message
    throw error
  }
}

/** The field name of a JSON path: without the root, and without the signs for all items of a list. */
function nameOf(path: string): string | undefined {
  const name = path
    .replace(/^\$\.?/, '')
    .replaceAll('[*]', '')
    .replaceAll('[]', '')
  return /^[^[\]*]+$/.test(name) ? name : undefined
}

/** Criteria as a query. In a tree, values and expressions are compared with whole values. */
export function queryOf(criteria: ContentCriteria): Query {
  return typeof criteria === 'string' ? parseQuery(criteria) : treeQuery(criteria)
}

function treeQuery(tree: TreeCondition | TreeGroup): Query {
  if ('conditions' in tree) {
    const occur = tree.operator === 'AND' ? 'must' : 'should'
    return { kind: 'bool', clauses: tree.conditions.map((each) => ({ occur, query: treeQuery(each) })) }
  }
  const { path, operator, value, expression } = tree
  const field = nameOf(path) ?? ''
  const query: Query =
    expression === undefined
      ? { kind: 'term', field, text: String(value) }
      : { kind: 'regexp', field, pattern: expression }
  return operator === 'matches' ? query : { kind: 'bool', clauses: [{ occur: 'must_not', query }] }
}
