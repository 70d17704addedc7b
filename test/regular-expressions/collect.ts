import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { root } from '../../server/config.ts'

/** A regular expression of the product, and where it is. */
export interface Expression {
  readonly source: string
  readonly flags: string
  /** File and line, or only the file for expressions that are built when a module is loaded. */
  readonly place: string
}

/** A call of the RegExp constructor. */
export interface Construction {
  readonly file: string
  readonly line: number
  /** Whether it runs once, when its module is loaded, so that it cannot depend on a request. */
  readonly isAtModuleLevel: boolean
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [property: string]: unknown
}

interface Source {
  readonly file: string
  readonly text: string
  readonly program: Node
}

const sourcesBelow = (folder: string): Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.(?:js|tsx?)$/.test(file) && !/\.(?:test|d)\.ts$|\/dist\//.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return { file, text, program: parseSync(file, text).program as unknown as Node }
    })

/** The sources that process external input: the server, the command line, and pages, which show texts of other users. */
export const sources: readonly Source[] = ['server', 'cli', 'web'].flatMap(sourcesBelow)

/** Every regular expression literal. */
export function literals(): Expression[] {
  return sources.flatMap(({ file, text, program }) =>
    nodesOf(program).flatMap(({ node }) => {
      const regex = node.regex as { pattern: string; flags: string } | undefined
      return node.type === 'Literal' && regex
        ? [{ source: regex.pattern, flags: regex.flags, place: `${file}:${lineOf(text, node.start)}` }]
        : []
    }),
  )
}

/** Every call of the constructor, with or without `new`. */
export function constructions(): Construction[] {
  return sources.flatMap(({ file, text, program }) =>
    nodesOf(program).flatMap(({ node, isInFunction }) => {
      const callee = node.callee as Node | undefined
      const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
      return isCall && callee?.type === 'Identifier' && callee.name === 'RegExp'
        ? [{ file, line: lineOf(text, node.start), isAtModuleLevel: !isInFunction }]
        : []
    }),
  )
}

/** The arguments of the constructor while modules are loaded. Nothing of the server except its configuration may be loaded earlier. */
export async function built(): Promise<Expression[]> {
  const found: Expression[] = []
  const Original = globalThis.RegExp
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [source, flags], made) {
      const expression: RegExp = Reflect.construct(target, [source, flags], made)
      const [, place] = /((?:server|cli|web)\/[^:)]+\.[jt]s:\d+)/.exec(new Error().stack?.split('\n')[2] ?? '') ?? []
      if (place) found.push({ source: expression.source, flags: expression.flags, place })
      return expression
    },
  })
  try {
    for (const file of new Set(constructions().map(({ file }) => file))) await import(join(root, file))
    const { addressesOf } = await import('../../server/http/addresses.ts')
    addressesOf([])
  } finally {
    globalThis.RegExp = Original
  }
  return found
}

function nodesOf(program: Node): { readonly node: Node; readonly isInFunction: boolean }[] {
  const found: { node: Node; isInFunction: boolean }[] = []
  const visit = (value: unknown, isInFunction: boolean): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, isInFunction)
    else if (isNode(value)) {
      found.push({ node: value, isInFunction })
      const isFunction = /^(?:Arrow)?Function(?:Expression|Declaration)?/.test(value.type)
      for (const child of Object.values(value)) visit(child, isInFunction || isFunction)
    }
  }
  visit(program, false)
  return found
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
