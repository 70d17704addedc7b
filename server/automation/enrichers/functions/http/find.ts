import { type Finding, MAX_FINDINGS, type Subject } from '../../function.ts'
import { BudgetExceeded } from './expressions/budget.ts'
import { evaluate, type Scope } from './expressions/evaluate.ts'
import { isTrue, listOf } from './expressions/values.ts'
import type { FindingRule } from './finding-rules.ts'
import { makeFinding } from './make-finding.ts'
import { Unusable } from './read-text.ts'

/** A rule stops after this number of values that cannot be used: the answer is not what the definition expects. */
const MAX_UNUSABLE = 500

/** What the rules of a definition make of the answers of a service. */
export interface Found {
  readonly findings: readonly Finding[]
  /** Sentences about what was left out. */
  readonly warnings: readonly string[]
}

/** Where the answers are, by their order. */
export type Answers = Readonly<Record<FindingRule['answer'], Omit<Scope, 'budget'> | undefined>>

/** Applies the rules of a definition. Whatever the answer contains, the result is findings and warnings, in bounded time. */
export function findIn(
  rules: readonly FindingRule[],
  answers: Answers,
  budget: Scope['budget'],
  subject: Subject,
): Found {
  const findings = new Map<string, Finding>()
  const warnings: string[] = []
  let more = 0
  try {
    for (const [i, rule] of rules.entries()) {
      const answer = answers[rule.answer]
      if (!answer || rule.types?.some((type) => type === subject.type) === false) continue
      const made = applyRule(rule, { ...answer, budget }, subject, (warning) =>
        warnings.push(`findings[${i}]: ${warning}`),
      )
      for (const [key, finding] of made) {
        if (findings.size < MAX_FINDINGS) findings.set(key, finding)
        else if (!findings.has(key)) more++
      }
    }
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error
    warnings.push(`${error.message} The rest of the answer was left out.`)
  }
  if (more > 0) warnings.push(`${more} further findings were left out, because an answer has at most ${MAX_FINDINGS}.`)
  return { findings: [...findings.values()], warnings }
}

function applyRule(
  rule: FindingRule,
  scope: Scope,
  subject: Subject,
  warn: (warning: string) => void,
): ReadonlyMap<string, Finding> {
  const items = rule.each ? listOf(evaluate(rule.each, scope.root, scope)) : [scope.root]
  const made = new Map<string, Finding>()
  let unusable = 0
  let unreadTimes = 0
  const onUnreadTime = () => void unreadTimes++
  let example = ''
  let rest = 0
  for (const [i, item] of items.entries()) {
    if (made.size === rule.limit || unusable === MAX_UNUSABLE) {
      rest = items.length - i
      break
    }
    try {
      if (rule.when && !isTrue(evaluate(rule.when, item, scope))) continue
      const finding = makeFinding(rule, { item, scope, subject, onUnreadTime })
      if (finding) made.set(JSON.stringify(finding), finding)
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      unusable++
      example ||= error.message
    }
  }
  if (unusable > 0) warn(`${unusable} of ${items.length} values were left out. The first one ${example}.`)
  if (unreadTimes > 0) warn(`${unreadTimes} times cannot be read, and were left out.`)
  if (rest > 0)
    warn(
      `${rest} further values were left out, because ${made.size === rule.limit ? `the rule has a limit of ${rule.limit}` : 'too many could not be used'}.`,
    )
  return made
}
