import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { configureMail, startMailServer, startMailWorker } from '../../../../test/mail.ts'
import {
  act,
  ask,
  corvus,
  countOf,
  entity,
  hiddenEntity,
  makeEntity,
  ownerWith,
} from '../../../../test/set-up/steps.ts'
import { mail } from './mail.ts'
import { notify } from './notify.ts'

const smtp = await startMailServer()
const worker = await startMailWorker(corvus)
after(async () => {
  await worker.stop()
  await smtp.stop()
})

/** A user with an address. */
async function reader(name: string, permissions: readonly string[] = ['read entities']): Promise<number> {
  const id = await ownerWith(permissions)
  await ask('PATCH', `users/${id}`, { email: `${name}@example.org` })
  return id
}

test('without a mail server no user is notified, which is no failure', async () => {
  const { id } = await makeEntity()
  const users = [await reader('early')]
  assert.equal((await act(notify, { users, text: 'x' }, entity(id))).outcome, 'not_sent')
  const { outcome, warnings } = await act(mail, { users, subject: 'x', text: 'x' }, entity(id))
  assert.equal(outcome, 'not_sent')
  assert.match(String(warnings), /mail/i)
  assert.equal((await configureMail(corvus, smtp.port)).status, 200)
})

test('a mail goes once to users who see the object, with its text and a link', async () => {
  const { id } = await makeEntity()
  const users = [await reader('sees'), await reader('blind', ['read tickets']), await ownerWith(['read entities'])]
  const wanted = { users, subject: 'About {title}', text: 'First.\n\nSecond <b>.' }
  const first = await act(mail, wanted, entity(id), { key: 'the key of a mail' })
  assert.deepEqual([first.outcome, first.output], ['sent', { users: 1 }])
  assert.deepEqual(first.warnings, [
    'Users left out because they are not active or have no address: 1.',
    'Users left out because they do not see the object: 1.',
  ])
  assert.deepEqual(await act(mail, wanted, entity(id), { key: 'the key of a mail' }), first)
  const [letter, ...more] = await smtp.until(1)
  assert.deepEqual([letter?.to, letter?.subject, more], [['sees@example.org'], 'About of entities', []])
  assert.ok(letter?.text.includes(`http://corvus.test/entities/${id}`), letter?.text)
  assert.match(letter?.text ?? '', /First\.\s+Second <b>\.[\s\S]*Sent by the playbook ‘Test’/)
})

test('a notification goes to users who want to hear of playbooks', async () => {
  const { id } = await makeEntity()
  const token = await corvus.tokenFor(['read entities'])
  const silent = (await corvus.call('GET', 'users/self', undefined, token)).body.data.id
  await ask('PATCH', `users/${silent}`, { email: 'silent@example.org' })
  await ask('PATCH', 'users/self/notifications', { playbook_notified: false }, token)
  const wanted = { users: [silent, await reader('willing')], text: 'Watch {title}.' }
  const { outcome, warnings } = await act(notify, wanted, entity(id), { key: 'the key of a notification' })
  assert.deepEqual(
    [outcome, warnings],
    ['sent', ['Users left out because they chose not to be notified by playbooks: 1.']],
  )
  assert.equal((await act(notify, wanted, entity(id), { key: 'the key of a notification' })).outcome, 'sent')
  const [letter, ...more] = await smtp.until(1)
  assert.deepEqual([letter?.to, letter?.subject, more], [['willing@example.org'], 'Watch of entities.', []])
  assert.equal((await act(notify, { users: [silent], text: 'x' }, entity(id))).outcome, 'not_sent')
})

test('a dry run sends nothing, and nothing is sent about what the owner does not see', async () => {
  const before = await countOf('mails')
  const { id } = await makeEntity()
  const users = [await reader('dry')]
  assert.equal((await act(mail, { users, subject: 'x', text: 'x' }, entity(id), { isDryRun: true })).outcome, 'sent')
  assert.equal((await act(notify, { users, text: 'x' }, entity(id), { isDryRun: true })).outcome, 'sent')
  const hidden = entity(await hiddenEntity())
  assert.equal((await act(mail, { users, subject: 'x', text: 'x' }, hidden)).outcome, 'out_of_scope')
  assert.equal((await act(notify, { users, text: 'x' }, hidden)).outcome, 'out_of_scope')
  assert.equal(await countOf('mails'), before)
  const owner = await ownerWith(['read entities'])
  await assert.rejects(act(notify, { users, text: 'x' }, entity(id), { owner }), /Missing permissions: \[read users\]/)
  assert.throws(() => notify.parameters.parse({ users: [], text: 'x' }))
})

test('line breaks in a subject begin no header', async () => {
  const { id } = await makeEntity()
  const users = [await reader('header')]
  const subject = 'About it\r\nBcc: other@example.org\n\nAnother text'
  await act(mail, { users, subject, text: 'x' }, entity(id))
  const letter = (await smtp.until(1)).at(-1)
  assert.deepEqual(letter?.to, ['header@example.org'])
  assert.match(letter?.subject ?? '', /^About it\s+Bcc: other@example.org\s+Another text$/)
})
