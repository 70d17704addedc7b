import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** A certificate with its key, both as PEM. */
export interface Certified {
  readonly certificate: string
  readonly key: string
}

interface Wanted {
  /** The names and IPv4 addresses that it is valid for. */
  readonly names: readonly string[]
  readonly notAfter?: Date
}

/** A certificate authority for this test, and the certificates it issues. */
export function makeAuthority() {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = 'Authority of a test'
  const certificate = certify({ issuer: name, by: own.privateKey, subject: name, key: own.publicKey, extensions: [CA] })
  return {
    certificate,
    issue: ({ names, notAfter }: Wanted): Certified => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const subject = names[0] ?? ''
      const extensions = [extension(SUBJECT_ALT_NAME, sequence(...names.map(alternative)))]
      return {
        certificate: certify({ issuer: name, by: own.privateKey, subject, key: publicKey, extensions, notAfter }),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}

interface Certificate {
  readonly issuer: string
  readonly by: KeyObject
  readonly subject: string
  readonly key: KeyObject
  readonly extensions: readonly Buffer[]
  readonly notAfter?: Date | undefined
}

const DAY_MS = 86_400_000

/** The minimum of RFC 5280. */
function certify({ issuer, by, subject, key, extensions, notAfter }: Certificate): string {
  const end = notAfter ?? new Date(Date.now() + DAY_MS)
  const begin = new Date(Math.min(Date.now(), end.getTime()) - DAY_MS)
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ECDSA_SHA256,
    nameOf(issuer),
    sequence(time(begin), time(end)),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  )
  const signature = tagged(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, by)]))
  const lines =
    sequence(body, ECDSA_SHA256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))
const identifier = (...bytes: readonly number[]): Buffer => tagged(0x06, Buffer.from(bytes))
const extension = (id: Buffer, content: Buffer): Buffer => sequence(id, tagged(0x04, content))
const nameOf = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(identifier(0x55, 4, 3), tagged(0x0c, Buffer.from(name)))))
const time = (date: Date): Buffer =>
  tagged(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`))
const alternative = (name: string): Buffer =>
  isIPv4(name) ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name))

const ECDSA_SHA256 = sequence(identifier(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2))
const SUBJECT_ALT_NAME = identifier(0x55, 0x1d, 0x11)
const CA = extension(identifier(0x55, 0x1d, 0x13), sequence(tagged(0x01, Buffer.of(0xff))))
