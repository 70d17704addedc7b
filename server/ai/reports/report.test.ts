import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { isCounted } from '../../../test/set-up/counting.ts'
import { startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'

type Item = Record<string, unknown>

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let entity: string
let observable: number
let statements: string[] = []
before(async () => {
  corvus = await startApp((statement) => {
    if (isCounted(statement)) statements.push(statement)
  })
  provider = await startScriptedProvider()
  const { body } = await corvus.call('POST', 'entities', {
    data: {
      data: { type: 'malware', title: 'Crow loader', description: 'It loads.' },
      meta: { tlp_color: 'AMBER' },
      observables: [{ type: 'domain', value: 'crow.example.com' }],
    },
  })
  entity = body.data.id
  observable = Number(body.data.observables[0].split('/').at(-1))
})
beforeEach(async () => {
  provider.prompts.length = 0
  await corvus.pool.query('delete from ai_summaries')
  await useProvider(corvus, provider, ['ai_intel_summary'], { max_tlp: 'AMBER' })
})
after(async () => {
  await provider.stop()
  await corvus.stop()
})

const write = (data: Item, token = corvus.admin) =>
  corvus.call('POST', 'ai/report', { data: { entities: [entity], summary_type: 'technical', ...data } }, token)

test('a report is sanitised HTML with the values that occur in nothing that was read', async () => {
  const description =
    '<h2>Crow</h2><p onclick="x()">It calls crow.exam<b>ple.com</b>, 203.0.113.5 and evil<b>.com</b>.</p><img src="https://evil.com/?q=1"><script>x()</script>'
  provider.says(() => JSON.stringify({ title: 'Crow CVE-2024-1234', description }))
  const { status, body } = await write({ observables: [observable] })
  assert.equal(status, 200, JSON.stringify(body))
  const { title, description: html, unverified_values, tlp_color, generated_by } = body.data
  assert.equal(html, '<h2>Crow</h2><p>It calls crow.exam<b>ple.com</b>, 203.0.113.5 and evil<b>.com</b>.</p>')
  assert.deepEqual([title, tlp_color], ['Crow CVE-2024-1234', 'AMBER'])
  assert.deepEqual(
    unverified_values.map(({ field, value, start, end }: Item & { start: number; end: number }) => [
      field,
      value,
      (field === 'title' ? title : html).slice(start, end),
    ]),
    [
      ['title', 'CVE-2024-1234', 'CVE-2024-1234'],
      ['description', '203.0.113.5', '203.0.113.5'],
      ['description', 'evil.com', 'evil<b>.com'],
    ],
  )
  assert.deepEqual(generated_by.inputs, [entity, String(observable)])
  assert.match(provider.prompts[0]?.text ?? '', /domain: crow\.example\.com/)
})

test('a title, a template and an instruction of the analyst are followed, and the template is sanitised as well', async () => {
  provider.says(() => JSON.stringify({ title: 'Ignored', description: '<p>A</p>' }))
  const { body } = await write({
    summary_type: 'custom',
    report_title: 'Weekly',
    custom_report_template: '<h2>Impact</h2><img src="https://evil.com"><script>x</script>',
    custom_summary_content_instruction: 'Mention hospitals.',
  })
  assert.equal(body.data.title, 'Weekly')
  const last = provider.prompts[0]?.messages.filter(({ role }) => role === 'user').at(-1)?.content ?? ''
  assert.match(last, /Weekly[\s\S]*Mention hospitals\.[\s\S]*<h2>Impact<\/h2>/)
  assert.doesNotMatch(last, /evil\.com|script/)
})

test('observables need the permission to read them', async () => {
  const token = await corvus.tokenFor(['read entities', 'read configurations'])
  const { status, body } = await write({ observables: [observable] }, token)
  assert.deepEqual([status, body[0].detail], [403, 'Missing permissions: [read extracts]'])
  assert.deepEqual(provider.prompts, [])
})

test('ten entities and twenty observables take as many statements as one', async () => {
  provider.says(() => JSON.stringify({ title: 'A', description: '<p>A</p>' }))
  const items = Array.from({ length: 10 }, (_, i) => ({
    data: { type: 'malware', title: `Crow ${i}`, id: `malware--0198c0de-0000-4000-8000-00000000000${i}` },
    meta: { tlp_color: 'GREEN' },
    observables: [
      { type: 'domain', value: `a${i}.example.com` },
      { type: 'domain', value: `b${i}.example.com` },
    ],
  }))
  const { body } = await corvus.call('PUT', 'entities', { data: items })
  const made: { id: string; observables: string[] }[] = body.data
  const counted = async (data: Item) => {
    statements = []
    const { status } = await write(data)
    assert.equal(status, 200)
    return statements.length
  }
  const single = { entities: [made[0]?.id], refresh: true, observables: [made[0]?.observables[0]] }
  await counted(single)
  const one = await counted(single)
  const all = await counted({
    entities: made.map(({ id }) => id),
    refresh: true,
    observables: made.flatMap(({ observables }) => observables),
  })
  assert.equal(all, one)
})
