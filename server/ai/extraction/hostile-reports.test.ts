import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { obeying, REAL_ENTITIES, REAL_SENTENCE } from '../../../test/set-up/hostile-model.ts'
import { HOSTILE_REPORTS } from '../../../test/set-up/hostile-reports.ts'
import { startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'

/** A secret that the caller does not see. */
const SECRET = { title: 'Vermilion Ledger', alias: 'Scarlet Account', description: 'Vermilion is paid in shells.' }
const SECRET_WORDS = /vermilion|scarlet account|shells/i

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let outsider: string
let secret: string
before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
  await useProvider(corvus, provider, ['ai_entity_extraction', 'ai_intel_summary'])
  const { body: group } = await corvus.call('POST', 'groups', { name: 'Outsiders' })
  outsider = await corvus.tokenFor('all')
  const { body: self } = await corvus.call('GET', 'users/self', undefined, outsider)
  await corvus.call('PATCH', `groups/${group.data.id}`, {
    data: { sources: [`${group.data.source}?allowed_tlp=AMBER`] },
  })
  await corvus.call('PATCH', `users/${self.data.id}`, { data: { groups: [group.data.id] } })
  const { alias, ...data } = SECRET
  const made = await corvus.call('POST', 'entities', {
    data: { data: { type: 'threat-actor', ...data }, meta: { tlp_color: 'RED', alias } },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  secret = made.body.data.id
})
after(async () => {
  await provider.stop()
  await corvus.stop()
})

/** The number of rows of every table except those in which each request is noted, and of kept answers. */
async function rowCounts(): Promise<Record<string, string>> {
  const { rows } = await corvus.pool.query(`
    select c.relname as name,
      (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %s', c.oid::regclass), false, true, '')))[1]::text as rows
    from pg_class as c join pg_namespace as s on s.oid = c.relnamespace
    where c.relkind = 'r' and s.nspname not in ('pg_catalog', 'information_schema', 'pgboss') and c.relname not in ('ai_requests', 'ai_summaries', 'ai_summary_entities', 'audit_trail')`)
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]))
}

const marked = (text: string): string => /lines begin with (~[0-9a-f]+~)/.exec(text)?.[1] ?? ''

/** Checks what was sent about a report, and returns the marks of the questions. */
function checkPrompts(unseen: readonly string[], name: string): Set<string> {
  assert.ok(provider.prompts.length > 0, name)
  for (const { messages, text } of provider.prompts) {
    const mark = marked(text)
    assert.match(mark, /^~[0-9a-f]{8}~$/, name)
    assert.doesNotMatch(text, SECRET_WORDS, name)
    for (const hidden of unseen) assert.ok(!text.includes(hidden), `${name}: ${JSON.stringify(hidden)} was sent`)
    const lines = messages
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) => content.slice(content.indexOf('\n') + 1).split('\n'))
    assert.ok(lines.length > 0)
    for (const line of lines) assert.ok(line.startsWith(`${mark} `), `${name}: '${line.slice(0, 80)}' is not marked`)
  }
  return new Set(provider.prompts.map(({ text }) => marked(text)))
}

test('40 hostile reports and a model that obeys them: nothing is written, leaked or invented', async () => {
  assert.equal(HOSTILE_REPORTS.length, 40)
  const before = await rowCounts()
  assert.ok(Number(before.entities) > 0 && before.changes !== undefined, JSON.stringify(before))
  const marks: string[] = []
  for (const report of HOSTILE_REPORTS) {
    provider.prompts.length = 0
    provider.says(obeying(report))
    const text = { title: 'Weekly report', description: `${REAL_SENTENCE}\n\n${report.text}` }
    const { status, body } = await corvus.call('POST', 'ai/entity-extraction', { data: { text } }, outsider)
    assert.equal(status, 200, `${report.name}: ${JSON.stringify(body)}`)
    marks.push(...checkPrompts(report.unseen, report.name))
    const { entities, observables, dropped } = body.data
    assert.deepEqual(
      entities.map(({ title }: { title: string }) => title),
      report.named ?? REAL_ENTITIES,
      report.name,
    )
    for (const { existing, attacks, quote, offsets } of entities) {
      assert.deepEqual([existing, attacks], [null, []], report.name)
      const proof = text[offsets.field as 'title'].slice(offsets.start, offsets.end)
      assert.ok(proof !== '' && quote !== '' && proof.startsWith(quote.slice(0, 6)), report.name)
    }
    const values = observables.map(({ value }: { value: string }) => value)
    assert.ok(values.includes('203.0.113.7') && !values.includes('198.51.100.66'), report.name)
    assert.ok(dropped.count > 0 || report.named || report.observables || report.extra, report.name)
    assert.doesNotMatch(JSON.stringify(body), SECRET_WORDS, report.name)
  }
  assert.deepEqual(await rowCounts(), before)
  assert.equal(new Set(marks).size, marks.length)
})

test('40 hostile reports and a model that obeys them: summaries write and reveal nothing', async () => {
  const items = HOSTILE_REPORTS.map(({ name, text }) => ({
    data: {
      type: 'report',
      title: `Weekly report: ${name}`,
      description: `${REAL_SENTENCE}\n\n${text.replaceAll('\0', '')}`,
    },
    meta: { tlp_color: 'GREEN' },
  }))
  const made = await corvus.call('PUT', 'entities', { data: items }, outsider)
  assert.equal(made.status, 201, JSON.stringify(made.body).slice(0, 500))
  const before = await rowCounts()
  const marks: string[] = []
  for (const [i, report] of HOSTILE_REPORTS.entries()) {
    provider.prompts.length = 0
    provider.says(obeying(report))
    const asked = { data: { entity: made.body.data[i].id } }
    const { status, body } = await corvus.call('POST', 'ai/quick-summary', asked, outsider)
    assert.equal(status, 200, `${report.name}: ${JSON.stringify(body)}`)
    const unseen = report.unseen.filter((hidden) => hidden !== '\0')
    marks.push(...checkPrompts(unseen, report.name))
    assert.equal(body.data.tlp_color, 'GREEN')
    assert.doesNotMatch(body.data.summary, /\]\(|<(?:a|img)\b|<https?:/i, report.name)
    assert.doesNotMatch(JSON.stringify(body), SECRET_WORDS, report.name)
  }
  assert.deepEqual(await rowCounts(), before)
  assert.equal(new Set(marks).size, marks.length)
})

test('a text that guesses the name of an entity does not learn whether it exists', async () => {
  const sentence = `${SECRET.title}, also called ${SECRET.alias}, sent mails.`
  const said = {
    type: 'threat-actor',
    title: SECRET.title,
    aliases: [SECRET.alias],
    quote: sentence,
    confidence: 'high',
  }
  provider.says(() => JSON.stringify({ entities: [{ ...said, attacks: [], observables: [] }], observables: [] }))
  const extract = async (token: string) => {
    const asked = { data: { text: { description: sentence } } }
    const { status, body } = await corvus.call('POST', 'ai/entity-extraction', asked, token)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.entities.map(({ existing }: { existing: string | null }) => existing)
  }
  assert.deepEqual(await extract(corvus.admin), [secret])
  assert.deepEqual(await extract(outsider), [null])
  const asked = { data: { text: { description: sentence }, entity_id: secret } }
  assert.equal((await corvus.call('POST', 'ai/entity-extraction', asked, outsider)).status, 400)
})
