import { createHash } from 'node:crypto'

const HASHES = ['md5', 'sha1', 'sha256', 'sha512'] as const

const percentEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** The base64 of a text inside a longer one, which depends on where it begins: without the characters that its neighbours share. */
const inBase64 = (text: string, encoding: 'base64' | 'base64url'): string[] =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    const whole = bytes.toString(encoding).replaceAll('=', '')
    const first = Math.ceil((before * 8) / 6)
    return whole.slice(first, Math.floor((bytes.length * 8) / 6))
  })

/** The forms in which a text may be recognisable in bytes that leave the platform, in lower case except for base64. */
export function spellingsOf(text: string): { readonly folded: readonly string[]; readonly exact: readonly string[] } {
  const digests = HASHES.map((name) => createHash(name).update(text).digest())
  return {
    folded: [
      text,
      encodeURIComponent(text),
      encodeURIComponent(encodeURIComponent(text)),
      percentEncoded(text),
      Buffer.from(text).toString('hex'),
      text.replaceAll('.', '[.]'),
      text.replaceAll('.', '(.)'),
      text.replaceAll('.', '[dot]'),
      text.replace(/^http/, 'hxxp').replaceAll('.', '[.]'),
      text.replaceAll(':', '[:]'),
      [...text].reverse().join(''),
      JSON.stringify(text).slice(1, -1),
      ...digests.map((digest) => digest.toString('hex')),
    ].map((form) => form.toLowerCase()),
    exact: [
      ...inBase64(text, 'base64'),
      ...inBase64(text, 'base64url'),
      ...digests.flatMap((digest) => [digest.toString('base64'), digest.toString('base64url')]),
    ],
  }
}

/** The form of a text that occurs in bytes; undefined if none does. */
export function spellingIn(bytes: string, text: string): string | undefined {
  const { folded, exact } = spellingsOf(text)
  const lower = bytes.toLowerCase()
  return folded.find((form) => lower.includes(form)) ?? exact.find((form) => bytes.includes(form))
}
