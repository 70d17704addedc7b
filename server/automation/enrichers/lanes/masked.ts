import type { SourceRequest } from '../function.ts'

const MASK = '***'
/** A shorter secret may occur in any text by chance. */
const MIN_SECRET_LENGTH = 4

/** Replaces secrets in a text, also in the forms in which they occur in URLs and headers. */
export const masked = (text: string, secrets: readonly string[]): string =>
  formsOf(secrets).reduce((rest, form) => rest.replaceAll(form, MASK), text)

/** Replaces secrets in bytes that may be text in UTF-8. All others stay as they are. */
export function maskedBytes(content: Buffer, secrets: readonly string[]): Buffer {
  const present = formsOf(secrets)
    .map((form) => Buffer.from(form))
    .filter((form) => content.includes(form))
  if (present.length === 0) return content
  // In this encoding every byte is one character.
  const text = present.reduce(
    (rest, form) => rest.replaceAll(form.toString('latin1'), MASK),
    content.toString('latin1'),
  )
  return Buffer.from(text, 'latin1')
}

function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64'),
    ])
    .sort((a, b) => b.length - a.length)
  return [...new Set(forms)]
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
