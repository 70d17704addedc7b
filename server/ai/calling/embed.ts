import { CallError } from './call-error.ts'
import { dialectOf } from './dialects.ts'
import type { Endpoint } from './endpoint.ts'
import { pauseBeforeRetry } from './retry.ts'
import { fail, send } from './send.ts'
import { wholeText } from './texts.ts'

const LIMITS = { timeoutMs: 120_000, idleMs: 60_000, mostBytes: 64 * 2 ** 20 }

type Vectors = readonly (readonly number[])[]

/** The vectors of texts, all of one length, in one call that is tried again if that may help. Fails with a `CallError`. */
export async function embed(
  endpoint: Endpoint,
  model: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Vectors> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await embedOnce(endpoint, model, texts, signal)
    } catch (error) {
      await pauseBeforeRetry(attempt, error, signal)
    }
  }
}

async function embedOnce(
  endpoint: Endpoint,
  model: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Vectors> {
  const dialect = dialectOf(endpoint.provider)
  const opened = await send(endpoint, dialect.embedPath, dialect.embedBody(model, texts), LIMITS, signal)
  const text = await wholeText(opened.body).catch((error) => fail(error, signal))
  const vectors = dialect.readVectors(jsonIn(text))
  const width = vectors?.[0]?.length ?? 0
  const isUsable = (vector: readonly number[]) => vector.length === width && vector.every(Number.isFinite)
  if (!vectors || vectors.length !== texts.length || width === 0 || !vectors.every(isUsable))
    throw new CallError('The provider did not respond with a vector for each text.', 'malformed')
  return vectors
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CallError('The provider did not respond with JSON.', 'malformed')
  }
}
