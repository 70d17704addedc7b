import type { Context } from '../../engine/context.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { BASE } from './dialect.ts'
import { requireAcceptable, TAXII } from './media-type.ts'
import { errorMessage } from './resources.ts'

/** A request without its body, which only one endpoint reads. */
export type TaxiiRequest = Omit<Incoming, 'body'>

interface Endpoint<I extends TaxiiRequest, R> {
  readonly method?: Route['method']
  readonly path: string
  readonly permission: string | null
  readonly doc: Omit<Described, 'tag' | 'query'> & Partial<Pick<Described, 'query'>>
  readonly isDetached?: boolean
  readonly takes?: 'anything'
  admit?(asked: TaxiiRequest): void
  parse?(request: Incoming): I
  run(ctx: Context, asked: I): Promise<R>
  answer(result: R, ctx: Context): Answer
}

/** Defines an endpoint of TAXII as an ordinary route. */
export function defineEndpoint<R, I extends TaxiiRequest = TaxiiRequest>(endpoint: Endpoint<I, R>): Route<I, R> {
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

const headOf = ({ params, query, headers, address }: Incoming): TaxiiRequest => ({ params, query, headers, address })

/** The response with a TAXII resource. */
export const taxiiAnswer = (resource: object, status = 200): Answer => ({
  status,
  type: TAXII,
  text: JSON.stringify(resource),
})

/** A time in the format of TAXII. */
export const timeOf = (time: string): string => time.replace('+00:00', 'Z')
