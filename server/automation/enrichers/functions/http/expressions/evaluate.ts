import type { Budget } from './budget.ts'
import { CALLS } from './calls.ts'
import type { Comparison, Node, Step, VariableName } from './node.ts'
import { isTrue } from './values.ts'

/** What an expression is evaluated in. */
export interface Scope {
  /** The whole answer. */
  readonly root: unknown
  readonly variables: Readonly<Record<VariableName, string | number>>
  readonly budget: Budget
}

/**
 * The value of an expression for an item of an answer; null if there is none. A path with `[*]` or a filter is a flat list. Nothing
 * but members of the answer can be reached. Throws `BudgetExceeded`, and nothing else.
 */
export function evaluate(node: Node, current: unknown, scope: Scope): unknown {
  scope.budget.spend(1)
  switch (node.kind) {
    case 'literal':
      return node.value
    case 'current':
      return current
    case 'root':
      return scope.root
    case 'variable':
      return scope.variables[node.name]
    case 'not':
      return !isTrue(evaluate(node.of, current, scope))
    case 'either': {
      const left = evaluate(node.left, current, scope)
      return isTrue(left) ? left : evaluate(node.right, current, scope)
    }
    case 'both': {
      const left = evaluate(node.left, current, scope)
      return isTrue(left) ? evaluate(node.right, current, scope) : left
    }
    case 'compare': {
      const [left, right] = [evaluate(node.left, current, scope), evaluate(node.right, current, scope)]
      if (typeof left === 'string' && typeof right === 'string')
        scope.budget.spendOnText(Math.min(left.length, right.length))
      return compare(node.operator, left, right)
    }
    case 'call': {
      const given = node.given.map((each) => evaluate(each, current, scope))
      return CALLS.get(node.name)?.apply(given, scope.budget) ?? null
    }
    case 'path':
      return follow(evaluate(node.of, current, scope), node.steps, scope)
  }
}

function follow(from: unknown, steps: readonly Step[], scope: Scope): unknown {
  let items: unknown[] = [from]
  let isList = false
  for (const step of steps) {
    isList ||= step.kind === 'all' || step.kind === 'filter'
    const reached: unknown[] = []
    for (const item of items) {
      for (const next of reachedFrom(item, step, scope)) if (next !== null && next !== undefined) reached.push(next)
    }
    items = reached
  }
  return isList ? items : (items[0] ?? null)
}

function reachedFrom(item: unknown, step: Step, scope: Scope): readonly unknown[] {
  scope.budget.spend(1)
  if (typeof item !== 'object' || item === null) return []
  if (step.kind === 'member') {
    return !Array.isArray(item) && Object.hasOwn(item, step.name) ? [(item as Record<string, unknown>)[step.name]] : []
  }
  if (step.kind === 'index') return Array.isArray(item) ? [item.at(step.index)] : []
  const values: readonly unknown[] = Array.isArray(item) ? item : Object.values(item)
  scope.budget.spend(values.length)
  return step.kind === 'all' ? values : values.filter((each) => isTrue(evaluate(step.test, each, scope)))
}

function compare(operator: Comparison, left: unknown, right: unknown): boolean {
  if (operator === '==') return left === right
  if (operator === '!=') return left !== right
  const areComparable =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string')
  if (!areComparable) return false
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  return operator === '>' ? left > right : left >= right
}
