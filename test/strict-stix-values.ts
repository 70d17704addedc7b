import assert from 'node:assert/strict'

type Fields = Record<string, unknown>

/** A valid time in UTC; created and modified have milliseconds. */
export function checkTime(value: unknown, isStamp: boolean): void {
  const form = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?Z$/
  const [, seconds = '', fraction = ''] = form.exec(String(value)) ?? []
  const date = new Date(`${seconds}Z`)
  assert.ok(!Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds), `${String(value)} is no time`)
  assert.ok(!seconds.startsWith('0000'), 'there is no year 0')
  assert.ok(!isStamp || fraction.length >= 3, `${String(value)} has no milliseconds`)
}

/** A URI by RFC 3986. */
export const checkUri = (value: unknown): void => {
  assert.match(String(value), /^[a-z][a-z0-9+.-]*:[!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]+$/i)
  assert.doesNotMatch(String(value), /%(?![0-9a-fA-F]{2})/)
}

const LENGTHS: Record<string, number> = {
  MD5: 32,
  'SHA-1': 40,
  'SHA-256': 64,
  'SHA-512': 128,
  'SHA3-256': 64,
  'SHA3-512': 128,
}

/** Hashes with the number of digits of their algorithms. */
export function checkHashes(value: unknown): void {
  for (const [name, hash] of Object.entries(value as Fields)) {
    assert.equal(typeof hash, 'string')
    const length = LENGTHS[name]
    if (length !== undefined) assert.match(String(hash), new RegExp(`^[0-9a-fA-F]{${length}}$`))
    if (name === 'SSDEEP') assert.match(String(hash), /^[a-zA-Z0-9/+:.]{1,128}$/)
  }
}

/** A pattern has matching brackets outside of texts, a comparison in each, and terminated texts. */
export function checkPattern(pattern: string): void {
  const bare = pattern.replaceAll(/'(?:[^'\\]|\\['\\])*'/g, "''")
  assert.match(bare, /^[\s(]*\[/, `no pattern: ${pattern}`)
  const inside = bare.match(/\[[^[\]]*(?:\[[^\]]*\][^[\]]*)*\]/g) ?? []
  assert.ok(inside.length > 0, `no observation: ${pattern}`)
  for (const one of inside)
    assert.match(
      one,
      /[a-z0-9-]+:[\w'.[\]*-]+\s*(?:NOT\s+)?(?:[=<>!]|IN|LIKE|MATCHES|ISSU|EXISTS)|EXISTS/,
      `no comparison: ${pattern}`,
    )
  assert.equal(bare.split('(').length, bare.split(')').length, `brackets: ${pattern}`)
}
