export interface Part {
  readonly name: string
  readonly value: string | Buffer
  readonly filename?: string
  readonly type?: string
}

const BOUNDARY = 'a-boundary-of-the-tests'

export const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

/** A multipart form as browsers and curl send it. */
export function formOf(parts: readonly Part[], isWhole = true): Buffer {
  const pieces = parts.flatMap(({ name, value, filename, type }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    value,
    '\r\n',
  ])
  return Buffer.concat([...pieces, isWhole ? `--${BOUNDARY}--\r\n` : ''].map((piece) => Buffer.from(piece)))
}
