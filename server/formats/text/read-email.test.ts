import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { DocumentError, documentOf } from '../document.ts'
import { readEmail } from './read-email.ts'

async function reportIn(bytes: Buffer | string) {
  const [finding] = await Array.fromAsync(readEmail(documentOf(bytes, 'mail.eml')))
  assert.ok(finding?.kind === 'entity')
  const { data, observables = [], attachments = [] } = finding.entity
  const values = observables.map(({ type, value }) => `${type} ${value}`)
  return {
    data: { ...data, description: String(data.description), timestamp: data.timestamp, extracts: data.extracts },
    values,
    attachments,
    losses: finding.losses ?? [],
  }
}

const lines = (...all: string[]): string => all.join('\r\n')

test('an e-mail becomes a report with its headers, text and attachments', async () => {
  const { data, values, attachments } = await reportIn(
    Buffer.from(
      lines(
        'Return-Path: <bounce@bad.org>',
        'Received: from mail.bad.org (unknown [198.51.100.9])',
        ' by mx.good.org with ESMTP id 1; Mon, 1 Jan 2024 00:00:00 +0000',
        'From: "Eve" <eve@bad.org>',
        'Reply-To: other@worse.org',
        'To: bob@good.org',
        'Subject: =?utf-8?q?Your_inv=C3=B6ice?=',
        'Date: Mon, 1 Jan 2024 01:00:00 +0100',
        'Message-ID: <1@mail.bad.org>',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/html; charset=iso-8859-1',
        '',
        '<p>Gr\xfc\xdfe, <a href="http://phish.ru/login">click here</a></p>',
        '--b',
        'Content-Type: application/octet-stream',
        'Content-Disposition: attachment; filename="../invoice.exe"',
        'Content-Transfer-Encoding: base64',
        '',
        'TVo=',
        '--b',
        'Content-Type: text/plain; name=list.txt',
        'Content-Disposition: attachment; filename=list.txt',
        '',
        'hxxp://list[.]org/a',
        '--b--',
      ),
      'latin1',
    ),
  )
  assert.deepEqual([data.title, data.timestamp], ['Your inv\u00f6ice', '2024-01-01T00:00:00.000Z'])
  assert.match(data.description, /^Message-ID: <1@mail\.bad\.org>\nSubject: Your inv\u00f6ice\nReturn-Path/)
  assert.match(data.description, /Gr\u00fc\u00dfe, click here <http:\/\/phish\.ru\/login>/)
  assert.deepEqual(
    attachments.map(({ filename, bytes }) => [filename, bytes.toString()]),
    [
      ['invoice.exe', 'MZ'],
      ['list.txt', 'hxxp://list[.]org/a\n'],
    ],
  )
  for (const value of [
    'email-subject Your inv\u00f6ice',
    'email eve@bad.org',
    'email other@worse.org',
    'email bob@good.org',
    'email bounce@bad.org',
    'domain mail.bad.org',
    'ipv4 198.51.100.9',
    'uri http://phish.ru/login',
    'uri http://list.org/a',
    'file invoice.exe',
    `hash-sha256 ${createHash('sha256').update('MZ').digest('hex')}`,
    `hash-md5 ${createHash('md5').update('MZ').digest('hex')}`,
  ])
    assert.ok(values.includes(value), value)
  // A message id looks like an e-mail address but is not one.
  assert.ok(!values.includes('email 1@mail.bad.org'))
})

test('link targets of the HTML part are kept even if there is plain text', async () => {
  const { data, values } = await reportIn(
    lines(
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Click the link.',
      '--b',
      'Content-Type: text/html',
      '',
      '<a href="http://phish.ru/login">Click</a> the link.',
      '--b--',
    ),
  )
  assert.equal(data.title, 'Click the link.')
  assert.ok(values.includes('uri http://phish.ru/login'))
})

test('nested e-mails are read up to a limit, and deeper ones become attachments', async () => {
  const wrap = (inner: string, depth: number): string =>
    depth === 0
      ? inner
      : lines(
          'Subject: outer',
          `Content-Type: multipart/mixed; boundary=b${depth}`,
          '',
          `--b${depth}`,
          'Content-Type: message/rfc822',
          '',
          wrap(inner, depth - 1),
          `--b${depth}--`,
        )
  const inner = lines('Subject: inner', '', 'hxxp://bad[.]org/inner')
  assert.ok((await reportIn(wrap(inner, 2))).values.includes('uri http://bad.org/inner'))
  const { attachments, losses } = await reportIn(wrap(inner, 8))
  assert.equal(attachments.length, 1)
  assert.match(losses.join(), /nested too deeply/)
})

test('a malicious e-mail is rejected with the reason', async () => {
  const nested = Array.from({ length: 100 }, (_, i) =>
    lines(`Content-Type: multipart/mixed; boundary=b${i}`, '', `--b${i}`, ''),
  ).join('')
  for (const bytes of [nested, `X: ${'y'.repeat(2 * 1024 * 1024)}\r\n\r\nz`]) {
    await assert.rejects(reportIn(bytes), (error) => error instanceof DocumentError && /e-mail/.test(error.message))
  }
})
