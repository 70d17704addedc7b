import { retryAfterSeconds } from '../../enrichers/functions/answers.ts'
import { masked } from '../../enrichers/lanes/masked.ts'
import { type Call, DetonatorError, type VendorAnswer, type VendorRequest } from '../adapter.ts'
import { type Part, readDocument, textOf } from './document.ts'

const REFUSED = [401, 402, 403]
const TEMPORARY = [408, 425]
/** The statuses with which vendors refuse this sample, not the account or the address. */
const REJECTED = [400, 409, 413, 415, 422, 451]
/** Where vendors put the sentence that explains a refusal. */
const SENTENCES = ['message', 'error_value', 'error_message', 'detail', 'error']
const MAX_SENTENCE = 300

/** Sends a request and returns the answer if it is a success; otherwise throws the fault that its status means. */
export async function ask(call: Call, secrets: readonly string[], request: VendorRequest): Promise<VendorAnswer> {
  const answer = await call.send(request)
  if (isSuccess(answer)) return answer
  throw faultOf(answer, call, secrets)
}

export const isSuccess = ({ status }: VendorAnswer): boolean => status >= 200 && status < 300

/** The fault that a status means which is no success, with a sentence that says what to do. */
export function faultOf(answer: VendorAnswer, call: Call, secrets: readonly string[]): DetonatorError {
  const { status, headers } = answer
  const said = `The sandbox responded with ${status}`
  const reason = sentenceIn(answer, call, secrets)
  const because = reason === '' ? '.' : `: ${reason}`
  if (REFUSED.includes(status))
    return new DetonatorError('refused', `${said}${because} Check the API key and what the account may do.`)
  if (status === 429)
    return new DetonatorError('limited', `${said}${because} It is called again later.`, retryAfterSeconds(headers))
  if (status >= 500 || TEMPORARY.includes(status))
    return new DetonatorError('unavailable', `${said}. It is called again later.`)
  if (status >= 300 && status < 400)
    return new DetonatorError('unreadable', `${said}, a redirect that is not followed. Check the address.`)
  if (REJECTED.includes(status)) return new DetonatorError('rejected', `${said}${because}`)
  return new DetonatorError('unreadable', `${said}${because} Check the address.`)
}

/** A sentence of the vendor as it can be shown: bounded, on one line, and without secrets. It ends with a full stop. */
export function shownSentence(text: string, call: Call, secrets: readonly string[]): string {
  const values = secrets.map((name) => call.parameters[name]).filter((value) => typeof value === 'string')
  const line = masked(text, values)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, MAX_SENTENCE)
    .toWellFormed()
  return line === '' || /[.!?]$/.test(line) ? line : `${line}.`
}

function sentenceIn(answer: VendorAnswer, call: Call, secrets: readonly string[]): string {
  const document = errorDocument(answer.body)
  const found = document && sentenceOf(document)
  return found ? shownSentence(found, call, secrets) : ''
}

/** The first sentence that explains a refusal in a document. */
export function sentenceOf(document: Part): string | undefined {
  for (const name of SENTENCES) {
    const value = document.members[name]
    if (typeof value === 'string' && value.trim() !== '') return textOf(document, name) ?? undefined
  }
  return undefined
}

/** The document of an answer that is no success; undefined if it is a web page or anything else. */
function errorDocument(body: Buffer): Part | undefined {
  try {
    return body.length > 100_000 ? undefined : readDocument(body)
  } catch {
    return undefined
  }
}

/** The base address in the parameters with a path. */
export const addressOf = (call: Call, path: string): string =>
  `${String(call.parameters.url).replace(/\/{1,10}$/, '')}${path}`
