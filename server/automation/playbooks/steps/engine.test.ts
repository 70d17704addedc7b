import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { finds, status } from '../../../../test/set-up/enrichers.ts'
import { ask, corvus, makeEntity } from '../../../../test/set-up/steps.ts'
import { until } from '../../../../test/until.ts'
import { signatureOf } from '../../../changes/webhooks/send.ts'

before(() => corvus.startProcess())

interface Run {
  readonly state: string
  readonly reason: string | null
  readonly ended_at: string | null
  readonly steps: readonly {
    readonly id: string
    readonly state: string
    readonly outcome: string | null
    readonly input: Record<string, unknown>
    readonly output: Record<string, unknown> | null
  }[]
}

const idIn = (url: string) => url.slice(url.lastIndexOf('/') + 1)

/** Saves a playbook, runs it on an entity, and returns the run once it has ended. */
async function ran(name: string, steps: readonly object[], entity: string): Promise<Run> {
  const { id } = await ask('POST', 'playbooks', { name, trigger: { type: 'manual' }, steps })
  const { runs } = await ask('POST', `playbooks/${id}/runs`, { entities: [entity] })
  return until(async () => {
    const run: Run = await ask('GET', `playbooks/${id}/runs/${idIn(runs[0])}`)
    return run.ended_at === null ? undefined : run
  }, `the run of ${name} does not end`)
}

const outcomesOf = ({ steps }: Run) => steps.map(({ id, outcome }) => [id, outcome])

test('a report is searched, enriched, rated, classified and put where it belongs', async () => {
  const enricher = await corvus.enricher({ name: 'engine' })
  corvus.source.answers('/engine', finds({ kind: 'verdict', maliciousness: 'high' }))
  const dataset = await ask('POST', 'datasets', { name: 'Engine', workspaces: [1] })
  const { id } = await makeEntity({ title: 'Phishing by T1566', description: 'They used evil[.]engine.example.' })
  const isBad = { only_if: [{ step: 'ask', outcome: ['malicious'] }] }
  const run = await ran(
    'Everything about a report',
    [
      { id: 'find', kind: 'extract' },
      { id: 'ask', kind: 'enrich', enrichers: [{ name: 'engine' }] },
      { id: 'rate', kind: 'rate', maliciousness: 'high', with_verdict: ['medium', 'high'], ...isBad },
      { id: 'block', kind: 'add_to', datasets: [dataset.id], ...isBad },
      { id: 'colour', kind: 'set', tlp_color: 'GREEN', ...isBad },
      { id: 'calm', kind: 'set', tlp_color: 'RED', only_if: [{ step: 'ask', outcome: ['safe', 'not_found'] }] },
      { id: 'case', kind: 'create_entity', type: 'incident', title: 'Case of {title}' },
      { id: 'open', kind: 'ticket', title: 'See {title}', description: '{steps.ask.found} of {steps.ask.look_ups}' },
      { id: 'say', kind: 'comment', text: 'Ticket {steps.open.ticket}' },
      { id: 'write', kind: 'export', content_type: 'urn:oasis:stix:json:2.1' },
    ],
    id,
  )
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  assert.deepEqual(outcomesOf(run), [
    ['find', 'found'],
    ['ask', 'malicious'],
    ['rate', 'rated'],
    ['block', 'added'],
    ['colour', 'changed'],
    ['calm', null],
    ['case', 'created'],
    ['open', 'opened'],
    ['say', 'commented'],
    ['write', 'exported'],
  ])
  const output = (step: string) => run.steps.find((each) => each.id === step)?.output ?? {}
  const ticket = await ask('GET', `tickets/${output('open').ticket}`)
  assert.deepEqual([ticket.name, ticket.description], ['See Phishing by T1566', '1 of 1'])
  assert.deepEqual(
    (await ask('GET', `tickets/${ticket.id}/comments`)).map(({ text }: { text: string }) => text),
    [`Ticket ${ticket.id}`],
  )
  assert.equal((await ask('GET', `entities/${id}`)).meta.tlp_color, 'GREEN')
  assert.equal((await ask('GET', `datasets/${dataset.id}`)).entities_count, 1)
  assert.equal((await ask('GET', `entities/${output('case').entity}`)).data.title, 'Case of Phishing by T1566')
  assert.ok(enricher.id)
})

test('a webhook is called with the stored secret, which the run does not show', async () => {
  const secret = 'a secret of enough length'
  const { id } = await makeEntity()
  corvus.source.answers('/told', status(200))
  const steps = [{ id: 'tell', kind: 'webhook', url: `${corvus.source.url}/told`, secret }]
  const run = await ran('Tells of {title}', steps, id)
  assert.deepEqual([run.state, outcomesOf(run)], ['SUCCESS', [['tell', 'delivered']]], JSON.stringify(run))
  const [call] = corvus.source.callsTo('/told')
  assert.equal(
    call?.headers['corvus-signature'],
    signatureOf(secret, String(call?.headers['corvus-timestamp']), call?.raw ?? ''),
  )
  assert.ok(!JSON.stringify(run).includes(secret))
  assert.equal(run.steps[0]?.input.secret, '<PASS_THROUGH_TOKEN>')
})

test('a webhook that refuses fails the run with its reason', async () => {
  const { id } = await makeEntity()
  corvus.source.answers('/refuses', status(400))
  const run = await ran('Refused', [{ id: 'tell', kind: 'webhook', url: `${corvus.source.url}/refuses` }], id)
  assert.deepEqual([run.state, run.reason], ['FAILURE', "The step 'tell' failed: The receiver responded with 400."])
})

test('a dry run does all steps, shows no secret and leaves nothing', async () => {
  const secret = 'a secret of enough length'
  const { id } = await makeEntity({ title: 'Dry', description: '192.0.2.99' })
  const [tried] = await ask('POST', 'playbooks/dry-run', {
    entities: [id],
    playbook: {
      trigger: { type: 'manual' },
      steps: [
        { id: 'find', kind: 'extract' },
        { id: 'open', kind: 'ticket', title: 'Dry {title}' },
        { id: 'say', kind: 'comment', text: 'x' },
        { id: 'write', kind: 'export', content_type: 'urn:oasis:stix:json:2.1' },
        { id: 'tell', kind: 'webhook', url: `${corvus.source.url}/dry`, secret },
      ],
    },
  })
  assert.deepEqual(outcomesOf(tried), [
    ['find', 'found'],
    ['open', 'opened'],
    ['say', 'commented'],
    ['write', 'exported'],
    ['tell', 'delivered'],
  ])
  assert.ok(!JSON.stringify(tried).includes(secret))
  assert.equal(corvus.source.callsTo('/dry').length, 0)
  assert.equal((await corvus.call('GET', 'tickets?filter[name]=Dry Dry&data=false')).body.total_count, 0)
  assert.equal((await ask('GET', `entities/${id}`)).observables.length, 0)
})
