import type { Fault } from './fault.ts'

const http = 'server/automation/enrichers/functions/http'
const requests = [`${http}/requests.test.ts`]
const define = [`${http}/define.test.ts`]
const expressions = [`${http}/expressions/expressions.test.ts`]

/** Definitions of enrichers. */
export const definitionFaults: readonly Fault[] = [
  {
    breaks: 'an observable with slashes adds segments to the path of a request',
    file: `${http}/requests.ts`,
    from: 'const path = fillTemplate(template, values, percent)',
    to: 'const path = fillTemplate(template, values, encodeURI)',
    tests: requests,
  },
  {
    breaks: 'an observable of two dots changes the path of a request',
    file: `${http}/requests.ts`,
    from: "if (path.split('/').some(isDots))",
    to: "if (path.split('/').every(isDots))",
    tests: requests,
  },
  {
    breaks: 'an observable adds a header to a request',
    file: `${http}/requests.ts`,
    from: '/^[\\x20-\\x7e]*$/.test(text)',
    to: '/^[\\x20-\\x7e\\r\\n]*$/.test(text)',
    tests: requests,
  },
  {
    breaks: 'a definition sends to a server of which the address is not encrypted',
    file: `${http}/definition.ts`,
    from: '/^https:\\/\\/[a-z0-9.-]+',
    to: '/^https?:\\/\\/[a-z0-9.-]+',
    tests: define,
  },
  {
    breaks: 'a definition sets the header that names the server',
    file: `${http}/definition.ts`,
    from: '/^(host|connection|',
    to: '/^(connection|',
    tests: define,
  },
  {
    breaks: 'a secret is sent in a form in which it is not masked',
    file: `${http}/check.ts`,
    from: "parameters[name]?.kind === 'secret' && forms.length > 0",
    to: "parameters[name]?.kind === 'address' && forms.length > 0",
    tests: define,
  },
  {
    breaks: 'the budget of expressions is spent before a usual answer is read',
    file: `${http}/expressions/budget.ts`,
    from: 'MAX_STEPS = 300_000',
    to: 'MAX_STEPS = 30',
    tests: expressions,
  },
  {
    breaks: 'an expression makes a text that is longer than any text can be',
    file: `${http}/expressions/calls.ts`,
    from: 'Math.max(part.length, by.length)',
    to: 'part.length',
    tests: expressions,
  },
  {
    breaks: 'the answer for a limit is taken for the answer for a refused account',
    file: `${http}/look-up.ts`,
    from: 'if (means(signs.limited, LIMITED) || LIMITED.includes(answer.status)) throw limited(answer)',
    to: 'if (LIMITED.includes(answer.status)) throw limited(answer)',
    tests: ['server/automation/enrichers/functions/shipped.test.ts'],
  },
  {
    breaks: 'an answer has any number of findings',
    file: `${http}/find.ts`,
    from: 'if (findings.size < MAX_FINDINGS) findings.set(key, finding)',
    to: 'if (findings.size < 2 * MAX_FINDINGS) findings.set(key, finding)',
    tests: define,
  },
  {
    breaks: 'the members that every object inherits can be read from answers',
    file: `${http}/expressions/evaluate.ts`,
    from: '!Array.isArray(item) && Object.hasOwn(item, step.name)',
    to: '!Array.isArray(item) && step.name in item',
    tests: expressions,
  },
  {
    breaks: 'answers are nested to any depth',
    file: 'server/automation/enrichers/functions/answers.ts',
    from: 'if (depthOf(body) > MAX_ANSWER_DEPTH)',
    to: 'if (depthOf(body) > 1000 * MAX_ANSWER_DEPTH)',
    tests: ['server/automation/enrichers/functions/answers.test.ts'],
  },
]
