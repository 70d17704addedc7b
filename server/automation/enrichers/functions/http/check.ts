import type { Definition } from './definition.ts'
import type { JsonTemplate } from './requests.ts'
import { placeholdersOf, type Template } from './templates.ts'

type Path = readonly PropertyKey[]

/** Something that is wrong with a definition as a whole. */
export interface Fault {
  readonly path: Path
  readonly message: string
}

/** Checks what depends on several members of a definition: names of parameters, bases, types, bodies. */
export function checkDefinition(definition: Definition): Fault[] {
  return [
    ...baseFaults(definition),
    ...typeFaults(definition),
    ...bodyFaults(definition),
    ...nameFaults(definition),
    ...answerFaults(definition),
  ]
}

function baseFaults({ base, requests, parameters }: Definition): Fault[] {
  const given: (readonly [Path, string | undefined])[] = [
    [['base'], base],
    ...requests.map((request, i) => [['requests', i, 'base'], request.base] as const),
  ]
  const missing = requests.flatMap((request, i): Fault[] =>
    (request.base ?? base) === undefined
      ? [{ path: ['requests', i, 'base'], message: 'is required without a base for all' }]
      : [],
  )
  const wrong = given.flatMap(([path, text]): Fault[] => {
    if (!text?.startsWith('{')) return []
    const name = text.slice(1, -1)
    return parameters[name]?.kind === 'address'
      ? []
      : [{ path, message: `must be a parameter of the kind address, which '${name}' is not` }]
  })
  return [...missing, ...wrong]
}

function typeFaults({ requests, findings, source_urls }: Definition): Fault[] {
  const seen = new Set<string>()
  const faults: Fault[] = []
  for (const [i, { types }] of requests.entries()) {
    for (const [j, type] of types.entries()) {
      if (seen.has(type)) faults.push({ path: ['requests', i, 'types', j], message: `'${type}' already has a request` })
      seen.add(type)
    }
  }
  const unknown = (type: string, path: Path): Fault[] =>
    seen.has(type) ? [] : [{ path, message: `there is no request for '${type}'` }]
  const rules = findings.flatMap(({ types = [] }, i) =>
    types.flatMap((type, j) => unknown(type, ['findings', i, 'types', j])),
  )
  const pages = Object.keys(source_urls).flatMap((type) => unknown(type, ['source_urls', type]))
  return [...faults, ...rules, ...pages]
}

function bodyFaults({ requests }: Definition): Fault[] {
  return requests.flatMap(({ method, json, form, second }, i): Fault[] =>
    [
      { method, json, form, path: ['requests', i] },
      ...(second ? [{ ...second, path: ['requests', i, 'second'] }] : []),
    ].flatMap((sent): Fault[] => {
      const bodies = [sent.json, sent.form].filter((each) => each !== undefined).length
      if (bodies > 1) return [{ path: sent.path, message: 'must not have both json and form' }]
      return bodies > 0 && sent.method === 'GET'
        ? [{ path: [...sent.path, 'method'], message: 'must be POST for a body' }]
        : []
    }),
  )
}

function answerFaults({ requests, findings }: Definition): Fault[] {
  if (requests.some(({ second }) => second)) return []
  return findings.flatMap(({ answer }, i): Fault[] =>
    answer === 'second'
      ? [{ path: ['findings', i, 'answer'], message: "must be 'first': no request has a second one" }]
      : [],
  )
}

/** Every template of a definition, with the names that it may use. */
function* templatesOf({ headers, basic_auth, requests }: Definition): Generator<[Path, Template, readonly string[]]> {
  for (const [name, template] of Object.entries(headers)) yield [['headers', name], template, []]
  if (basic_auth) {
    yield [['basic_auth', 'user'], basic_auth.user, []]
    yield [['basic_auth', 'password'], basic_auth.password, []]
  }
  for (const [i, { second, ...request }] of requests.entries()) {
    yield* templatesIn(request, ['requests', i], [])
    if (second) yield* templatesIn(second, ['requests', i, 'second'], Object.keys(second.values))
  }
}

type Sent = Pick<Definition['requests'][number], 'path' | 'query' | 'headers' | 'json' | 'form'>

function* templatesIn(sent: Sent, at: Path, more: readonly string[]): Generator<[Path, Template, readonly string[]]> {
  yield [[...at, 'path'], sent.path, more]
  for (const place of ['query', 'headers', 'form'] as const) {
    for (const [name, template] of Object.entries(sent[place] ?? {})) yield [[...at, place, name], template, more]
  }
  if (sent.json) for (const [path, template] of leavesOf(sent.json, [...at, 'json'])) yield [path, template, more]
}

function* leavesOf(template: JsonTemplate, path: Path): Generator<[Path, Template]> {
  if ('text' in template) yield [path, template.text]
  else if ('list' in template) for (const [i, each] of template.list.entries()) yield* leavesOf(each, [...path, i])
  else if ('members' in template) for (const [name, each] of template.members) yield* leavesOf(each, [...path, name])
}

function nameFaults(definition: Definition): Fault[] {
  const { parameters } = definition
  const faults: Fault[] = []
  for (const [path, template, more] of templatesOf(definition)) {
    for (const { name, forms } of placeholdersOf(template)) {
      if (!['value', 'type', ...more].includes(name) && !Object.hasOwn(parameters, name)) {
        faults.push({ path, message: `there is no parameter '${name}'` })
      } else if (parameters[name]?.kind === 'secret' && forms.length > 0) {
        // Its other forms could not be removed from what is shown of requests and answers.
        faults.push({ path, message: `'${name}' is a secret, which is sent as it is, without '${forms.join('|')}'` })
      }
    }
  }
  for (const [i, { second }] of definition.requests.entries()) {
    for (const name of Object.keys(second?.values ?? {})) {
      if (Object.hasOwn(parameters, name)) {
        faults.push({ path: ['requests', i, 'second', 'values', name], message: 'is also the name of a parameter' })
      }
    }
  }
  return faults
}
