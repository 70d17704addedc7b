import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  EnricherError,
  type EnricherFunction,
  type LookUpResult,
  type SourceAnswer,
  type SourceRequest,
  type Subject,
} from '../../server/automation/enrichers/function.ts'
import { root } from '../../server/config.ts'

const folder = join(root, 'test/enrichers/answers')

interface RecordedAnswer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly text?: string
}

/** Answers of a service to a look-up as its documentation describes them, and what they mean. */
export interface Recorded {
  /** The name of the definition and that of the file. */
  readonly definition: string
  readonly name: string
  readonly observable: Subject
  readonly answers: readonly RecordedAnswer[]
  readonly expected: unknown
}

/** All recorded answers. */
export const recordedAnswers = (): Recorded[] =>
  readdirSync(folder)
    .sort()
    .flatMap((definition) =>
      readdirSync(join(folder, definition))
        .sort()
        .map((file) => ({
          definition,
          name: file.replace(/\.json$/, ''),
          ...JSON.parse(readFileSync(join(folder, definition, file), 'utf8')),
        })),
    )

export const bytesOf = ({ body, text }: RecordedAnswer): Buffer => Buffer.from(text ?? JSON.stringify(body))

/** An answer as the platform receives it. */
export const received = (answer: RecordedAnswer, body = bytesOf(answer)): SourceAnswer => ({
  status: answer.status,
  headers: { 'content-type': 'application/json', ...answer.headers },
  body,
})

/** Parameters with which an enricher can use a function: secrets, texts and the defaults of the others. */
export function parametersOf(known: EnricherFunction): Record<string, unknown> {
  const given = Object.keys(known.parameters.shape).map((name) => [
    name,
    known.secrets.includes(name) ? `secret-${name}` : undefined,
  ])
  const read = known.parameters.safeParse(Object.fromEntries(given))
  const missing = read.error?.issues.map(({ path }) => [String(path[0]), 'team@example.org']) ?? []
  return known.parameters.parse({ ...Object.fromEntries(given), ...Object.fromEntries(missing) })
}

/** The end of a look-up: its result, or its fault. */
export type Ended = LookUpResult | { readonly fault: string; readonly message: string; readonly retry_after?: number }

/** Looks an observable up; the answers come in their order. Everything but a fault of an enricher is thrown. */
export async function lookUpWithAnswers(
  known: EnricherFunction,
  observable: Subject,
  answers: readonly SourceAnswer[],
  parameters = parametersOf(known),
): Promise<{ ended: Ended; requests: SourceRequest[] }> {
  const requests: SourceRequest[] = []
  const context = {
    parameters,
    signal: AbortSignal.timeout(60_000),
    call: async (request: SourceRequest) => {
      requests.push(request)
      const answer = answers[requests.length - 1]
      if (!answer) throw new Error(`There is no answer to request ${requests.length}.`)
      return answer
    },
    resolve: () => Promise.reject(new Error('A definition asks no name servers.')),
    rows: async () => undefined,
    rowsAround: async () => undefined,
  }
  try {
    return { ended: await known.lookUp(context, observable), requests }
  } catch (error) {
    if (!(error instanceof EnricherError)) throw error
    const { fault, message, retryAfterSeconds } = error
    return {
      ended: { fault, message, ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }) },
      requests,
    }
  }
}
