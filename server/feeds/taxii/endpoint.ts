import type { Context } from '../../engine/resource.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { BASE } from './dialect.ts'
import { requireAcceptable, TAXII } from './media-type.ts'
import { errorMessage } from './resources.ts'

/** A request without its body, which hardly any endpoint reads. */
export type Asked = Omit<Incoming, 'body'>

interface Endpoint<I extends Asked, R> {
  readonly method?: Route['method']
  readonly path: string
  readonly permission: string | null
  readonly doc: Omit<Described, 'tag' | 'query'> & Partial<Pick<Described, 'query'>>
  readonly isDetached?: boolean
  readonly takes?: 'anything'
  admit?(asked: Asked): void
  parse?(request: Incoming): I
  run(ctx: Context, asked: I): Promise<R>
  answer(result: R, ctx: Context): Answer
}

/** An endpoint of TAXII as a route like any other. */
export function defineEndpoint<R, I extends Asked = Asked>(endpoint: Endpoint<I, R>): Route<I, R> {
  const { method = 'GET', doc, admit, parse = headOf as (request: Incoming) => I, ...rest } = endpoint
  const described: Described = {
    query: [],
    ...doc,
    tag: 'taxii',
    mediaType: TAXII,
    fault: errorMessage,
    refusals: [406, ...(doc.refusals ?? [])],
  }
  return {
    ...rest,
    method,
    base: BASE,
    takesBasic: true,
    doc: described,
    admit: (asked) => {
      requireAcceptable(asked.headers.accept)
      admit?.(asked)
    },
    parse,
  }
}

const headOf = ({ params, query, headers, address }: Incoming): Asked => ({ params, query, headers, address })

/** A resource of TAXII as an answer. */
export const told = (resource: object, status = 200): Answer => ({
  status,
  type: TAXII,
  text: JSON.stringify(resource),
})

/** A time as TAXII writes it. */
export const timeOf = (time: string): string => time.replace('+00:00', 'Z')
