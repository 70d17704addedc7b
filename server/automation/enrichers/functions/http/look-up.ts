import { EnricherError, type LookUp, type LookUpResult, type SourceAnswer, type Subject } from '../../function.ts'
import { faultOfStatus, jsonOf, LIMITED, limited, REFUSED, refused } from '../answers.ts'
import type { DefinedRequest, Definition, Sign } from './definition.ts'
import { Budget, BudgetExceeded } from './expressions/budget.ts'
import { evaluate, type Scope } from './expressions/evaluate.ts'
import type { Node } from './expressions/node.ts'
import { isTrue, textOf } from './expressions/values.ts'
import { type Answers, findIn } from './find.ts'
import { makeRequest, type RequestTemplate, Unsendable } from './requests.ts'
import type { Values } from './templates.ts'

type Sent = Pick<DefinedRequest, 'method' | 'path' | 'query' | 'headers' | 'json' | 'form'>

/** A look-up as a definition describes it. */
export const lookUpWith =
  (definition: Definition) =>
  async (context: LookUp, subject: Subject): Promise<LookUpResult> => {
    const request = definition.requests.find(({ types }) => types.some((type) => type === subject.type))
    if (!request) return { state: 'SKIPPED', reason: `${definition.title} does not look up ${subject.type}.` }
    const budget = new Budget()
    try {
      const answers = await ask({ definition, request, context, subject, budget })
      if (!answers) return { state: 'EMPTY' }
      const { findings, warnings: own } = findIn(definition.findings, answers, budget, subject)
      const warnings = [...answers.warnings, ...own]
      return findings.length + warnings.length === 0 ? { state: 'EMPTY' } : { state: 'FOUND', findings, warnings }
    } catch (error) {
      if (error instanceof Unsendable) {
        return { state: 'SKIPPED', reason: `The value cannot be looked up with ${definition.title}: ${error.message}.` }
      }
      if (error instanceof BudgetExceeded) throw new EnricherError('unreadable', error.message)
      throw error
    }
  }

interface Asking {
  readonly definition: Definition
  readonly request: DefinedRequest
  readonly context: LookUp
  readonly subject: Subject
  readonly budget: Budget
}

/** Sends the requests. Returns undefined if the service knows nothing about the observable. */
async function ask(asking: Asking): Promise<(Answers & { readonly warnings: readonly string[] }) | undefined> {
  const { request, budget } = asking
  const values = valuesOf(asking)
  const first = await exchange(asking, request, values)
  if (!first) return undefined
  const { second } = request
  const scope = { ...first, budget }
  const alone = { first, second: undefined, warnings: [] }
  if (!second || (second.when && !isTrue(evaluate(second.when, first.root, scope)))) return alone
  const found = Object.entries(second.values).map(([name, node]) => [name, textOf(evaluate(node, first.root, scope))])
  // Without something to ask for, there is nothing to ask.
  if (found.some(([, value]) => value === undefined || value === '')) return alone
  try {
    return { ...alone, second: await exchange(asking, second, { ...values, ...Object.fromEntries(found) }) }
  } catch (error) {
    if (!(error instanceof Unsendable)) throw error
    return { ...alone, warnings: [`The second request was left out: ${error.message}.`] }
  }
}

/** What the placeholders of requests stand for. */
function valuesOf({ context, subject }: Asking): Values {
  const parameters = Object.entries(context.parameters).map(([name, value]) => [name, textOf(value)])
  return { ...Object.fromEntries(parameters), value: subject.value, type: subject.type }
}

async function exchange(asking: Asking, sent: Sent, values: Values): Promise<Omit<Scope, 'budget'> | undefined> {
  const { definition, request, context, subject, budget } = asking
  const template: RequestTemplate = {
    ...sent,
    headers: { ...definition.headers, ...sent.headers },
    basic_auth: definition.basic_auth,
  }
  const answer = await context.call(
    makeRequest(template, baseOf(request.base ?? definition.base ?? '', values), values),
  )
  const variables = { value: subject.value, type: subject.type, status: answer.status }
  const root = once(() => jsonOf(answer.body))
  return isFound(definition.answers, answer, root, { variables, budget }) ? { root: root(), variables } : undefined
}

/** Reads something at most once; what it throws is thrown again each time. */
function once<T>(read: () => T): () => T {
  const state: { end?: () => T } = {}
  const settle = (): (() => T) => {
    try {
      const value = read()
      return () => value
    } catch (error) {
      return () => {
        throw error
      }
    }
  }
  return () => {
    state.end ??= settle()
    return state.end()
  }
}

/** The base itself, or the address in the parameter that it names. */
function baseOf(base: string, values: Values): string {
  let address = base.startsWith('{') ? (values[base.slice(1, -1)] ?? '') : base
  while (address.endsWith('/')) address = address.slice(0, -1)
  return address
}

/** Whether the answer has a result. Throws the fault that it means. */
function isFound(
  signs: Definition['answers'],
  answer: SourceAnswer,
  root: () => unknown,
  scope: Omit<Scope, 'root'>,
): boolean {
  const means = (sign: Sign | undefined, usual: readonly number[]): boolean => {
    if (!sign) return usual.includes(answer.status)
    return sign.status.includes(answer.status) || (sign.when !== undefined && holds(sign.when, root, scope))
  }
  if (means(signs.limited, LIMITED) || LIMITED.includes(answer.status)) throw limited(answer)
  if (means(signs.not_found, [404])) return false
  if (means(signs.refused, REFUSED)) throw refused(answer)
  if (answer.status < 200 || answer.status > 299) throw faultOfStatus(answer)
  return true
}

/** Whether an expression is true for an answer. One that cannot be read, as are many with errors, has no sign in it. */
function holds(when: Node, root: () => unknown, scope: Omit<Scope, 'root'>): boolean {
  try {
    const read = root()
    return isTrue(evaluate(when, read, { ...scope, root: read }))
  } catch (error) {
    if (error instanceof EnricherError) return false
    throw error
  }
}
