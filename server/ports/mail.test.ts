import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { startMailServer } from '../../test/mail.ts'
import { type MailServer, openMailer } from './mail.ts'

const MESSAGE = { id: 'x.1', to: 'ada@example.org', subject: 'Hello', text: 'Text\n', html: '<p>Text</p>' }

const serverAt = (port: number, rest: Partial<MailServer> = {}): MailServer => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  username: null,
  password: null,
  from: { name: 'Corvus', address: 'corvus@example.org' },
  replyTo: 'team@example.org',
  ...rest,
})

async function send(server: MailServer, message = MESSAGE, patienceMs?: number) {
  const sender = await openMailer(patienceMs).open(server)
  try {
    return await sender.send(message)
  } finally {
    sender.close()
  }
}

test('a mail has text and HTML parts, a sender and a reply address, and is marked as automatic', async () => {
  const smtp = await startMailServer()
  assert.equal(await send(serverAt(smtp.port)), undefined)
  const [mail] = await smtp.until(1)
  assert.deepEqual([mail?.from, mail?.to], ['corvus@example.org', ['ada@example.org']])
  for (const line of [
    'From: Corvus <corvus@example.org>',
    'To: ada@example.org',
    'Reply-To: team@example.org',
    'Subject: Hello',
    'Message-ID: <x.1@example.org>',
    'Auto-Submitted: auto-generated',
    'Text',
    '<p>Text</p>',
  ]) {
    assert.ok(mail?.raw.split('\r\n').includes(line), `${line}\n${mail?.raw}`)
  }
  assert.match(mail?.raw ?? '', /^Content-Type: multipart\/alternative/m)
  await smtp.stop()
})

test('no text can inject a header or a recipient', async () => {
  const smtp = await startMailServer()
  const evil = 'x\r\nBcc: eve@example.org\r\n\r\nBody\u2028\u0085.\r\n'
  const message = { ...MESSAGE, subject: evil, text: `.\r\n${evil}.\r\nRCPT TO:<eve@example.org>\r\n` }
  await send(serverAt(smtp.port, { from: { name: evil, address: 'corvus@example.org' } }), message)
  await send(serverAt(smtp.port), { ...MESSAGE, to: 'ada@example.org, eve@example.org' })
  await send(serverAt(smtp.port), { ...MESSAGE, to: 'ada@example.org\r\nRCPT TO:<eve@example.org>' })
  const mails = smtp.received
  assert.deepEqual(mails[0]?.to, ['ada@example.org'])
  assert.equal(mails[0]?.subject, 'x Bcc: eve@example.org Body .')
  const [head = ''] = (mails[0]?.raw ?? '').split('\r\n\r\n')
  assert.ok(!/^Bcc/im.test(head))
  assert.ok(mails.every(({ to }) => !to.includes('eve@example.org')))
  await smtp.stop()
})

test('username and password are sent, and an error repeats neither', async () => {
  const seen: unknown[] = []
  const smtp = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) => {
      seen.push([username, password])
      if (password === 'right') done(null, { user: 1 })
      else done(new Error(`no such thing as ${password}`))
    },
  })
  assert.equal(await send(serverAt(smtp.port, { username: 'corvus', password: 'right' })), undefined)
  assert.deepEqual(await send(serverAt(smtp.port, { username: 'corvus', password: 'wrong-secret' })), {
    kind: 'down',
    reason: 'The mail server rejected the username or password. It answered 535.',
  })
  assert.deepEqual(seen, [
    ['corvus', 'right'],
    ['corvus', 'wrong-secret'],
  ])
  await smtp.stop()
})

test('failures tell whether a retry may help', async () => {
  const smtp = await startMailServer({
    onMailFrom: ({ address }, _, done) =>
      address.startsWith('bad') ? done(Object.assign(new Error('no'), { responseCode: 553 })) : done(),
    onRcptTo: ({ address }, _, done) => {
      const responseCode = Number(/^c(\d+)@/.exec(address)?.[1] ?? 0)
      if (responseCode > 0) done(Object.assign(new Error('no'), { responseCode }))
      else done()
    },
  })
  const to = async (address: string) => send(serverAt(smtp.port), { ...MESSAGE, to: address })
  const recipient = "The mail server rejected the recipient's address."
  assert.deepEqual(await to('c550@example.org'), { kind: 'refused', reason: `${recipient} It answered 550.` })
  assert.deepEqual(await to('c451@example.org'), { kind: 'deferred', reason: `${recipient} It answered 451.` })
  const from = { name: '', address: 'bad@example.org' }
  assert.deepEqual(await send(serverAt(smtp.port, { from })), {
    kind: 'down',
    reason: "The mail server rejected the sender's address. It answered 553.",
  })
  await smtp.stop()
})

test('no mail is sent unencrypted when encryption is required, or to a server with an invalid certificate', async () => {
  const plain = await startMailServer()
  const withTls = await startMailServer({ disabledCommands: [] })
  const whole = await startMailServer({ secure: true })
  for (const [port, security, reason] of [
    [plain.port, 'starttls', /^The mail server does not offer an encrypted connection/],
    [plain.port, 'tls', /cannot be reached \([A-Z_]+\)/],
    [withTls.port, 'starttls', /cannot be reached \([A-Z_]*CERT[A-Z_]*\)/],
    [whole.port, 'tls', /cannot be reached \([A-Z_]*CERT[A-Z_]*\)/],
  ] as const) {
    const failure = await send(serverAt(port, { security }), MESSAGE, 1000)
    assert.equal(failure?.kind, 'down', security)
    assert.match(failure?.reason ?? '', reason)
  }
  assert.equal(await send(serverAt(withTls.port, { security: 'none' })), undefined)
  for (const smtp of [plain, whole]) assert.equal(smtp.received.length, 0)
  assert.equal(withTls.received.length, 1)
  for (const smtp of [plain, withTls, whole]) await smtp.stop()
})

test('an unreachable or silent server is reported as such', async () => {
  const smtp = await startMailServer()
  await smtp.stop()
  assert.deepEqual(await send(serverAt(smtp.port)), {
    kind: 'down',
    reason: `The mail server 127.0.0.1:${smtp.port} cannot be reached (ECONNREFUSED).`,
  })
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const failure = await send(serverAt(port), MESSAGE, 300)
  assert.equal(failure?.reason, `The mail server 127.0.0.1:${port} cannot be reached (ETIMEDOUT).`)
  silent.close()
})
