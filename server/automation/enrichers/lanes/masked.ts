import type { SourceRequest } from '../function.ts'

const MASK = '***'
/** A shorter secret may occur in any text by chance. */
const MIN_SECRET_LENGTH = 4

/** Replaces secrets in a text, also in the forms in which they occur in URLs and headers. */
export function masked(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64'),
    ])
    .sort((a, b) => b.length - a.length)
  return [...new Set(forms)].reduce((rest, form) => rest.replaceAll(form, MASK), text)
}

/** The credentials of requests as they are sent. Basic authentication joins a user name and a password, which no single secret shows. */
export const credentialsIn = (requests: readonly SourceRequest[]): string[] =>
  requests.flatMap(({ headers = {} }) =>
    Object.entries(headers).flatMap(([name, value]) =>
      name.toLowerCase() === 'authorization' ? [value.slice(value.indexOf(' ') + 1)] : [],
    ),
  )

const OPEN_HEADERS = new Set(['accept', 'content-type', 'user-agent'])

/** A request as it may be shown. Values of headers are left out unless they are known to be harmless. */
export const maskedRequest = ({ method, url, headers = {}, body }: SourceRequest, secrets: readonly string[]) => ({
  method,
  url: masked(url, secrets),
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      OPEN_HEADERS.has(name.toLowerCase()) ? masked(value, secrets) : MASK,
    ]),
  ),
  body: body === undefined ? null : masked(body, secrets),
})
