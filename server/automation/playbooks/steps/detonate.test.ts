import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  act,
  admin,
  ask,
  corvus,
  countOf,
  entity,
  file,
  hiddenEntity,
  makeEntity,
  observable,
  ownerWith,
  resume,
} from '../../../../test/set-up/steps.ts'
import type { Subject, Waiting } from '../step.ts'
import { detonate } from './detonate.ts'

let sandbox: number
before(async () => {
  const made = await ask('POST', 'detonators', {
    adapter: 'cape',
    name: 'heron_cape',
    is_active: true,
    parameters: { url: corvus.source.url, api_token: 'a token of cape' },
  })
  sandbox = made.id
})

/** Accepts the terms of the sandbox. */
const consent = async () => {
  const { terms } = await ask('GET', `detonators/${sandbox}`)
  await ask('POST', `detonators/${sandbox}/consent`, { terms: terms.map(({ id }: { id: string }) => id) })
}

/** Ends the detonations that a step waits for, as the lane of the sandbox would. */
async function end(waitsFor: Waiting['waitsFor'] | undefined, state: string, verdict: string | null): Promise<void> {
  await corvus.pool.query(
    `update detonations as t
     set state = $2, verdict = $3, state_reason = case when $2 = 'FAILED' then 'The sandbox gave up.' end,
       finished_at = now(), expires_at = now() + interval '1 day',
       vis = 8 * s.number
     from detonators as d join sources as s on s.id = d.source
     where t.id = any($1::uuid[]) and d.id = t.detonator`,
    [waitsFor?.detonations, state, verdict],
  )
}

const wanted = () => ({ detonators: [sandbox] })

const newFile = async (text: string, more: object = {}): Promise<Subject> => {
  const data = Buffer.from(text).toString('base64')
  const made = await ask('POST', 'files', { name: 'heron.bin', data, process: false, workspaces: [1], ...more })
  return file(made.id)
}

test('without consent of the owner nothing is asked, and the failure says what to do', async () => {
  const subject = await newFile('no consent')
  await assert.rejects(act(detonate, wanted(), subject), /not accepted the present terms/)
  assert.equal(await countOf('detonations'), 0)
  await consent()
})

for (const verdict of ['malicious', 'suspicious', 'clean', 'unknown']) {
  test(`a report that says ${verdict} is the outcome`, async () => {
    const subject = await newFile(`a file that is ${verdict}`)
    const begun = await act(detonate, wanted(), subject)
    assert.ok(begun.waitsFor && (begun.retryInSeconds ?? 0) >= 5, JSON.stringify(begun))
    assert.ok((await resume(detonate, wanted(), subject, begun.waitsFor)).waitsFor)
    await end(begun.waitsFor, 'FINISHED', verdict)
    const result = await resume(detonate, wanted(), subject, begun.waitsFor)
    assert.deepEqual(result, { outcome: verdict, output: { detonations: begun.waitsFor.detonations, finished: 1 } })
    assert.deepEqual(await act(detonate, wanted(), subject), result)
  })
}

test('a step that is done again joins its detonation', async () => {
  const before = await countOf('detonations')
  const { id } = await ask('POST', 'observables', { type: 'uri', value: 'http://again.heron.example/a' })
  const first = await act(detonate, wanted(), observable(id), { key: 'x' })
  const second = await act(detonate, wanted(), observable(id), { key: 'x' })
  assert.deepEqual(second.waitsFor?.detonations, first.waitsFor?.detonations)
  assert.equal(await countOf('detonations'), before + 1)
})

test('the addresses of an entity are opened, and one report of several is enough', async () => {
  const uris = ['one', 'two'].map((name) => ({ type: 'uri', value: `http://${name}.of.heron.example/` }))
  const { id } = await makeEntity({}, { observables: uris })
  const { waitsFor } = await act(detonate, wanted(), entity(id))
  const [one, two] = (waitsFor?.detonations ?? []) as string[]
  await end({ detonations: [one] }, 'FINISHED', 'malicious')
  await end({ detonations: [two] }, 'FAILED', null)
  const { outcome, warnings } = await resume(detonate, wanted(), entity(id), waitsFor ?? {})
  assert.deepEqual([outcome, warnings], ['malicious', ['The sandbox gave up.']])
})

test('a detonation that failed fails the step, and the wait ends', async () => {
  const subject = await newFile('a file that fails')
  const { waitsFor } = await act(detonate, wanted(), subject)
  const over = { ...waitsFor, until: new Date(0).toISOString() }
  await assert.rejects(resume(detonate, wanted(), subject, over), /had not ended in time: 1\./)
  await end(waitsFor, 'FAILED', null)
  await assert.rejects(resume(detonate, wanted(), subject, waitsFor ?? {}), /The sandbox gave up\./)
})

test('a dry run submits nothing, and uses reports that are stored', async () => {
  const subject = await newFile('a file for a dry run')
  const before = await countOf('detonations')
  assert.partialDeepStrictEqual(await act(detonate, wanted(), subject, { isDryRun: true }), {
    outcome: 'unknown',
    output: { would_submit: 1 },
  })
  assert.equal(await countOf('detonations'), before)
  const { waitsFor } = await act(detonate, wanted(), subject)
  await end(waitsFor, 'FINISHED', 'malicious')
  assert.partialDeepStrictEqual(await act(detonate, wanted(), subject, { isDryRun: true }), {
    outcome: 'malicious',
    output: { would_submit: 0 },
  })
})

test('what is above the colour, of another kind or invisible is out of scope', async () => {
  const red = await act(detonate, wanted(), await newFile('a red file', { tlp_color: 'RED' }))
  assert.equal(red.outcome, 'out_of_scope')
  assert.match(String(red.warnings), /TLP RED/)
  const domain = await ask('POST', 'observables', { type: 'domain', value: 'kind.heron.example' })
  assert.equal((await act(detonate, wanted(), observable(domain.id))).outcome, 'out_of_scope')
  assert.equal((await act(detonate, wanted(), entity(await hiddenEntity()))).outcome, 'out_of_scope')
  const owner = await ownerWith(['read entities', 'read detonators', 'read detonations'])
  const { id } = await makeEntity()
  await assert.rejects(act(detonate, wanted(), entity(id), { owner }), /Missing permissions: \[modify detonations\]/)
  assert.notEqual(owner, admin)
})
