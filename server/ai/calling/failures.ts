import { CallError, type CallFault } from './call-error.ts'

/** The error for a response that is no success. Nothing of its text is repeated, because it may contain the key. */
export function failureOf(status: number, headers: Readonly<Record<string, string>>, text: string): CallError {
  const said = `The provider responded with ${status}`
  if (status >= 300 && status < 400) return new CallError(`${said} and a redirect, which is not followed.`)
  const { about } = errorIn(text)
  const kind = kindOf(status, about)
  const reason = status === 403 && kind === 'key' ? 'the key is not allowed to do this' : REASONS[kind]
  const mayPass = kind === 'busy' || kind === 'down'
  const retryAfter = mayPass ? secondsIn(headers['retry-after']) : undefined
  return new CallError(reason ? `${said}: ${reason}.` : `${said}.`, kind, { retryAfter })
}

/** The error that an answer reports after it has begun. */
export function failureInAnswer(error: unknown): CallError {
  const { about, status } = errorIn(JSON.stringify({ error }))
  const kind = kindOf(status, about)
  const reason = REASONS[kind]
  return new CallError(`The provider reported an error in its answer${reason ? `: ${reason}` : ''}.`, kind)
}

const REASONS: Readonly<Partial<Record<CallFault, string>>> = {
  busy: 'it is busy',
  quota: 'its account has no credit left',
  key: 'it rejected the key',
  'no-model': 'it does not know the model or the path',
  'too-long': 'the text is too long for the model',
  form: 'it does not support the form of the answer',
  roles: 'it does not support the order of the messages',
  usage: 'it does not report its usage',
  thoughts: 'it does not support thoughts',
  temperature: 'it does not support a temperature',
  'limit-name': 'it does not support a limit of the answer',
}

/** What a failure means, from its status (0 if unknown) and from its words, which differ from server to server. */
function kindOf(status: number, about: string): CallFault {
  // Some say with 401 that there is no credit left.
  if (status === 402 || ABOUT_QUOTA.test(about)) return 'quota'
  if (status === 401 || status === 403 || status === 407) return 'key'
  if (status === 429) return about.includes('request too large') ? 'too-long' : 'busy'
  if (status === 413 || ABOUT_LENGTH.test(about)) return 'too-long'
  if (about.includes('max_completion_tokens')) return 'limit-name'
  if (/stream_options|include_usage/.test(about)) return 'usage'
  if (ABOUT_FORM.test(about)) return 'form'
  if (ABOUT_ROLES.test(about)) return 'roles'
  if (/does not support thinking|think value/.test(about)) return 'thoughts'
  if (about.includes('temperature')) return 'temperature'
  if (status === 404 || ABOUT_MODEL.test(about)) return 'no-model'
  if (status === 400 || status === 422 || status === 501) return 'refused'
  if (status === 408 || status === 425 || status >= 500) return 'down'
  return 'other'
}

const ABOUT_QUOTA = /insufficient_quota|exceeded your current quota|insufficient credit|insufficient balance/
const ABOUT_LENGTH =
  /context_length_exceeded|exceed_context_size|context (?:length|window|size)|maximum context|(?:prompt|input) is too long|too many tokens|completion tokens|max_tokens is too large/
const ABOUT_FORM = /response_format|json_schema|json_object|json schema|guided_json|grammar|structured output/
const ABOUT_ROLES =
  /must alternate|should alternate|alternating sequence|role not supported|system message must|can have the system role|last message must/
const ABOUT_MODEL = /model_not_found|invalid_model|not a valid model|invalid model|model does not exist/

interface Reported {
  /** What is said of it, in lower case. */
  readonly about: string
  /** A status that an error names itself; 0 if it does not. */
  readonly status: number
}

/** OpenAI says `{error: {message, type, code}}`, Ollama `{error: text}`, vLLM once said `{object, message, code}`, and others anything. */
function errorIn(text: string): Reported {
  try {
    const document = JSON.parse(text) ?? {}
    const { error = document } = document
    if (typeof error === 'string') return { about: error.toLowerCase(), status: 0 }
    const { code = '', type = '', message = '', detail = '' } = error ?? {}
    const words = [code, type, message, detail].map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    const status = Number.isInteger(code) && code >= 400 && code < 600 ? code : 0
    return { about: words.join(' ').toLowerCase(), status }
  } catch {
    return { about: text.toLowerCase(), status: 0 }
  }
}

const MAX_SECONDS = 3600

/** `retry-after` is a number of seconds or a date. */
function secondsIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), MAX_SECONDS) : undefined
}
