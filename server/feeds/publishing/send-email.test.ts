import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { configureMail, startMailServer } from '../../../test/mail.ts'
import { carryingOf, parcelOf } from '../../../test/set-up/parcels.ts'
import { openVault } from '../../identity/access/vault.ts'
import { openMailer } from '../../ports/mail.ts'
import { resourceMap } from '../../registry.ts'
import type { Server } from '../../server.ts'
import { taskTypes } from '../../tasks.ts'
import { TransportError } from '../collecting/collector.ts'
import { OUTGOING_TRANSPORTS } from '../transports/transports.ts'
import type { Parcel } from './carrier.ts'
import { sendByMail } from './send-email.ts'

const CONTENT = 'type,value\nipv4,8.8.8.8\n.\nłódź\n'

let corvus: Awaited<ReturnType<typeof startApp>>
let server: Server
/** What the mail server answers to a recipient; nothing means acceptance. */
const refusals = new Map<string, number>()
let smtp: Awaited<ReturnType<typeof startMailServer>>
before(async () => {
  corvus = await startApp()
  server = {
    db: corvus.db,
    vault: await openVault(corvus.config),
    resources: resourceMap,
    taskTypes,
    mailer: openMailer(),
  }
  smtp = await startMailServer({
    onRcptTo: ({ address }, _, done) => {
      const responseCode = refusals.get(address)
      done(responseCode ? Object.assign(new Error('Not here'), { responseCode }) : null)
    },
  })
})
after(async () => {
  await smtp.stop()
  await corvus.stop()
})
beforeEach(async () => {
  refusals.clear()
  smtp.received.splice(0)
  await configureMail(corvus, smtp.port)
})

function bring(parcel: Parcel, recipients: string[], rest: object = {}) {
  const schema = OUTGOING_TRANSPORTS['eiq.outgoing-transports.send-email'].configuration
  const lines: string[] = []
  const carrying = carryingOf(schema.parse({ recipients, ...rest }), { server, log: (line) => lines.push(line) })
  return sendByMail(parcel, carrying).then(() => lines)
}
const isFault = (kind: string, reason: RegExp) => (error: unknown) =>
  error instanceof TransportError && error.kind === kind && reason.test(error.message)

const attachments = (raw: string): string[] =>
  [...raw.matchAll(/Content-Disposition: attachment[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/g)].map(([, body = '']) =>
    Buffer.from(body, 'base64').toString(),
  )

test('a block arrives as an attachment, byte for byte, with its counts and hash, separately for each recipient', async () => {
  const parcel = parcelOf(CONTENT, { signature: 'SIGNATURE' })
  await bring(parcel, ['ada@example.org', 'bob@example.org'])
  const mails = await smtp.until(2)
  assert.deepEqual(
    mails.map(({ to }) => to),
    [['ada@example.org'], ['bob@example.org']],
  )
  for (const { raw, text, subject } of mails) {
    assert.deepEqual(attachments(raw), [CONTENT, 'SIGNATURE'])
    assert.equal(subject, 'Bad addresses: bad addresses "é".csv')
    assert.ok(text.includes('Items: 2') && text.includes(`SHA-256: ${parcel.sha256}`), text)
    assert.match(raw, /Content-Type: text\/csv; charset=utf-8; header=present/)
  }
  assert.ok(!mails[0]?.raw.includes('bob@') && !mails[1]?.raw.includes('ada@'))
})

test('no name and no subject can add a header', async () => {
  const evil = 'x\r\nBcc: eve@example.org\r\n\r\nbody'
  await bring(parcelOf(CONTENT, { feed: { id: 3, name: evil }, filename: evil }), ['ada@example.org'])
  await bring(parcelOf(CONTENT), ['ada@example.org'], { subject: 'Łódź: new' })
  const [first, second] = await smtp.until(2)
  assert.ok(first && second)
  const header = first.raw.slice(0, first.raw.indexOf('\r\n\r\n'))
  assert.ok(!/^bcc:/im.test(header) && !/^bcc:/im.test(first.raw.split('Content-Disposition')[1] ?? ''), first.raw)
  assert.deepEqual([first.to, second.subject], [['ada@example.org'], 'Łódź: new'])
})

test('a block that is too large for mail is an error that says so, and nothing is sent', async () => {
  const size = 20_000_001
  await assert.rejects(
    bring(parcelOf('', { size }), ['ada@example.org']),
    isFault('too-large', /^the block has 20000001 bytes, but the maximum size is 20 MB$/),
  )
  await bring(parcelOf(Buffer.alloc(1_000_000, 'x')), ['ada@example.org'], { most_megabytes: 1 })
  assert.equal(attachments((await smtp.until(1))[0]?.raw ?? '')[0]?.length, 1_000_000)
})

test('recipients that have the block do not get it again when the next one fails, and a retry has the same message id', async () => {
  const reached: string[] = []
  const parcel = parcelOf(CONTENT, { reach: async (to) => void reached.push(to) })
  const recipients = ['ada@example.org', 'bob@example.org', 'cid@example.org']
  refusals.set('bob@example.org', 451)
  await assert.rejects(bring(parcel, recipients), isFault('server', /rejected the recipient's address.*451/))
  assert.deepEqual(reached, ['ada@example.org'])
  refusals.clear()
  await bring({ ...parcel, reached: [...reached] }, recipients)
  const mails = await smtp.until(3)
  assert.deepEqual(
    mails.flatMap(({ to }) => to),
    recipients,
  )
  await bring(parcel, recipients.slice(0, 1))
  const idIn = (raw = '') => /^Message-ID: (.*)$/m.exec(raw)?.[1]
  const [again] = await smtp.until(1)
  assert.equal(idIn(again?.raw), idIn(mails[0]?.raw))
  assert.equal(new Set(mails.map(({ raw }) => idIn(raw))).size, 3)
})

test('a recipient who is permanently refused does not keep the block from the others, unless all are refused', async () => {
  refusals.set('ada@example.org', 550)
  const lines = await bring(parcelOf(CONTENT), ['ada@example.org', 'bob@example.org'])
  assert.match(lines.join(), /^Block 7 was not accepted for 1 recipients/)
  assert.deepEqual((await smtp.until(1))[0]?.to, ['bob@example.org'])
  await assert.rejects(bring(parcelOf(CONTENT), ['ada@example.org']), isFault('server', /550/))
})

test('without a reachable mail server nothing is delivered, and the error contains no password', async () => {
  const secret = 'correct-horse-battery'
  await configureMail(corvus, 1, { username: 'corvus', password: secret })
  await assert.rejects(bring(parcelOf(CONTENT), ['ada@example.org']), (error) => {
    assert.ok(!JSON.stringify([String(error), (error as Error).stack]).includes(secret))
    return isFault('unreachable', /cannot be reached/)(error)
  })
  assert.equal((await configureMail(corvus, 1, { host: null, username: null, password: null })).status, 200)
  await assert.rejects(bring(parcelOf(CONTENT), ['ada@example.org']), isFault('configuration', /No mail can be sent/))
})
