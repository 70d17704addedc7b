import type { Condition, ConditionGroup, Dropped } from './answer.ts'
import { buildCondition, fieldOf, type Ground, patternsIn } from './build-condition.ts'
import { type Built, Unusable } from './build-values.ts'
import { joined, not, type Written, writeQuery } from './write-query.ts'

export interface BuiltQuery {
  /** Null if no part of the answer can be searched for. */
  readonly query: string | null
  readonly words: string
  readonly dropped: readonly Dropped[]
}

/** Patterns cost time, and a query can have a limited number of them. */
const MAX_PATTERNS = 20
/** Leaves room in the limits of the query language, whatever is searched for. */
const MAX_LENGTH = 15_000
const MAX_LEAVES = 800

/** Builds the query for an answer. What cannot be searched for is left out and reported. */
export function buildQuery(group: ConditionGroup, ground: Ground): BuiltQuery {
  const dropped: Dropped[] = []
  const budget = { patterns: MAX_PATTERNS, length: MAX_LENGTH, leaves: MAX_LEAVES }

  const spend = (built: Built, patterns: number): Built => {
    const next = {
      patterns: budget.patterns - patterns,
      length: budget.length - writeQuery(built.written).length,
      leaves: budget.leaves - countLeaves(built.written),
    }
    if (next.patterns < 0) throw new Unusable(`A query can have ${MAX_PATTERNS} parts of words at most.`)
    if (next.length < 0 || next.leaves < 0) throw new Unusable('The query would be too long.')
    Object.assign(budget, next)
    return built
  }

  const buildGroup = ({ match, isNot, members }: ConditionGroup, isRoot: boolean): Built | undefined => {
    const parts = members.flatMap(
      (member) => ('members' in member ? buildGroup(member, false) : buildOne(member)) ?? [],
    )
    if (parts.length === 0) return undefined
    const inner = joined(
      match,
      parts.map(({ written }) => written),
    )
    const text = parts.map(({ words }) => words).join(match === 'all' ? ' and ' : ' or ')
    const words = parts.length > 1 && (isNot || !isRoot) ? `(${text})` : text
    return { written: isNot ? not(inner) : inner, words: isNot ? `not ${words}` : words }
  }

  const buildOne = (condition: Condition): Built | undefined => {
    const drop = (error: unknown, clause = condition.said): undefined => {
      if (!(error instanceof Unusable)) throw error
      dropped.push({ clause, reason: error.message })
    }
    try {
      const field = fieldOf(condition, ground.fields)
      const patterns = patternsIn(field, condition)
      const built = buildCondition(field, condition, ground, (value, error) =>
        drop(error, `${condition.field} ${condition.operator} ${value}`.slice(0, 300)),
      )
      return built && spend(built, patterns)
    } catch (error) {
      return drop(error)
    }
  }

  const root = buildGroup(group, true)
  return { query: root ? writeQuery(root.written) : null, words: root?.words ?? '', dropped }
}

const countLeaves = (written: Written): number =>
  written.kind === 'leaf'
    ? 1
    : written.kind === 'not'
      ? countLeaves(written.member)
      : written.members.reduce((sum, each) => sum + countLeaves(each), 0)
