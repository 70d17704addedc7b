interface Options extends ErrorOptions {
  /** What clients recognise the error by, if its status is not enough. */
  readonly title?: string
  readonly retryAfter?: number
}

/** The only error that a request may end with on purpose. Any other error is a bug and becomes a 500. */
export class ApiError extends Error {
  readonly status: number
  readonly title: string
  /** One entry per error: every invalid field of a body is reported at once. */
  readonly details: readonly string[]
  /** Seconds after which the request can be tried again, if known. */
  readonly retryAfter: number | undefined

  constructor(status: number, details: string | readonly string[], options: Options = {}) {
    const list = typeof details === 'string' ? [details] : details
    super(list.join(' '), options)
    this.name = 'ApiError'
    this.status = status
    this.title = options.title ?? TITLES[status] ?? 'Error'
    this.details = list
    this.retryAfter = options.retryAfter
  }
}

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  422: 'Unprocessable Entity',
  424: 'Failed Dependency',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  499: 'Client Closed Request',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

/** The body of an error response: a list with one entry per error. */
export const errorBody = ({ status, title, details }: ApiError) => details.map((detail) => ({ status, title, detail }))

export const badRequest = (details: string | readonly string[], cause?: unknown) =>
  new ApiError(400, details, { cause })
export const unauthorized = (detail = 'A valid token or session is needed.') => new ApiError(401, detail)
export const forbidden = (details: string | readonly string[]) => new ApiError(403, details)
export const missing = (permissions: readonly string[]) =>
  forbidden(`Missing permissions: [${[...new Set(permissions)].join(', ')}]`)
export const notFound = (id: string | number) => new ApiError(404, `The resource '${id}' does not exist.`)
export const conflict = (details: string | readonly string[], cause?: unknown) => new ApiError(409, details, { cause })
export const gone = (detail: string) => new ApiError(410, detail)
/** Refuses a query that would take too long. */
export const tooBroad = (reason: string, cause?: unknown) =>
  new ApiError(422, `The filters must be tightened: ${reason}`, { cause })
/** Refuses a caller with too many concurrent requests; others are still served. */
export const tooMany = (detail: string, retryAfter: number) => new ApiError(429, detail, { retryAfter })
/** Ends a request whose client has disconnected; only the log shows it. */
export const clientGone = () => new ApiError(499, 'The client closed the connection before the response was ready.')
export const unavailable = (detail: string, cause?: unknown) => new ApiError(503, detail, { cause })

/** Whether the database cancelled a statement because it took too long. */
export const isTimeout = (error: unknown): boolean => codeOf(error) === '57014'

// PostgreSQL's codes for transactions that failed because of a concurrent one.
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'

/** Whether the same transaction may succeed when it runs again. */
export const isTransient = (error: unknown): boolean => [SERIALIZATION_FAILURE, DEADLOCK].includes(codeOf(error))

/** Thrown in a transaction whose data was changed by a concurrent one: the whole transaction runs again. */
export const retry = (reason: string): Error => Object.assign(new Error(reason), { code: SERIALIZATION_FAILURE })

/** An error of the database or the HTTP layer in the terms of the API; undefined for bugs. */
export function refusal(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  const { detail, statusCode, message } = error as { detail?: string; statusCode?: number; message?: string }
  const code = codeOf(error)
  if (code === '23505') return conflict(`The element already exists: ${said(detail)}`, error)
  if (code === '23503') return stillUsed(detail, error)
  if (code === '23514' || code === '23502') return badRequest('A value is not allowed here.', error)
  if (code === '22P05' || code === '22021') return badRequest('Text must not contain the NUL character.', error)
  if (code.startsWith('22')) return badRequest('A value has the wrong form or is out of range.', error)
  if (code === '54000') return badRequest('A value is too long to be a key.', error)
  if (isTimeout(error)) return unavailable('The request took too long and was stopped.', error)
  if (isTransient(error)) return unavailable('Too many writes of the same objects at once; try again.', error)
  const shortage = SHORTAGES[code]
  if (shortage) return new ApiError(shortage[0], shortage[1], { cause: error })
  if (isDisconnect(code, message)) return unavailable('The database cannot be reached at the moment; try again.', error)
  if (statusCode && statusCode >= 400 && statusCode < 500) return new ApiError(statusCode, message ?? 'Bad request.')
  return undefined
}

const NO_CONNECTION = '53300'

/** Errors for missing resources, by the code of PostgreSQL or of the operating system. */
const SHORTAGES: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  '53000': [503, 'The database lacks resources at the moment; try again.'],
  '53100': [507, 'The disk of the database is full: nothing can be stored until there is room.'],
  '53200': [503, 'The database is out of memory at the moment; try again.'],
  [NO_CONNECTION]: [503, 'The database takes no more connections at the moment; try again.'],
  '53400': [503, 'A limit in the configuration of the database was reached.'],
  ENOSPC: [507, 'The disk of the server is full: nothing can be stored until there is room.'],
  EDQUOT: [507, 'The disk quota of the server is used up: nothing can be stored until there is room.'],
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** `Key (name)=(x) already exists.` becomes `name 'x'.` */
function said(detail = ''): string {
  const [start, middle, end] = ['Key (', ')=(', ') already exists.']
  const at = detail.indexOf(middle, start.length)
  if (at < 0 || !detail.startsWith(start) || !detail.endsWith(end)) return detail
  return `${detail.slice(start.length, at)} '${detail.slice(at + middle.length, -end.length)}'.`
}

function stillUsed(detail: string | undefined, error: unknown): ApiError {
  const isUsed = detail?.includes('is still referenced')
  return isUsed
    ? conflict('The element is still in use by other elements.', error)
    : badRequest('A referenced resource does not exist.', error)
}

/**
 * Whether an error means that the database was unavailable. Files and other servers have errors with the same codes, but not in
 * the same system calls.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof ApiError) return error.cause !== undefined && isDatabaseAway(error.cause)
  const { message, syscall } = (error ?? {}) as { message?: string; syscall?: string }
  const code = codeOf(error)
  const isOfSystem = SOCKET_CODES.includes(code)
  return isDisconnect(code, message) && (!isOfSystem || ['connect', 'read', 'write'].includes(syscall ?? ''))
}

const SOCKET_CODES = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']

/** Connections end with class 08 and 57P0x or, if their process died, with a socket error or an error without a code. */
const isDisconnect = (code: string, message = ''): boolean =>
  code.startsWith('08') ||
  code.startsWith('57P') ||
  code === NO_CONNECTION ||
  SOCKET_CODES.includes(code) ||
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
    message,
  )
